/** Bodies that come in from many connections share the turns of the event loop. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { Receiving, type Receiver } from "../../src/http/receiving.js";
import { behaviour, echo, pattern, withTransport } from "./harness.js";
import { ask, request } from "./raw-client.js";

class Told implements Receiver {
  readonly told: string[] = [];
  pauseBody(): void {
    this.told.push("pause");
  }
  resumeBody(): void {
    this.told.push("resume");
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("receiving: once a turn took enough all wait for the next one, also who begins meanwhile; who is done is left alone", async () => {
  const receiving = new Receiving(new Turns(0)),
    [first, second, late, done] = [new Told(), new Told(), new Told(), new Told()] as const;
  for (const receiver of [first, second, done]) receiving.enter(receiver);
  receiving.leave(done);
  receiving.took();
  receiving.took();
  receiving.enter(late);
  assert.deepEqual(
    [first, second, late, done].map(({ told }) => told),
    [["pause"], ["pause"], ["pause"], []],
  );
  await nextTurn();
  assert.deepEqual(
    [first, second, late, done].map(({ told }) => told),
    [["pause", "resume"], ["pause", "resume"], ["pause", "resume"], []],
  );
});

test("receiving: a turn that has time left goes on", () => {
  const receiving = new Receiving(new Turns(1_000)),
    one = new Told();
  receiving.enter(one);
  receiving.took();
  assert.deepEqual(one.told, []);
});

behaviour("bodies of many connections arrive whole when each turn takes only a part of them", async (kind) => {
  const bytes = 3 * 1024 * 1024;
  await withTransport(kind, { routes: [echo(bytes)], turns: new Turns(0) }, async ({ port, transport }) => {
    const bodies = Array.from({ length: 6 }, (_, seed) => pattern(bytes, seed));
    const answers = await Promise.all(
      bodies.map((body) => ask(port, Buffer.concat([Buffer.from(request("POST", "/echo", [`Content-Length: ${bytes}`])), body]))),
    );
    assert.deepEqual(
      answers.map((answer, seed) => answer?.body.equals(bodies[seed]!)),
      bodies.map(() => true),
    );
    assert.equal(transport.bodiesBytes, 0);
  });
});
