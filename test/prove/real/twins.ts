/**
 * Twins: the same command ten times at once, by waiting and by asynchronous calls, while the node is killed, and again after it has
 * started. A change takes effect at most once in its window; one that was acknowledged has taken effect once.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAsset, prepare, readOn, type Acknowledged } from "../../crash/load.js";
import { Random } from "../../support/random.js";
import { create } from "../../scenarios/world.js";
import { Client, startNodeProcess, type Reply } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

const twins = 10,
  changesPerKill = 10,
  killAfterMsMax = 20,
  answersWaitMs = 3_000,
  retries = 3;
const refused: ReadonlySet<string> = new Set(["DUPLICATE_COMMAND", "SUBMISSION_ALREADY_IN_FLIGHT"]);

class Twins {
  readonly #acknowledged = new Map<string, Acknowledged>();
  readonly #stored = new Map<string, Acknowledged>();
  #party = "";
  #readTo = 0;
  #stopping = false;

  constructor(
    private readonly play: Play,
    private readonly folder: string,
    private readonly random: Random,
  ) {}

  async run(): Promise<void> {
    for (let change = 0, kill = 0; change < this.play.size; change += changesPerKill, kill++) {
      const names = Array.from({ length: Math.min(changesPerKill, this.play.size - change) }, (_, index) => `change-${change + index}`);
      await this.#lifeThatIsKilled(names, kill);
      await this.#lifeAfter(names);
    }
    this.play.count("took effect", this.#stored.size);
    this.play.count("acknowledged", this.#acknowledged.size);
  }

  async #lifeThatIsKilled(names: readonly string[], kill: number): Promise<void> {
    const node = await startNodeProcess(["--data", this.folder]),
      client = new Client(node.port, 64);
    this.#stopping = false;
    if (kill === 0) this.#party = await prepare(client);
    const all = Promise.all(
      names.flatMap((name) => Array.from({ length: twins }, (_, index) => this.#submit(client, name, index % 3 === 2))),
    );
    void all.catch(() => undefined);
    await this.#someAcknowledged(this.#acknowledged.size + this.random.below(names.length));
    await sleep(this.random.below(killAfterMsMax));
    this.#stopping = true;
    await node.stop("SIGKILL");
    await all;
    client.close();
  }

  /** So that a kill finds some on their way and some at their end. */
  async #someAcknowledged(count: number): Promise<void> {
    for (const until = Date.now() + answersWaitMs; this.#acknowledged.size < count && Date.now() < until;) await sleep(1);
  }

  /** Who did not hear of his command asks again. */
  async #lifeAfter(names: readonly string[]): Promise<void> {
    const node = await startNodeProcess(["--data", this.folder]),
      client = new Client(node.port, 64);
    this.#stopping = false;
    try {
      await Promise.all(names.flatMap((name) => Array.from({ length: retries }, () => this.#submit(client, name, false))));
      this.#readTo = await readOn(client, this.#party, this.#readTo, this.#stored); // fails where one is there twice
      for (const name of names) assert.ok(this.#stored.has(name), `${name} was asked for until it was there`);
      for (const [name, answer] of this.#acknowledged) assert.deepEqual(this.#stored.get(name), answer, name);
      for (const _ of names) this.play.step();
    } finally {
      client.close();
      await node.stop();
    }
  }

  async #submit(client: Client, commandId: string, isAsynchronous: boolean): Promise<void> {
    const reply = await (isAsynchronous ? this.#submitAsync(client, commandId) : createAsset(client, this.#party, commandId)).catch(
      (error: unknown) => {
        if (!this.#stopping) throw error;
      },
    );
    if (reply === undefined) return this.play.count("never answered");
    if (reply.status !== 200) {
      if (this.#stopping && reply.status === 503) return;
      assert.ok(refused.has(reply.json().code), reply.text);
      return this.play.count(reply.json().code);
    }
    if (isAsynchronous) return;
    assert.ok(!this.#acknowledged.has(commandId), `${commandId} was acknowledged twice`);
    this.#acknowledged.set(commandId, reply.json() as Acknowledged);
  }

  #submitAsync(client: Client, commandId: string): Promise<Reply> {
    const asset = create("#ref-model:M:Asset", { issuer: this.#party, owner: this.#party, name: commandId, amount: "1" });
    return client.post("/v2/commands/async/submit", { commands: [asset], commandId, actAs: [this.#party], userId: "crash" });
  }
}

export const deduplicationTwins: Scenario = {
  name: "twins",
  unit: "changes",
  sizes: { test: 30, ci: 150, night: 20_000 },
  holds: `of ${twins} twins at once, through a kill and asked again after it, at most one takes effect`,
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-twins-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    await new Twins(play, folder, new Random(play.seed)).run();
  },
};
