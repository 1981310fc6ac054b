/**
 * A node as it is used: commands, races, asynchronous ones and repeated ones, streams, pages, uploads, pruning, backups, users. What the
 * clients saw is held against the log, and what the process holds must not grow in the second half.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dataFile, openStore, type Store } from "../../../src/store/index.js";
import { Random } from "../../support/random.js";
import { storyOfVersion, storyTemplate } from "../../scenarios/story-model.js";
import {
  acsDelta,
  Channel,
  clientConnections,
  create,
  eventFormat,
  exercise,
  ledgerEffects,
  World,
  type Command,
  type Json,
} from "../../scenarios/world.js";
import { memoryMb } from "../../support/node-process.js";
import { runProgramWell } from "./backups.js";
import { type Attempt, checkHistory, type LedgerEndSeen } from "../simulation/history.js";
import { chartOf, type Curve } from "../chart.js";
import type { Play, Scenario } from "../scenario.js";

const note = storyTemplate("Note"),
  writers = 8,
  samples = 96,
  keptOffsets = 400,
  pageElements = 200;
/** Of a long run there are as many as a busy node has. */
const streamsOf = (seconds: number): number => (seconds < enoughToBeFlat ? 40 : 200);
/** Seconds from which on the second half can be held against itself. */
const enoughToBeFlat = 120;
/** Between two commands of a writer of a long run, which a busy node has no more of, and the harness remembers all of. */
const pauseMs = 40;
/** Above it writers archive more than they create. */
const activeMax = 60;
/** What a ledger has to remember of a command longer than its history, for a week: that it was accepted. */
const rememberedBytesMax = 200,
  /** What marks, packages and the log of the last offsets may take in half a run. */
  fileGrowthMax = 1.05,
  memoryGrowthMax = 1.15,
  /** Beside the connections, which are as many as clients hold. */
  descriptorsMore = 2,
  connectionsMore = 8,
  behindMax = 200;
/** Characters of the node's log that are told when something is violated. */
const logKept = 8_000;

interface Sample {
  readonly fileMb: number;
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly connections: number;
  readonly behind: number;
  readonly commands: number;
}

/** What is checked of a transaction at the end. */
const briefly = ({ offset, updateId, commandId, recordTime, effectiveAt, events }: Json): Json => ({
  offset,
  updateId,
  commandId,
  recordTime,
  effectiveAt,
  events: events.map(({ CreatedEvent: created, ExercisedEvent: exercised }: Json) =>
    created
      ? { CreatedEvent: { contractId: created.contractId } }
      : { ExercisedEvent: { contractId: exercised.contractId, consuming: exercised.consuming } },
  ),
});

/** What a process has open, as far as it still is when it is looked at. */
const descriptorsOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });

class MixedLoad {
  readonly #attempts: Attempt[] = [];
  readonly #ends: LedgerEndSeen[] = [];
  readonly #transactions: Json[] = [];
  readonly #completions: Json[] = [];
  readonly #samples: Sample[] = [];
  #contracts: string[] = [];
  #instant = 0;
  #recordedTo = 0;
  #streamed = 0;
  #done = false;

  constructor(
    private readonly play: Play,
    private readonly world: World,
    private readonly folder: string,
    private readonly parties: readonly [string, string],
  ) {}

