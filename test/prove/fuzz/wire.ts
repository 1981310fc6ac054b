/**
 * Bytes that no client should send: heads of requests and frames of WebSockets, changed at random places. The node answers or hangs up,
 * and lives on.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { RawClient, request } from "../../http/raw-client.js";
import { frame, handshake, opcodes } from "../../http/web-socket-client.js";
import { Random } from "../../support/random.js";
import { eventFormat, World } from "../../scenarios/world.js";
import { testData } from "../../support/paths.js";
import { readFileSync } from "node:fs";
import type { Play, Scenario } from "../scenario.js";

/** Most cases wait for an answer that does not come. */
const lanes = 128,
  answerMsMax = 1_500,
  hastyMsMax = 40,
  patientShare = 0.05,
  aliveEach = 200,
  textBytesMax = 64 * 1024;
/** What is told in advance; 505 is of another version of HTTP. */
const allowed5xx: ReadonlySet<number> = new Set([501, 503, 505]);

const body = JSON.stringify({ activeAtOffset: 0, eventFormat: eventFormat({}) });
const heads: readonly string[] = [
  request("GET", "/v2/version"),
  request("GET", "/v2/state/ledger-end?x=%41&y", ["Accept: */*", "Connection: keep-alive"]),
  request("POST", "/v2/state/active-contracts?limit=5", [`Content-Length: ${body.length}`, "Content-Type: application/json"], body),
  request(
    "POST",
    "/v2/state/active-contracts",
    ["Transfer-Encoding: chunked", "Content-Type: application/json"],
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ),
  request("GET", "/v2/users/a%2Fb/rights", ["Authorization: Bearer a.b.c", "Cookie: a=b", "Expect: 100-continue"]),
  handshake("/v2/updates", ["Sec-WebSocket-Protocol: daml.ws.auth"]),
];
const piecesOfHeads = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  "\t",
  ":",
  "\r\n\r\n",
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Host: a\r\n",
  "HTTP/1.0",
  "HTTP/2.0",
  "GET / HTTP/1.1\r\n\r\n",
  "%00",
  "%",
  "..%2f",
  "\xff",
  "\u0080",
  "x".repeat(9_000),
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "Connection: upgrade\r\n",
  "Expect: 100-continue\r\n",
].map((piece) => Buffer.from(piece, "latin1"));

function mutated(original: Buffer, random: Random, inserted: readonly Buffer[]): Buffer {
  let bytes = original;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(bytes.length + 1),
      to = Math.min(bytes.length, at + 1 + random.below(8));
    switch (random.below(6)) {
      case 0:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), random.one(inserted), bytes.subarray(at)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), random.one(inserted), bytes.subarray(to)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(0, to), bytes.subarray(at)]);
        break;
      case 4:
        bytes = Buffer.from(bytes);
        if (at < bytes.length) bytes[at] = random.below(256);
        break;
      default:
        bytes = bytes.subarray(0, at);
    }
  }
  return bytes.subarray(0, textBytesMax);
}

/** Sends in some segments, and reads until it is answered, hung up on, or the time is over. */
async function exchange(port: number, bytes: Buffer, random: Random): Promise<Buffer> {
  const client = await RawClient.open(port);
  try {
    const cut = random.below(bytes.length + 1);
    client.write(bytes.subarray(0, cut));
    if (random.chance(0.2)) await sleep(1);
    client.write(bytes.subarray(cut));
    if (random.chance(0.5)) client.socket.end(); // nothing more comes
    await client.firstSign(random.chance(patientShare) ? answerMsMax : hastyMsMax);
    return client.unread;
  } finally {
    client.destroy();
  }
}

async function tryHead(play: Play, port: number, seed: number): Promise<void> {
  const random = new Random(seed),
    bytes = mutated(Buffer.from(random.one(heads), "latin1"), random, piecesOfHeads);
  const answer = (await exchange(port, bytes, random)).toString("latin1");
  if (answer === "") return play.count("not answered");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  assert.ok(status < 500 || allowed5xx.has(status), `${JSON.stringify(bytes.toString("latin1").slice(0, 2_000))}\n${answer.slice(0, 500)}`);
  play.count(`times ${status}`);
}

const subscription = JSON.stringify({
  beginExclusive: 0,
  updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat({}) } },
});

function framesOf(random: Random): Buffer {
  const one = (): Buffer => {
    const payload = random.one([
      subscription,
      "{}",
      "[",
      "",
      "x".repeat(random.below(70_000)),
      "\0",
      "[".repeat(2_000),
      subscription.slice(0, random.below(subscription.length)),
    ]);
    return frame(
      random.one([opcodes.text, opcodes.text, opcodes.binary, opcodes.continuation, opcodes.ping, opcodes.pong, opcodes.close, 3, 11, 15]),
      payload,
      { final: random.chance(0.8), masked: random.chance(0.95) },
    );
  };
  const frames = Array.from({ length: 1 + random.below(4) }, one),
    bytes = Buffer.concat(frames);
  return random.chance(0.5)
    ? bytes
    : mutated(bytes, random, [
        Buffer.from([0x81, 0xff]),
        Buffer.from([0xff]),
        Buffer.alloc(20, 0xff),
        Buffer.from([0x88, 0x80, 0, 0, 0, 0]),
      ]);
}

async function tryFrames(play: Play, port: number, seed: number): Promise<void> {
  const random = new Random(seed),
    client = await RawClient.open(port);
  try {
    client.write(
      handshake(random.one(["/v2/updates", "/v2/commands/completions", "/v2/state/active-contracts"]), [
        "Sec-WebSocket-Protocol: daml.ws.auth",
      ]),
    );
    assert.equal((await client.response())?.status, 101);
    client.write(framesOf(random));
    if (random.chance(0.5)) client.socket.end();
    await client.firstSign(random.chance(patientShare) ? answerMsMax : hastyMsMax);
    const first = client.unread[0];
    play.count(
      first === undefined ? (client.ended ? "hung up on" : "not answered") : (first & 0x0f) === opcodes.close ? "closed" : "answered",
    );
  } finally {
    client.destroy();
  }
}

const scenario = (
  of: Pick<Scenario, "name" | "holds" | "unit" | "sizes">,
  attack: (play: Play, port: number, seed: number) => Promise<void>,
): Scenario => ({
  ...of,
  async run(play) {
    const world = await World.start([readFileSync(testData("quickstart.dar"))], ["--memory"]);
    play.after(() => world.node.stop("SIGKILL"));
    const alice = await world.party("alice");
    await world.create([alice], "#ref-model:M:Asset", { issuer: alice, owner: alice, name: "gold", amount: "1" });
    const { port } = world.node;
    await play.cases(async (seed, index) => {
      await attack(play, port, seed);
      if (index % aliveEach === 0) assert.equal((await world.client.get("/livez")).status, 200);
    }, lanes);
    assert.equal((await world.ledgerEnd()) > 0, true);
    assert.doesNotMatch(world.node.stderr(), /"level":[56]0/);
    await world.stop();
  },
});

export const requestHeads = scenario(
  {
    name: "heads",
    unit: "requests",
    sizes: { test: 300, ci: 6_000, night: 10_000_000 },
    holds: "a request that was changed at any byte of its head or body is answered or hung up on, never with an error of the server",
  },
  tryHead,
);

export const socketFrames = scenario(
  {
    name: "frames",
    unit: "sequences",
    sizes: { test: 300, ci: 4_000, night: 2_000_000 },
    holds: "whatever frames come over a WebSocket, it is answered or closed, and the node lives on",
  },
  tryFrames,
);
