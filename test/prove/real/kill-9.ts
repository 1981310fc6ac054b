/**
 * A node that is killed again and again under load. Writers remember what was acknowledged to them, streams what they got; after each
 * start all of it is there, once, in the same order.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../support/random.js";
import { acsDelta, Channel, eventFormat, type Json } from "../../scenarios/world.js";
import { createAsset, prepare, readOn, type Acknowledged } from "../../crash/load.js";
import { Client, type NodeProcess, startNodeProcess, tested } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

const writers = 8,
  streams = 4,
  killAfterMsMax = 400;

class KilledLedger {
  readonly #acknowledged = new Map<string, Acknowledged>();
  /** Since the last start. */
  #fresh = new Map<string, Acknowledged>();
  readonly #stored = new Map<string, Acknowledged>();
  /** Per stream: what it got, each once, by offset. */
  readonly #streamed = Array.from({ length: streams }, () => ({ byOffset: new Map<number, string>(), last: 0 }));
  #party = "";
  #readTo = 0;
  #refused = 0;

  constructor(
    private readonly play: Play,
    private readonly folder: string,
    private readonly random: Random,
  ) {}

  async run(): Promise<void> {
    for (let kill = 0; kill <= this.play.size; kill++) {
      const began = performance.now(),
        node = await startNodeProcess(["--data", this.folder]);
      if (kill > 0) this.play.most("ms to be ready", Math.round(performance.now() - began));
      const client = new Client(node.port, writers + 1);
      try {
        if (kill === 0) this.#party = await prepare(client);
        await this.#check(client, kill);
        await (kill < this.play.size ? this.#writeUntilKilled(node, client, kill) : this.#readAgain(client));
      } finally {
        client.close();
        await node.stop(kill < this.play.size ? "SIGKILL" : "SIGTERM");
      }
      this.play.step();
    }
    this.#checkAll();
  }

  async #check(client: Client, kill: number): Promise<void> {
    const before = this.#readTo;
    this.#readTo = await readOn(client, this.#party, before, this.#stored);
    assert.ok(this.#readTo >= before, `the ledger end fell from ${before} to ${this.#readTo}`);
    for (const [commandId, answer] of this.#fresh) {
      assert.deepEqual(this.#stored.get(commandId), answer, `command ${commandId} after kill ${kill}`);
      this.#acknowledged.set(commandId, answer);
    }
    this.#fresh = new Map();
  }

  async #writeUntilKilled(node: NodeProcess, client: Client, kill: number): Promise<void> {
    let killed = false;
    const writer = async (lane: number): Promise<void> => {
      for (let index = 0; !killed; index++) {
        const commandId = `kill-${kill}-${lane}-${index}`;
        const reply = await createAsset(client, this.#party, commandId).catch((error: unknown) => {
          if (!killed) throw error;
        });
        if (reply === undefined) return;
        if (reply.status === 200) this.#fresh.set(commandId, reply.json() as Acknowledged);
        else if (reply.status === 503) this.#refused++;
        else assert.fail(`${reply.status} ${reply.text}`);
      }
    };
    const channels = await Promise.all(this.#streamed.map((_, index) => this.#follow(node, index)));
    const lanes = Array.from({ length: writers }, (_, lane) => writer(lane));
    void Promise.allSettled(lanes);
    while (this.#fresh.size === 0) await sleep(5); // a kill before the first answer would prove nothing
    await sleep(this.random.below(killAfterMsMax));
    killed = true;
    await node.stop("SIGKILL");
    await Promise.all(lanes);
    for (const [index, channel] of channels.entries()) {
      await channel.closed.catch(() => undefined);
      for (const element of channel.elements) this.#take(index, element);
    }
  }

  /** Each goes on where it was when the node was killed. */
  async #follow(node: NodeProcess, index: number): Promise<Channel> {
    const beginExclusive = this.#streamed[index]!.last;
    const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [this.#party] }) } };
    return Channel.open(node.port, "/v2/updates", { beginExclusive, updateFormat });
  }

  #take(index: number, { update: { Transaction } }: Json): void {
    if (Transaction === undefined) return;
    const { offset, updateId } = Transaction.value as { offset: number; updateId: string };
    const stream = this.#streamed[index]!;
    assert.ok(offset > stream.last, `stream ${index} got offset ${offset} after ${stream.last}`);
    stream.byOffset.set(offset, updateId);
    stream.last = offset;
  }

  /** What each start found one after the other is there as a whole, too. */
  async #readAgain(client: Client): Promise<void> {
    const stored = new Map<string, Acknowledged>();
    await readOn(client, this.#party, 0, stored);
    assert.deepEqual(stored, this.#stored);
  }

  #checkAll(): void {
    const inOrder = [...this.#stored.values()]
      .map(({ completionOffset, updateId }) => [completionOffset, updateId] as const)
      .sort(([left], [right]) => left - right);
    inOrder.forEach(([offset], index) => assert.equal(offset, inOrder[0]![0] + index, "offsets are gapless and none is there twice"));
    for (const [index, seen] of this.#streamed.entries())
      assert.deepEqual([...seen.byOffset], inOrder.slice(0, seen.byOffset.size), `stream ${index} got the log without gap or repeat`);
    assert.ok(this.#acknowledged.size >= this.play.size, `only ${this.#acknowledged.size} commands were acknowledged`);
    const { status, stdout, stderr } = spawnSync(tested.file, [...tested.args, "verify", "--data", this.folder], { encoding: "utf8" });
    assert.deepEqual([status, /sound/.test(stdout)], [0, true], stderr);
    this.play.count("acknowledged", this.#acknowledged.size);
    this.play.count("stored", this.#stored.size);
    this.play.count(
      "streamed",
      this.#streamed.reduce((sum, { byOffset }) => sum + byOffset.size, 0),
    );
  }
}

export const kill9: Scenario = {
  name: "kill-9",
  unit: "kills",
  sizes: { test: 5, ci: 30, night: 5_000 },
  holds: "a node that is killed under load loses nothing that it acknowledged, repeats nothing, and its streams go on without a gap",
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-kill9-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    await new KilledLedger(play, folder, new Random(play.seed)).run();
  },
};