  async run(): Promise<void> {
    const until = Date.now() + this.play.size * 1_000,
      store = await openStore({ folder: this.folder, readOnly: true });
    this.play.after(() => store.close());
    const work = [
      ...Array.from({ length: writers }, (_, lane) => this.#write(new Random(this.play.seed + lane), lane)),
      ...Array.from({ length: streamsOf(this.play.size) }, (_, index) => this.#follow(index)),
      this.#keepHouse(),
      this.#administer(),
    ];
    const ended = Promise.all(work).then(() => undefined);
    void ended.catch(() => undefined);
    try {
      for (let taken = 1; taken <= samples; taken++) {
        await Promise.race([sleep(Math.max(0, until - Date.now()) / (samples + 1 - taken)), ended]); // an hour is not waited for in vain
        this.#samples.push(this.#sample(store));
        this.play.step();
      }
    } finally {
      this.#done = true;
      this.#draw();
    }
    await ended;
    await this.#record();
    this.#tell();
    checkHistory({ attempts: this.#attempts, ends: this.#ends }, { transactions: this.#transactions, completions: this.#completions });
    this.#checkFlatness();
  }

  #sample(store: Store): Sample {
    const { node } = this.world,
      descriptors = descriptorsOf(node.child.pid!),
      connections = descriptors.filter((target) => target.startsWith("socket:")).length;
    return {
      fileMb: statSync(join(this.folder, dataFile)).size / 1e6,
      memoryMb: memoryMb(node),
      descriptors: descriptors.length - connections,
      connections,
      behind: store.oldestReaderCommits(),
      commands: this.#attempts.length,
    };
  }

  async #write(random: Random, lane: number): Promise<void> {
    const { world } = this,
      [alice, bob] = this.parties;
    for (let index = 0; !this.#done; index++) {
      if (this.play.size >= enoughToBeFlat) await sleep(pauseMs);
      const target = random.chance(this.#contracts.length > activeMax ? 0.9 : 0.55)
        ? this.#contracts[random.below(this.#contracts.length)]
        : undefined;
      const [party, command]: readonly [string, Command] =
        target === undefined
          ? [alice, create(note, { owner: alice, reader: bob, text: "x".repeat(random.below(300)) })]
          : random.chance(0.7)
            ? [alice, exercise(note, target, "Discard")]
            : [bob, exercise(note, target, "TakeAway")];
      const commandId = `mixed-${lane}-${index}`,
        twins = random.chance(0.1) ? 2 : 1;
      await Promise.all(
        Array.from({ length: twins }, (_, twin) =>
          this.#submit(world.commands([party], [command], { commandId, submissionId: `${commandId}-${twin}` }), random.chance(0.2)),
        ),
      );
      if (target !== undefined) this.#contracts = this.#contracts.filter((one) => one !== target);
    }
  }

  async #submit(commands: Json, isAsynchronous: boolean): Promise<void> {
    const { commandId, submissionId } = commands as { commandId: string; submissionId: string };
    const attempt: Attempt = {
      commandId,
      submissionId,
      period: { kind: "none" },
      invokedAt: ++this.#instant,
      endedAt: Infinity,
      outcome: { kind: "unknown" },
    };
    this.#attempts.push(attempt);
    const reply = await this.world.client.post(isAsynchronous ? "/v2/commands/async/submit" : "/v2/commands/submit-and-wait", commands);
    attempt.endedAt = ++this.#instant;
    if (reply.status !== 200) {
      assert.ok(reply.status < 500 || reply.status === 503, reply.text);
      attempt.outcome = { kind: "refused", code: reply.json().code };
      this.play.count(reply.json().code);
    } else if (isAsynchronous) attempt.outcome = { kind: "on its way" };
    else attempt.outcome = { kind: "accepted", offset: reply.json().completionOffset, updateId: reply.json().updateId };
  }

  /** Each goes for some time, hangs up, and goes on where it was; some read so slowly that they are left behind. */
  async #follow(index: number): Promise<void> {
    const random = new Random(this.play.seed * 1_000 + index),
      format = eventFormat({ parties: [this.parties[index % 2]!] });
    for (let beginExclusive = 0; !this.#done;) {
      const channel = await Channel.open(this.world.node.port, "/v2/updates", {
        beginExclusive: Math.max(beginExclusive, await this.#prunedTo()),
        updateFormat: { includeTransactions: { transactionShape: acsDelta, eventFormat: format } },
      });
      void channel.closed.catch(() => this.play.count("connections that were reset")); // of one that does not read, for instance
      if (random.chance(0.1)) channel.socket.pause();
      await sleep(500 + random.below(3_000));
      channel.socket.resume();
      await channel.close().catch(() => undefined);
      let last = beginExclusive;
      for (const { update, code } of channel.elements) {
        if (update === undefined) {
          assert.equal(code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
          continue;
        }
        const { offset } = (update.Transaction ?? update.OffsetCheckpoint).value as { offset: number };
        assert.ok(offset > last || (update.OffsetCheckpoint && offset === last), `stream ${index} got ${offset} after ${last} (I11)`);
        last = offset;
        this.#streamed++;
      }
      beginExclusive = last;
    }
  }

  async #prunedTo(): Promise<number> {
    return (await this.world.client.get("/v2/state/latest-pruned-offsets")).json().participantPrunedUpToInclusive;
  }

  /** Reads the log on, prunes behind it, copies the ledger. */
  async #keepHouse(): Promise<void> {
    for (let round = 1; !this.#done; round++) {
      await sleep(400);
      await this.#record();
      if (this.#recordedTo > keptOffsets) await this.world.client.post("/admin/prune", { pruneUpTo: this.#recordedTo - keptOffsets });
      if (round % 20 !== 0) continue;
      const copy = `${this.folder}-copy-${round}`;
      await runProgramWell("backup", copy, "--data", this.folder);
      assert.match(await runProgramWell("verify", "--data", copy), /The ledger is sound/);
      rmSync(copy, { recursive: true });
      this.play.count("backups");
    }
  }

  /** Uploads, users and parties, beside all else. */
  async #administer(): Promise<void> {
    for (let round = 0; !this.#done; round++) {
      await sleep(700);
      const id = `user-${round % 5}`;
      await this.world.client.post("/v2/users", {
        user: { id, primaryParty: "", isDeactivated: false, identityProviderId: "" },
        rights: [],
      });
      await this.world.client.request("DELETE", `/v2/users/${id}`);
      if (round % 6 === 0) await this.world.upload(storyOfVersion(`1.0.${(round / 6) % 4}`));
    }
  }

  async #record(): Promise<void> {
    const { world } = this,
      invokedAt = ++this.#instant,
      end = await world.ledgerEnd();
    this.#ends.push({ invokedAt, endedAt: ++this.#instant, offset: end });
    const updateFormat = { includeTransactions: { transactionShape: ledgerEffects, eventFormat: eventFormat({}) } };
    for (let begin = this.#recordedTo, more = true; more && begin < end;) {
      const reply = await world.client.post(`/v2/updates?limit=${pageElements}`, {
        beginExclusive: begin,
        endInclusive: end,
        updateFormat,
      });
      assert.equal(reply.status, 200, reply.text);
      const page: Json[] = reply.json().flatMap(({ update }: Json) => (update.Transaction ? [update.Transaction.value] : []));
      this.#transactions.push(...page.map(briefly));
      for (const { events } of page) for (const { CreatedEvent: made } of events) if (made) this.#contracts.push(made.contractId);
      begin = page.at(-1)?.offset ?? begin;
      more = page.length > 0;
    }
    for (let begin = this.#recordedTo, more = true; more && begin < end;) {
      const reply = await world.client.post(`/v2/commands/completions?limit=${pageElements}&stream_idle_timeout_ms=20`, {
        userId: "tester",
        parties: [...this.parties],
        beginExclusive: begin,
      });
      assert.equal(reply.status, 200, reply.text);
      const page: Json[] = reply
        .json()
        .flatMap(({ completionResponse }: Json) => (completionResponse.Completion ? [completionResponse.Completion.value] : []))
        .filter(({ offset }: Json) => offset <= end);
      this.#completions.push(...page);
      begin = page.at(-1)?.offset ?? begin;
      more = page.length > 0;
    }
    this.#recordedTo = end;
  }

