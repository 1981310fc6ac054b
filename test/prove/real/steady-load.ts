/** A node at work as in production: commands at a steady rate, streams that hear of each, nothing refused, nothing that piles up. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { create, startBenchLedger, type BenchLedger } from "../../../bench/support/ledger.js";
import { httpRequest } from "../../../bench/support/load.js";
import { runOpenLoad } from "../../../bench/support/open-load.js";
import { acsDelta, Channel, eventFormat, type Json } from "../../scenarios/world.js";
import { memoryMb } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

/** Two and a half times what Canton takes of one participant by default. */
const commandsPerSecond = 500,
  streams = 8,
  clients = 64,
  /** Far more than it takes: what is longer has waited for something. */
  patienceMs = 1_000,
  heardMs = 20_000;
/** Seconds: shorter runs are of tests, which have others beside them. */
const enoughForTimes = 10;

/** How long after it was recorded each update is told, in milliseconds; and which ones. */
class Follower {
  readonly lagsMs: number[] = [];
  readonly offsets: number[] = [];

  static async open({ node, party }: BenchLedger): Promise<{ readonly follower: Follower; readonly channel: Channel }> {
    const follower = new Follower(),
      updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [party] }) } };
    const channel = await Channel.open(node.port, "/v2/updates", { beginExclusive: 0, updateFormat });
    channel.socket.on("message", () => follower.#take(channel.elements.pop()));
    return { follower, channel };
  }

  #take({ update: { Transaction: transaction } }: Json): void {
    if (transaction === undefined) return;
    this.offsets.push(transaction.value.offset);
    this.lagsMs.push(Date.now() - Date.parse(transaction.value.recordTime));
  }
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function run(play: Play, ledger: BenchLedger): Promise<void> {
  const followers = await Promise.all(Array.from({ length: streams }, () => Follower.open(ledger)));
  const warm = memoryMb(ledger.node);
  let commands = 0;
  const { accepted, refused, unsent, latencyMs } = await runOpenLoad({
    port: ledger.node.port,
    connections: clients,
    perSecond: commandsPerSecond,
    seconds: play.size,
    next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `steady-${++commands}`))),
  });
  // Those that were due in the last moments of a machine with much to do may be left.
  assert.deepEqual([accepted + unsent, refused], [commandsPerSecond * play.size, 0]);
  for (const { follower, channel } of followers) {
    for (const until = Date.now() + heardMs; follower.offsets.length < accepted && Date.now() < until;) await sleep(10);
    await channel.close();
    assert.equal(follower.offsets.length, accepted, "a stream hears of all");
  }
  const [first] = followers;
  for (const { follower } of followers) assert.deepEqual(follower.offsets, first!.follower.offsets, "streams hear of the same");
  const lagMs = percentile(
    followers.flatMap(({ follower }) => follower.lagsMs),
    0.99,
  );
  play.count("accepted", accepted);
  play.notes.push(
    `answers: ${latencyMs.p50.toFixed(1)} ms at the median, ${latencyMs.p99.toFixed(1)} at the 99th percentile, ${latencyMs.max.toFixed(0)} at most; streams: ${lagMs} ms behind at the 99th percentile; memory from ${warm.toFixed(0)} to ${memoryMb(ledger.node).toFixed(0)} MB`,
  );
  if (play.size >= enoughForTimes) assert.ok(latencyMs.p99 < patienceMs && lagMs < patienceMs, "somebody waited");
}

export const steadyLoad: Scenario = {
  name: "steady-load",
  unit: "seconds",
  sizes: { test: 2, ci: 60, night: 3_600 },
  holds: `of ${commandsPerSecond} commands a second none is refused or waits, and ${streams} streams hear of each at once`,
  async run(play) {
    const ledger = await startBenchLedger();
    play.after(() => ledger.stop());
    await run(play, ledger);
    play.step();
  },
};
