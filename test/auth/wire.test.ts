/** Mutated tokens through a real transport: requests and sockets. */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { silentLog } from "../../src/base/log.js";
import { ok } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { servedNode } from "../support/served.js";
import { startTransport } from "../../src/http/index.js";
import { ledgerWith, NumberCursor } from "../api/support.js";
import { anybody, createUser, okOf, world } from "../admin/world.js";
import { authenticationWith } from "./directory.js";
import { mutate } from "./mutate.js";
import { good, hs256 } from "./tokens.js";
import { count } from "../support/knobs.js";
import { drawFrom } from "../support/random.js";
import { behaviour, type Kind } from "../http/harness.js";
import { RawClient } from "../http/raw-client.js";
import { ownTurns } from "../support/turns.js";

const seed = count("LEDGERLINE_SEED") ?? 20_240_607;
const requests = count("LEDGERLINE_TOKEN_REQUESTS") ?? 2_000;
const sockets = Math.ceil(requests / 10);

async function startNode(kind: Kind = "node") {
  const { administration } = await world();
  okOf(await createUser(administration, "alice"));
  const api = servedNode({
    services: {
      ledger: ledgerWith({ openCompletions: () => ok(new NumberCursor(1)) }),
      administration,
      ready: () => true,
      staticTime: false,
    },
    authentication: await authenticationWith({ directory: administration }),
    log: silentLog,
    listElementsMax: 200,
    listWaitMs: 5,
    observe: () => undefined,
  });
  const errors: unknown[] = [];
  const transport = await startTransport({
    ...api,
    turns: ownTurns(),
    transport: kind,
    host: "127.0.0.1",
    port: 0,
    onError: (error) => errors.push(error),
  });
  return { transport, errors, administration };
}

/** What HTTP can carry in a header at all. */
const sendable = (token: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(token);

function statusOf(port: number, agent: Agent, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", path: "/v2/authenticated-user", agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", reject).end();
  });
}

/** The first frame, or how the upgrade was refused. */
function frameOf(port: number, token: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v2/commands/command-completions`, {
      headers: { "sec-websocket-protocol": `daml.ws.auth, jwt.token.${token}` },
    });
    socket.on("open", () => socket.send(JSON.stringify({ parties: ["p"], beginExclusive: 0 })));
    socket.on("message", (data) => {
      resolve((data as Buffer).toString());
      socket.terminate();
    });
    socket.on("error", (error) => resolve(`refused: ${error.message}`));
  });
}

test(
  `wire: of ${requests} requests and ${sockets} sockets with mutated tokens none gets through, and the node stays well`,
  { timeout: 120_000 },
  async () => {
    const { transport, errors } = await startNode();
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const [original, other] = [hs256(good("alice")), hs256(good("bob"))];
    const random = drawFrom(seed);
    const mutated = Array.from({ length: requests }, () => mutate(original, other, random)).filter(
      (token) => sendable(token) && token !== original && token !== other,
    );
    assert.ok(mutated.length > requests / 2);
    const statuses = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 16 }, async (_, first) => {
        for (let i = first; i < mutated.length; i += 16) {
          const status = await statusOf(transport.port, agent, mutated[i]!);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    assert.deepEqual([...statuses.keys()], [401], `seed ${seed}: ${JSON.stringify([...statuses])}`);
    for (const token of mutated.filter((text) => !/[ ,;"]/.test(text)).slice(0, sockets)) {
      const frame = await frameOf(transport.port, token);
      assert.ok(frame.includes('"code":"NA"') || frame.startsWith("refused"), `seed ${seed}: ${frame.slice(0, 200)}`);
    }
    assert.equal(await statusOf(transport.port, agent, original), 200);
    assert.deepEqual(errors, []);
    agent.destroy();
    await transport.close(0);
  },
);

behaviour("wire: who sends a body late is who he is then: a user that was deleted meanwhile does nothing", async (kind) => {
  const { transport, administration, errors } = await startNode(kind);
  try {
    for (const isDeleted of [false, true]) {
      const id = isDeleted ? "deleted" : "kept",
        made = `of-${id}`,
        body = JSON.stringify({ user: { id: made, identityProviderId: "" }, rights: [] }),
        token = hs256(good(id)),
        client = await RawClient.open(transport.port);
      okOf(await createUser(administration, id, {}, [{ kind: "ParticipantAdmin" }]));
      client.write(
        `POST /v2/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
          + `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      await sleep(limits.admittedMaxMs / 2);
      if (isDeleted) okOf(await administration.deleteUser({ userId: id, identityProviderId: "" }, anybody));
      await sleep(limits.admittedMaxMs);
      client.write(body.slice(5));
      assert.equal((await client.response())?.status, isDeleted ? 403 : 200);
      assert.equal(administration.findUser(made) === undefined, isDeleted);
      client.destroy();
    }
    assert.deepEqual(errors, []);
  } finally {
    await transport.close(0);
  }
});