  /** Before anything is checked: what was seen is of use, whatever comes of it. */
  #draw(): void {
    const { play } = this;
    for (const [index, { fileMb, memoryMb, descriptors, connections, behind, commands }] of this.#samples.entries()) {
      if (index % 16 === 15)
        play.notes.push(
          `${fileMb.toFixed(1)} MB file, ${memoryMb.toFixed(0)} MB memory, ${descriptors} descriptors, ${connections} connections, oldest reader ${behind} commits behind, ${commands} commands`,
        );
    }
    const curve = (title: string, unit: string, what: keyof Sample): Curve => ({
      title,
      unit,
      values: this.#samples.map((one) => one[what]),
    });
    play.files["mixed-load.svg"] = chartOf("mixed-load", `${play.size} s`, [
      curve("memory of the process", "MB", "memoryMb"),
      curve("file", "MB", "fileMb"),
      curve("file descriptors but connections", "", "descriptors"),
      curve("connections", "", "connections"),
      curve("oldest reader behind the last commit", "commits", "behind"),
      curve("commands sent", "", "commands"),
    ]);
  }

  #tell(): void {
    const { play } = this;
    play.count("commands", this.#attempts.length);
    play.count("transactions", this.#transactions.length);
    play.count("elements streamed", this.#streamed);
  }

  #checkFlatness(): void {
    const { play } = this,
      half = this.#samples.slice(samples / 2),
      middle = (of: readonly Sample[], what: keyof Sample): number => of.map((one) => one[what]).sort((a, b) => a - b)[of.length >> 1]!;
    const third = half.slice(0, half.length / 2),
      fourth = half.slice(half.length / 2);
    if (play.size < enoughToBeFlat) return;
    const remembered = ((middle(fourth, "commands") - middle(third, "commands")) * rememberedBytesMax) / 1e6;
    assert.ok(middle(fourth, "fileMb") <= middle(third, "fileMb") * fileGrowthMax + remembered, "the file grows in the second half");
    assert.ok(middle(fourth, "memoryMb") <= middle(third, "memoryMb") * memoryGrowthMax, "memory grows in the second half");
    assert.ok(middle(fourth, "descriptors") <= middle(third, "descriptors") + descriptorsMore, "descriptors grow in the second half");
    const connectionsMax = streamsOf(play.size) + clientConnections + connectionsMore;
    assert.ok(
      fourth.every(({ connections }) => connections <= connectionsMax),
      "connections are held that nobody has",
    );
    assert.ok(Math.min(...fourth.map(({ behind }) => behind)) <= behindMax, "a snapshot is held for long");
  }
}

export const mixedLoad: Scenario = {
  name: "mixed-load",
  unit: "seconds",
  sizes: { test: 8, ci: 45, night: 3_600 },
  holds: `what ${writers} writers and ${streamsOf(0)} streams (in a long run ${streamsOf(Infinity)}) saw, beside uploads, pruning and backups, is what the log says, and nothing grows`,
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-mixed-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    const data = join(folder, "ledger"),
      world = await World.start([storyOfVersion("1.0.0")], ["--data", data]);
    play.after(() => world.node.stop("SIGKILL"));
    try {
      await new MixedLoad(play, world, data, await world.parties("alice", "bob")).run();
    } catch (error) {
      play.notes.push(`the node's log: ${world.node.stderr().slice(-logKept)}`);
      throw error;
    }
    await world.stop();
  },
};
