/** A node at work as in production: commands at a steady rate, streams that hear of each, nothing refused, nothing that piles up. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { create, startBenchLedger, type BenchLedger } from "../../../bench/support/ledger.js";
import { httpRequest, runLoad } from "../../../bench/support/load.js";
import { runOpenLoad } from "../../../bench/support/open-load.js";
import { acsDelta, Channel, eventFormat, type Json, World } from "../../scenarios/world.js";
import { memoryMb } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";
import { TokenTransfers, transactionsEach, transfersIn, transfersPerSecond } from "./token-transfers.js";

/** Two and a half times what Canton takes of one participant by default. */
const commandsPerSecond = 500,
  streams = 8,
  streamsOfTokens = 2,
  clients = 64,
  /** Far more than it takes: what is longer has waited for something. */
  patienceMs = 1_000,
  heardMs = 120_000;
/** Seconds: shorter runs are of tests, which have others beside them. */
const enoughForTimes = 10;
/** Asked before, as fast as they go, of a node whose code was never run. */
const warmTransfers = 400,
  warmCommands = 4_000;

/** How long after it was recorded each update is told, in milliseconds; and which ones. */
class Follower {
  readonly lagsMs: number[] = [];
  readonly offsets: number[] = [];

  private constructor(private readonly channel: Channel) {
    channel.socket.on("message", () => this.#take(channel.elements.pop()));
  }

  /** From now on. */
  static async open(world: World, parties: readonly string[]): Promise<Follower> {
    const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties }) } };
    return new Follower(await world.open("/v2/updates", { beginExclusive: await world.ledgerEnd(), updateFormat }));
  }

  /** Ends when it has heard of so many, which all that follow the same do. */
  async hearsOf(transactions: number): Promise<void> {
    for (const until = Date.now() + heardMs; this.offsets.length < transactions && Date.now() < until;) await sleep(10);
    await this.channel.close();
    assert.equal(this.offsets.length, transactions, "a stream hears of all");
  }

  #take({ update: { Transaction: transaction } }: Json): void {
    if (transaction === undefined) return;
    this.offsets.push(transaction.value.offset);
    this.lagsMs.push(Date.now() - Date.parse(transaction.value.recordTime));
  }
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const lagOf = (followers: readonly Follower[]): number =>
  percentile(
    followers.flatMap(({ lagsMs }) => lagsMs),
    0.99,
  );

async function run(play: Play, ledger: BenchLedger): Promise<void> {
  const world = World.of(ledger.node);
  play.after(() => world.client.close());
  const tokens = await TokenTransfers.begin(world, play.seed);
  const following = (count: number, parties: readonly string[]): Promise<Follower[]> =>
    Promise.all(Array.from({ length: count }, () => Follower.open(world, parties)));
  let commands = 0;
  const next = (): Buffer =>
    httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `steady-${++commands}`)));
  const { port } = ledger.node,
    isLong = play.size >= enoughForTimes;
  if (isLong) await Promise.all([tokens.warmUp(warmTransfers), runLoad({ port, connections: streams, requests: warmCommands, next })]);
  const followers = await following(streams, [ledger.party]),
    ofTokens = await following(streamsOfTokens, tokens.parties);
  const warm = memoryMb(ledger.node);
  const [{ accepted, refused, unsent, latencyMs }] = await Promise.all([
    runOpenLoad({
      port,
      connections: clients,
      perSecond: commandsPerSecond,
      seconds: play.size,
      next,
    }),
    tokens.run(play.size),
  ]);
  // Those that were due in the last moments of a machine with much to do may be left.
  assert.deepEqual([accepted + unsent, refused], [commandsPerSecond * play.size, 0]);
  const transfers = tokens.latenciesMs.length;
  assert.equal(transfers, transfersIn(play.size));
  await tokens.checkConserved();
  for (const [those, heard] of [
    [followers, accepted],
    [ofTokens, transactionsEach * transfers],
  ] as const) {
    for (const follower of those) await follower.hearsOf(heard);
    for (const follower of those) assert.deepEqual(follower.offsets, those[0]!.offsets, "streams hear of the same");
  }
  const lagMs = Math.max(lagOf(followers), lagOf(ofTokens)),
    transferMs = percentile(tokens.latenciesMs, 0.99);
  play.count("accepted", accepted);
  play.count("token transfers", transfers);
  play.notes.push(
    `answers: ${latencyMs.p50.toFixed(1)} ms at the median, ${latencyMs.p99.toFixed(1)} at the 99th percentile, ${latencyMs.max.toFixed(0)} at most; a token transfer with its four requests: ${percentile(tokens.latenciesMs, 0.5).toFixed(1)} and ${transferMs.toFixed(1)} ms; streams: ${lagMs} ms behind at the 99th percentile; memory from ${warm.toFixed(0)} to ${memoryMb(ledger.node).toFixed(0)} MB`,
  );
  if (isLong) assert.ok(Math.max(latencyMs.p99, lagMs, transferMs) < patienceMs, "somebody waited");
}

export const steadyLoad: Scenario = {
  name: "steady-load",
  unit: "seconds",
  sizes: { test: 2, ci: 60, night: 3_600 },
  holds: `of ${commandsPerSecond} commands and ${transfersPerSecond} token transfers a second none is refused or waits, no token is lost, and ${streams + streamsOfTokens} streams hear of each at once`,
  async run(play) {
    const ledger = await startBenchLedger();
    play.after(() => ledger.stop());
    await run(play, ledger);
    play.step();
  },
};
