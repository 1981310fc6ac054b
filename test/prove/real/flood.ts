/**
 * Five times as many commands as a node can do, for some time: it does about as many as before, tells those that it refuses when to come
 * again, takes no more memory than it may, and is itself again soon after.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { httpRequest, runLoad, type Response } from "../../../bench/support/load.js";
import { runOpenLoad } from "../../../bench/support/open-load.js";
import { create, startBenchLedger, type BenchLedger } from "../../../bench/support/ledger.js";
import { memoryMb } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

const times = 5,
  clients = 3_000,
  usualClients = 64,
  usualRequests = 4_000,
  /** Before it counts as itself again. */
  againMs = 5_000,
  /** Of what it does usually, on a machine that others may share. */
  shareMin = 0.7,
  memoryGrowthMb = 400;
/** Seconds: shorter runs are of tests, which have others beside them. */
const enoughForShares = 10;

class Flood {
  #commands = 0;

  constructor(
    private readonly play: Play,
    private readonly ledger: BenchLedger,
  ) {}

  #next(): Buffer {
    return httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(this.ledger.party, `flood-${++this.#commands}`)));
  }

  /** Commands a second of clients that wait for their answers. */
  async #usual(): Promise<number> {
    const { requests, failures, seconds } = await runLoad({
      port: this.ledger.node.port,
      connections: usualClients,
      requests: usualRequests,
      next: () => this.#next(),
    });
    assert.equal(failures, 0);
    return requests / seconds;
  }

  async run(): Promise<void> {
    const { play, ledger } = this;
    await this.#usual();
    const usual = await this.#usual(),
      before = memoryMb(ledger.node),
      flood = await runOpenLoad({
        port: ledger.node.port,
        connections: clients,
        perSecond: times * usual,
        seconds: play.size,
        next: () => this.#next(),
        onRefused: (response) => this.#refused(response),
      });
    const grown = memoryMb(ledger.node) - before;
    await sleep(againMs);
    const after = Math.max(await this.#usual(), await this.#usual()),
      goodput = flood.accepted / flood.seconds;
    play.notes.push(
      `${usual.toFixed(0)} commands a second before, ${goodput.toFixed(0)} of ${(times * usual).toFixed(0)} that were asked for, ${after.toFixed(0)} after it; ${flood.latencyMs.p50.toFixed(0)} ms from when one was due at the median; ${grown.toFixed(0)} MB more memory`,
    );
    play.count("accepted", flood.accepted);
    play.count("refused", flood.refused);
    play.count("waited for a connection", flood.unsent);
    if (play.size < enoughForShares) return;
    assert.ok(goodput >= shareMin * usual, `${goodput.toFixed(0)} a second where ${usual.toFixed(0)} were done before`);
    assert.ok(after >= shareMin * usual, `${after.toFixed(0)} a second after it, ${usual.toFixed(0)} before`);
    assert.ok(grown <= memoryGrowthMb, `${grown.toFixed(0)} MB more memory`);
  }

  #refused({ status, refusal = "" }: Response): void {
    assert.ok([409, 429, 503].includes(status), refusal);
    assert.ok(
      (JSON.parse(refusal) as { readonly retryInfo: string | null }).retryInfo !== null,
      `a refusal says when to come again: ${refusal}`,
    );
  }
}

export const flood: Scenario = {
  name: "flood",
  unit: "seconds",
  sizes: { test: 2, ci: 30, night: 300 },
  holds: `asked for ${times} times what it can do, a node does it, tells others when to come again, and is itself again soon after`,
  async run(play) {
    const ledger = await startBenchLedger();
    play.after(() => ledger.stop());
    await new Flood(play, ledger).run();
    play.step();
  },
};
