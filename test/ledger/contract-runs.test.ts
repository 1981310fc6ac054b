/** The index of contracts in runs that are merged while it is asked: it tells what a map of the same changes does, at any moment. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { CommitQueue, type MergingSizes, Committer, contractSettlement, LedgerEnd } from "../../src/ledger/commit/index.js";
import { PartyRegistry } from "../../src/ledger/parties/party-registry.js";
import { type ContractState, ContractIndex, isActive, TemplateNames } from "../../src/ledger/records/index.js";
import { encodeContractState } from "./former-contracts.js";
import { findingsOfRuns, piecesOf, type RunList } from "../../src/ledger/runs/index.js";
import { Batch, RecordWriter, SnapshotReader, openStore, type Store } from "../../src/store/index.js";
import { count } from "../support/knobs.js";
import { Random } from "../support/random.js";
import { smallRuns } from "./run-pieces.js";
import { contractIdOf, copyOf, keyHashOf, success, TestClock } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const sizes: MergingSizes = { ...smallRuns, piecesPerCommit: 3 },
  unsettledMax = 128;

const seed = count("LEDGERLINE_SEED") ?? 20_261_125;

interface Running {
  readonly folder: string;
  readonly store: Store;
  readonly contracts: ContractIndex;
  /** Makes contracts what they are to be, in one commit; gives its offset. */
  change(changes: ReadonlyMap<string, (offset: number) => ContractState>): Promise<number>;
  settleAll(): Promise<void>;
  close(): Promise<void>;
}

async function open(folder: string, end = 0, runSizes = sizes): Promise<Running> {
  const store = await openStore({ folder, flushes: false }),
    { tables } = store,
    turns = new Turns(limits.turnMs),
    ledgerEnd = new LedgerEnd(end, 0n),
    contracts = new ContractIndex(tables);
  const queue = new CommitQueue({ store, clock: new TestClock(), log: silentLog, turns });
  const committer = new Committer(queue, { tables, ledgerEnd, templates: new TemplateNames(), parties: new PartyRegistry(), contracts });
  const settlement = contractSettlement({ tables, committer, ledgerEnd, log: silentLog, contracts, turns, unsettledMax, sizes: runSizes });
  return {
    folder,
    store,
    contracts,
    change: async (changes) =>
      success(
        await committer.commit((group) => {
          const { offset } = group.take();
          for (const [contractId, stateAt] of changes) group.setContract(contractId, stateAt(offset));
          return offset;
        }),
      ),
    settleAll: async () => success(await settlement.settleTo(ledgerEnd.offset)),
    close: async () => {
      await settlement.close();
      await queue.close();
      await store.close();
    },
  };
}

const stateOf = (created: number, archived: number | undefined, keyHash = ""): ContractState => ({
  created: { offset: created, nodeId: 0 },
  activated: { offset: created, nodeId: 0 },
  archived: archived === undefined ? undefined : { offset: archived, nodeId: 1 },
  keyHash,
  synchronizer: 0,
  reassignmentCounter: 0,
  unassigned: undefined,
});

/** Contracts as a plain map has them; creates, archives, some with keys, some that move. */
class Play {
  readonly states = new Map<string, ContractState>();
  readonly ids: string[] = [];
  readonly #random: Random;
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async step({ change }: Pick<Running, "change">, changes = 1 + this.#random.below(4)): Promise<number> {
    const next = new Map<string, (offset: number) => ContractState>();
    for (let left = changes; left > 0; left--) {
      const id = this.ids.length > 0 && this.#random.chance(0.5) ? this.#random.one(this.ids) : undefined,
        before = id === undefined ? undefined : this.states.get(id);
      if (id === undefined || before === undefined || !isActive(before)) {
        const made = contractIdOf(`run-${this.#made++}`),
          keyHash = this.#random.chance(0.3) ? keyHashOf(made) : "";
        next.set(made, (offset) => stateOf(offset, undefined, keyHash));
      } else if (this.#random.chance(0.2)) {
        const moved = { synchronizer: 1, reassignmentCounter: before.reassignmentCounter + 1 };
        next.set(id, (offset) => ({ ...before, ...moved, activated: { offset, nodeId: 2 } }));
      } else next.set(id, (offset) => ({ ...before, archived: { offset, nodeId: 1 } }));
    }
    const offset = await change(next);
    for (const [id, stateAt] of next) {
      if (!this.states.has(id)) this.ids.push(id);
      this.states.set(id, stateAt(offset));
    }
    return offset;
  }

