/**
 * No request holds up the others: the worst bodies that the document's types allow are sent to every operation and socket, and
 * the event loop of the node is watched meanwhile.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { Random } from "../support/random.js";
import { Generator } from "../properties/generate.js";
import { ask, vocabulary, type Document, type Operation } from "../properties/requests.js";
import { World } from "../scenarios/world.js";
import { testData } from "../support/paths.js";
import { WorstBodies, type WorstBody } from "./worst-bodies.js";
import { count, isOn, text } from "../support/knobs.js";

/** The full form: LEDGERLINE_TURNS=full npm test -- attack/turns; LEDGERLINE_TURNS_OF=text of operations' names picks some. */
const isFull = text("LEDGERLINE_TURNS") === "full";
const only = text("LEDGERLINE_TURNS_OF") ?? "";
const bodyBytes = count("LEDGERLINE_TURNS_BYTES") ?? (isFull ? 8 * 1024 * 1024 : 64 * 1024);
/** A machine that does other things too stops a process for longer than the node itself would. */
const boundMs = count("LEDGERLINE_TURNS_MS") ?? (isFull ? 50 : 100);
const tries = 3;

let world: World, document: Document, generator: Generator;

before(async () => {
  const dar = readFileSync(testData("quickstart.dar"));
  world = await World.start([dar], ["--memory", "--list-wait-ms", "5"], new URL("../support/turn-probe.js", import.meta.url));
  document = (await world.client.get("/docs/openapi")).json() as Document;
  generator = new Generator(new Random(1), document.components.schemas, await vocabulary(world, dar), 0);
});
after(() => world.stop());

interface Longest {
  readonly longestTurnMs: number;
  readonly longestWallMs: number;
}

async function longestTurn(): Promise<Longest> {
  await sleep(3); // timers that were held up fire now, and are counted
  world.node.child.send({});
  const [longest] = (await once(world.node.child, "message")) as [Longest];
  return longest;
}

interface Asked {
  readonly name: string;
  readonly bodies: readonly WorstBody[];
  readonly send: (text: string) => Promise<unknown>;
}

function* operations(): globalThis.Generator<Asked, void> {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const content = operation.requestBody?.content["application/json"];
      if (content === undefined) continue;
      const bodies = [...new WorstBodies(generator).of(content.schema)];
      yield { name: `${method.toUpperCase()} ${path}`, bodies, send: (text) => send(path, method, operation, text) };
      if (operation.parameters?.some(({ name }) => name === "stream_idle_timeout_ms"))
        yield { name: `socket ${path}`, bodies, send: (text) => sendFrame(path, text) };
    }
}

async function send(path: string, method: string, operation: Operation, text: string): Promise<unknown> {
  const asked = ask(method.toUpperCase(), path, { ...operation, requestBody: { content: {} } }, generator);
  return world.client.request(asked.method, asked.path, text, { "content-type": "application/json" });
}

/** Until the node closes, or has had its time for it. */
async function sendFrame(path: string, text: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${world.node.port}${path}`, ["daml.ws.auth"]);
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send(text);
  await Promise.race([once(socket, "close"), once(socket, "message"), sleep(500)]);
  socket.terminate();
}

interface Turn {
  readonly name: string;
  readonly body: WorstBody;
  readonly ms: number;
  readonly wallMs: number;
}

async function turnOf({ name, send: sendTo }: Asked, body: WorstBody): Promise<Turn> {
  const text = body.text(bodyBytes);
  let ms = Infinity,
    wallMs = Infinity;
  for (let attempt = 0; attempt < tries && ms > boundMs; attempt++) {
    await longestTurn();
    await sendTo(text);
    const longest = await longestTurn();
    ms = Math.min(ms, longest.longestTurnMs);
    wallMs = Math.min(wallMs, longest.longestWallMs);
  }
  return { name, body, ms, wallMs };
}

test(
  `turns: beside the worst bodies of ${Math.round(bodyBytes / 1024)} kB for every operation nobody waits for more than ${boundMs} ms`,
  { timeout: 7_200_000 },
  async (context: TestContext) => {
    const worst: Turn[] = [];
    let bodies = 0;
    for (const asked of operations()) {
      if (!asked.name.includes(only)) continue;
      let ofThis: Turn | undefined;
      for (const body of asked.bodies) {
        bodies++;
        const turn = await turnOf(asked, body);
        if (isOn("LEDGERLINE_TURNS_ALL"))
          context.diagnostic(
            `${turn.ms.toFixed(0)} ms (${turn.wallMs.toFixed(0)} by the clock) ${turn.name} ${body.spot} of ${body.filler}`,
          );
        if (ofThis === undefined || turn.ms > ofThis.ms) ofThis = turn;
      }
      if (ofThis !== undefined) worst.push(ofThis);
      if (ofThis !== undefined)
        context.diagnostic(
          `${ofThis.ms.toFixed(0).padStart(6)} ms (${ofThis.wallMs.toFixed(0)} by the clock)  ${ofThis.name}: ${ofThis.body.spot} of ${ofThis.body.filler}`,
        );
    }
    context.diagnostic(`${bodies} bodies`);
    assert.deepEqual(
      worst.filter(({ ms }) => ms > boundMs).map(({ name, body, ms }) => `${name}: ${body.spot} of ${body.filler}, ${Math.round(ms)} ms`),
      [],
    );
    assert.equal((await world.client.get("/livez")).status, 200);
  },
);