  isTold(index: ContractIndex, ids: Iterable<string> = this.ids): void {
    for (const id of ids) assert.deepEqual(index.find(id), this.states.get(id), id);
    assert.equal(index.find(contractIdOf(`never ${this.#random.below(1e6)}`)), undefined);
  }

  isAllTold(index: ContractIndex): void {
    this.isTold(index);
    assert.deepEqual([...index.ids()].sort(), [...this.ids].sort());
  }
}

const listOf = ({ store }: Pick<Running, "store">): RunList => new ContractIndex(store.tables).runs.list;

function findings({ store }: Pick<Running, "store">): string[] {
  return [...findingsOfRuns(new ContractIndex(store.tables).runs)];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function opened(t: TestContext, end = 0, folder = temporaryFolder(), runSizes = sizes): Promise<Running> {
  const running = await open(folder, end, runSizes);
  t.after(() => running.close());
  return running;
}

describe("runs of contracts", () => {
  it("tell what a map does, to who writes them and to a thread that looks now and then, while they are merged", async (t) => {
    const running = await opened(t),
      random = new Random(seed),
      play = new Play(random);
    const thread = await openStore({ folder: running.folder, readOnly: true });
    t.after(() => thread.close());
    let index: ContractIndex | undefined,
      levels = 0;
    for (let step = 0; step < 4_000; step++) {
      await play.step(running);
      play.isTold(
        running.contracts,
        Array.from({ length: 5 }, () => random.one(play.ids)),
      );
      levels = Math.max(levels, ...running.contracts.runs.list.runs.map(({ level }) => level));
      if (step % 100 !== 0) continue;
      const snapshot = SnapshotReader.pin(thread, 0);
      index = index?.at(snapshot.tables) ?? new ContractIndex(snapshot.tables);
      play.isAllTold(index);
      snapshot.release();
    }
    assert.ok(levels >= 3, `${levels} levels`);
    play.isAllTold(running.contracts);
    assert.deepEqual(findings(running), []);
  });

  it("are written part by part as changes come, a moment later where none do, and at once for who waits", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 2)),
      { contracts } = running;
    /** Changes until there are enough; gives up to where it was settled before. */
    const begin = async (): Promise<number> => {
      while (contracts.waiting.size < unsettledMax) await play.step(running);
      return contracts.settledTo;
    };
    const isDone = async (before: number): Promise<boolean> => {
      for (const until = Date.now() + 60_000; contracts.settledTo === before && Date.now() < until;) await turn();
      return contracts.settledTo > before;
    };
    const first = await begin();
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(contracts.settledTo, first, "begun, not done");
    await play.step(running, unsettledMax);
    assert.ok(await isDone(first), "done, as as many changes came again");
    const second = await begin();
    await running.settleAll();
    assert.ok(contracts.settledTo > second, "done at once");
    assert.equal(contracts.waiting.size, 0);
    assert.ok(await isDone(await begin()), "done without any change");
    play.isAllTold(running.contracts);
  });

  it("stay few, however many changes come", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 1));
    let most = 0;
    for (let step = 0; step < 2_000; step++) {
      await play.step(running);
      most = Math.max(most, listOf(running).runs.length);
    }
    assert.ok(most <= 4 * (2 * sizes.runsPerLevel), `${most} runs`);
  });

  it("stay few where each has hardly anything, as the ledger is pruned after every command", async (t) => {
    const running = await opened(t, 0, temporaryFolder(), { ...sizes, changesPerPiece: 1_000 });
    let most = 0;
    for (let step = 0; step < 400; step++) {
      await running.change(new Map([[contractIdOf(`few-${step}`), (offset) => stateOf(offset, undefined)]]));
      await running.settleAll();
      most = Math.max(most, listOf(running).runs.length);
    }
    assert.ok(most <= 30, `${most} runs`);
    assert.deepEqual(findings(running), []);
  });

  it("what the disk held at any moment tells all, and is merged further by the next start", async (t) => {
    const running = await opened(t),
      random = new Random(seed + 2),
      play = new Play(random),
      stages = new Set<string>();
    for (let step = 0; step < 800; step++) {
      const end = await play.step(running);
      for (let turns = random.below(40); turns > 0; turns--) await turn(); // a settlement, a merge or a removal may be anywhere
      if (step < 300 || step % 9 !== 0) continue;
      const again = await open(copyOf(running.folder), end),
        { merges, loose } = listOf(again),
        after = new Play(random);
      stages.add(merges.some(({ pieces }) => pieces > 0) ? "merging" : "").add(loose.length > 0 ? "removing" : "");
      play.isAllTold(again.contracts);
      assert.deepEqual(findings(again), []);
      for (const id of play.ids) {
        after.ids.push(id);
        after.states.set(id, play.states.get(id)!);
      }
      for (let more = 0; more < 8; more++)
        await again.change(new Map([[contractIdOf(`copy-${step}-${more}`), (offset) => stateOf(offset, undefined)]]));
      after.isTold(again.contracts);
      await again.settleAll();
      assert.deepEqual(findings(again), []);
      await again.close();
    }
    assert.ok(stages.has("merging") && stages.has("removing"), [...stages].join());
  });

  it("a settlement that a crash interrupts leaves a run that is removed, and what it was to have is told all the same", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 3));
    let interrupted: string | undefined;
    for (let step = 0; step < 1_000 && interrupted === undefined; step++) {
      await play.step(running);
      for (let turns = 0; turns < 30 && interrupted === undefined; turns++) {
        await turn();
        const { loose, runs, merges } = listOf(running),
          newest = Math.max(0, ...runs.map(({ number }) => number), ...merges.map(({ target }) => target.number));
        if (!loose.some((number) => number > newest)) continue;
        interrupted = copyOf(running.folder);
      }
    }
    assert.ok(interrupted !== undefined, "a settlement was caught under way");
    const end = 1_000,
      again = await opened(t, end, interrupted),
      [left] = listOf(again).loose.slice(-1);
    play.isAllTold(again.contracts);
    for (let more = 0; more < 200 && listOf(again).loose.includes(left!); more++)
      await again.change(new Map([[contractIdOf(`later-${more}`), (offset) => stateOf(offset, undefined)]]));
    assert.equal(listOf(again).loose.includes(left!), false);
    assert.equal(again.store.tables.contractRuns.keys({ start: { run: left!, part: 0 }, end: { run: left! + 1, part: 0 } }).length, 0);
    play.isTold(again.contracts);
  });

  it("a snapshot that is held sees its runs, whatever was merged and removed since", async (t) => {
    const running = await opened(t),
      random = new Random(seed + 4),
      play = new Play(random);
    for (let step = 0; step < 100; step++) await play.step(running);
    const thread = await openStore({ folder: running.folder, readOnly: true });
    t.after(() => thread.close());
    const snapshot = SnapshotReader.pin(thread, 0),
      index = new ContractIndex(snapshot.tables),
      before = new Map(play.states),
      { runs } = index.runs.list;
    for (let step = 0; step < 1_200; step++) await play.step(running);
    const now = new Set(listOf(running).runs.map(({ number }) => number));
    assert.ok(
      runs.every(({ number }) => !now.has(number)),
      "all were merged",
    );
    for (const [id, state] of before) assert.deepEqual(index.find(id), state);
    for (const id of play.ids) if (!before.has(id)) assert.equal(index.find(id), undefined);
    snapshot.release();
    const later = SnapshotReader.pin(thread, 0);
    play.isAllTold(index.at(later.tables));
    later.release();
  });

  it("what is pruned is not told, and merges leave it out", async (t) => {
    const running = await opened(t),
      { contracts } = running;
    let end = 0;
    const ids = Array.from({ length: 400 }, (_, index) => contractIdOf(`pruned-${index}`));
    for (const id of ids) {
      const created = await running.change(new Map([[id, (offset) => stateOf(offset, undefined)]]));
      end = await running.change(new Map([[id, (offset) => stateOf(created, offset)]]));
    }
    const lasting = contractIdOf("lasting");
    await running.change(new Map([[lasting, (offset) => stateOf(offset, undefined)]]));
    contracts.prunedTo({ offset: end, clearedTo: 0, isComplete: false });
    for (const id of ids) {
      assert.equal(contracts.find(id), undefined);
      assert.ok(contracts.stored(id), "it is there for who clears what belongs to it");
    }
    assert.deepEqual([...contracts.ids()], [lasting]);
    contracts.prunedTo({ offset: end, clearedTo: end, isComplete: true });
    const entries = (): number => contracts.runs.list.runs.reduce((sum, run) => sum + run.entries, 0);
    const before = entries();
    for (let more = 0; more < 3_000; more++)
      await running.change(new Map([[contractIdOf(`more-${more % 100}`), () => stateOf(end + 1, undefined)]]));
    await running.settleAll();
    assert.ok(entries() < before, `${entries()} of ${before} are left`);
    assert.equal([...contracts.ids()].length, 101);
    for (const id of ids) assert.equal(contracts.find(id), undefined, "none is there again as it was before its archive");
    assert.deepEqual(findings(running), []);
  });

  it("hold no more the longer contracts come and go, where as many are active as before and the ledger is pruned", async (t) => {
    const running = await opened(t, 0, temporaryFolder(), { ...sizes, piecesPerCommit: 100 }),
      random = new Random(seed + 5),
      { contracts } = running,
      active: { readonly id: string; readonly created: number }[] = [],
      most: number[] = [];
    for (let made = 0; made < 12_000; made += 2) {
      const ids = [contractIdOf(`churn-${made}`), contractIdOf(`churn-${made + 1}`)],
        ended = active.length < 300 ? [] : ids.map(() => active.splice(random.below(active.length), 1)[0]!);
      const offset = await running.change(
        new Map([
          ...ids.map((id) => [id, (at: number) => stateOf(at, undefined)] as const),
          ...ended.map(({ id, created }) => [id, (at: number) => stateOf(created, at)] as const),
        ]),
      );
      for (const id of ids) active.push({ id, created: offset });
      contracts.prunedTo({ offset, clearedTo: offset, isComplete: true });
      const entries = contracts.runs.list.runs.reduce((sum, run) => sum + run.entries, 0),
        sixth = Math.floor(made / 2_000);
      most[sixth] = Math.max(most[sixth] ?? 0, entries);
    }
    assert.ok(Math.max(...most.slice(2)) <= 1.25 * Math.max(...most.slice(0, 2)), `at most so many entries of runs: ${most.join(", ")}`);
    assert.deepEqual([...contracts.ids()].sort(), active.map(({ id }) => id).sort());
    assert.deepEqual(findings(running), []);
  });

  it("the oldest run goes once all of it is pruned, before there are as many as make a merge, and one with a contract that lasts stays", async (t) => {
    const running = await opened(t, 0, temporaryFolder(), { ...sizes, runsPerLevel: 100 }),
      { contracts } = running;
    /** Each archived by what made it. */
    const brief = async (name: string): Promise<number> => {
      let end = 0;
      for (let index = 0; index < 800; index++)
        end = await running.change(new Map([[contractIdOf(`${name}-${index}`), (offset) => stateOf(offset, offset)]]));
      return end;
    };
    const gone = await brief("gone"),
      ofGone = listOf(running)
        .runs.filter(({ to }) => to <= gone)
        .map(({ number }) => number);
    assert.ok(ofGone.length > 2);
    const lasting = contractIdOf("lasting");
    await running.change(new Map([[lasting, (offset) => stateOf(offset, undefined)]]));
    const end = await brief("later");
    contracts.prunedTo({ offset: end, clearedTo: end, isComplete: true });
    for (let more = 0; more < 2_000; more++)
      await running.change(new Map([[contractIdOf(`more-${more}`), (offset) => stateOf(offset, undefined)]]));
    await running.settleAll();
    const { runs, loose } = listOf(running);
    assert.deepEqual(
      ofGone.filter((number) => runs.some((run) => run.number === number)),
      [],
    );
    assert.ok(
      runs.some(({ to }) => to <= end),
      "the run with the one that lasts is there, and what came behind it",
    );
    assert.ok(loose.length <= 1, `${loose.length} are yet to be removed`);
    assert.equal([...contracts.ids()].length, 2_001);
    assert.ok(contracts.find(lasting));
    assert.deepEqual(findings(running), []);
  });

  it("a contract that was made before what is merged keeps its archive, as an older run still tells of its create", async (t) => {
    const running = await opened(t),
      { contracts } = running,
      early = contractIdOf("early");
    const created = await running.change(new Map([[early, (offset) => stateOf(offset, undefined)]]));
    let others = 0;
    const more = async (times: number): Promise<void> => {
      for (let left = times; left > 0; left--)
        await running.change(new Map([[contractIdOf(`other-${others++}`), (offset) => stateOf(offset, undefined)]]));
    };
    await more(1_500);
    const end = await running.change(new Map([[early, (offset) => stateOf(created, offset)]]));
    contracts.prunedTo({ offset: end, clearedTo: end, isComplete: true });
    for (let round = 0; round < 30; round++) {
      await more(40);
      assert.equal(contracts.find(early), undefined, `round ${round}`);
    }
    assert.equal([...contracts.ids()].length, others);
  });

  it("what a table of an earlier format has is older than all runs", async (t) => {
    const running = await opened(t),
      { contracts, store } = running,
      former = Array.from({ length: 50 }, (_, index) => contractIdOf(`former-${index}`));
    const batch = new Batch();
    for (const id of former) batch.put(store.tables.contracts, id, encodeContractState(new RecordWriter(), stateOf(1, undefined)));
    await batch.flush();
    store.refresh();
    const archived = former.filter((_, index) => index % 3 === 0);
    for (const id of archived) await running.change(new Map([[id, (offset) => stateOf(1, offset)]]));
    for (let more = 0; more < 300; more++)
      await running.change(new Map([[contractIdOf(`since-${more}`), (offset) => stateOf(offset, undefined)]]));
    await running.settleAll();
    for (const id of former) assert.equal(contracts.find(id)?.archived !== undefined, archived.includes(id));
    const ids = [...contracts.ids()];
    assert.equal(ids.length, 350);
    assert.equal(new Set(ids).size, 350);
  });

  it("filters take no more memory than they may, and who has none of them looks again", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 5));
    for (let step = 0; step < 600; step++) await play.step(running);
    const { runs } = running.contracts;
    play.isTold(running.contracts);
    const whole = runs.filtersBytes;
    assert.ok(whole > 0);
    const few = new ContractIndex(running.store.tables, whole / 4);
    play.isTold(few);
    play.isTold(few);
    assert.ok(few.runs.filtersBytes <= whole / 4 && few.runs.filtersBytes > 0, `${few.runs.filtersBytes} of ${whole}`);
  });

  it("where nothing changed a settlement makes no run, and all is settled", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 8));
    for (let step = 0; step < 20; step++) await play.step(running);
    await running.settleAll();
    const before = listOf(running).runs,
      end = await running.change(new Map());
    await running.settleAll();
    assert.deepEqual(listOf(running).runs, before);
    assert.equal(new ContractIndex(running.store.tables).settledTo, end);
    play.isAllTold(running.contracts);
  });

  it("what is no id of a contract is not there", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 7));
    for (let step = 0; step < 200; step++) await play.step(running);
    await running.settleAll();
    const [id] = play.ids as [string];
    for (const other of ["00", id.slice(0, 20), id.slice(0, 40), `${id}00`, `${id}zz`, `00${"zz".repeat(34)}`, `00${"--".repeat(34)}`])
      assert.equal(running.contracts.find(other), undefined, other);
  });

  it("every piece of a run has a filter, and a large merge goes on in several", async (t) => {
    const running = await opened(t),
      play = new Play(new Random(seed + 6));
    let largest = 0;
    for (let step = 0; step < 600; step++) {
      await play.step(running);
      for (const run of listOf(running).runs) largest = Math.max(largest, piecesOf(run));
    }
    assert.ok(largest > 10, `${largest} pieces`);
  });
});
