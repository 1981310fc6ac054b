/** Commits that are told before the file has them: what comes behind them, and what waits for the file. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Damage } from "../../src/base/damage.js";
import { limits } from "../../src/config.js";
import type { CommitGroup } from "../../src/ledger/commit/index.js";
import { encodeKeyed } from "../../src/ledger/records/index.js";
import { backUpLedger, verifyLedger } from "../../src/ledger/index.js";
import { Batch, dataFile, journalFile, RecordWriter } from "../../src/store/index.js";
import { withoutWrites } from "../support/without-writes.js";
import { openCommitter } from "./committer.js";
import { closeFixture, contractIdOf, failure, openFixture, startLedger, submission, submitAsWritten, success } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const keyHash = "ab".repeat(32),
  early = { isToldEarly: true };

/** A contract with a key. */
function create(group: CommitGroup, name: string): void {
  const { offset } = group.take(),
    place = { offset, nodeId: 0 },
    contractId = contractIdOf(name),
    keyed = { contractId, stakeholders: [1], createdOffset: offset };
  group.appendUpdate(offset, new RecordWriter().text(name).finish(1));
  group.setContract(contractId, {
    created: place,
    activated: place,
    archived: undefined,
    keyHash,
    synchronizer: 0,
    reassignmentCounter: 0,
    unassigned: undefined,
  });
  group.addKeyed(keyHash, keyed);
  group.batch.insert(group.tables.activeKeys, { keyHash, offset, nodeId: 0 }, encodeKeyed(group.writer, keyed));
}

interface Seen {
  readonly offset: number;
  readonly recordTime: bigint;
  readonly known: readonly boolean[];
  readonly keyed: readonly string[];
}

const look = (group: CommitGroup, names: readonly string[]): Seen => ({
  offset: group.offset,
  recordTime: group.recordTime,
  known: names.map((name) => group.contract(contractIdOf(name)) !== undefined),
  keyed: [...group.keyed(keyHash)].map(({ contractId }) => names.find((name) => contractIdOf(name) === contractId)!),
});

describe("commits ahead of the file", () => {
  it("a group goes on where the one before it ends, also while readers do not find that yet", async (t) => {
    const { committer, ledgerEnd, folder } = await openCommitter(t, { keepsReserve: true }),
      names = ["a", "b", "c"];
    let before = 0n;
    await withoutWrites(folder, async () => {
      for (const [index, name] of names.entries()) {
        const job = (group: CommitGroup): Seen => {
          const found = look(group, names);
          create(group, name);
          return found;
        };
        const seen = success(await committer.commitPlain(job, early));
        assert.deepEqual(
          [ledgerEnd.offset, ledgerEnd.promised, seen.offset, seen.known, seen.keyed],
          [0, index + 1, index, names.map((_, other) => other < index), names.slice(0, index).reverse()],
        );
        assert.ok(index === 0 || seen.recordTime > before, "record times rise");
        before = seen.recordTime;
      }
    });
    await ledgerEnd.caughtUp();
    assert.deepEqual([ledgerEnd.offset, ledgerEnd.caughtUp()], [3, undefined]);
    assert.deepEqual(success(await committer.commitPlain((group) => look(group, names).keyed, early)), ["c", "b", "a"]);
  });

  it("who needs the file, or is to be told when readers find it, waits for all that is ahead of it", async (t) => {
    const { committer, ledgerEnd } = await openCommitter(t, { keepsReserve: true }),
      told: string[] = [];
    const tell = (what: string): void => void told.push(`${what} at ${ledgerEnd.offset}`);
    const waiting = [
      committer.commitPlain((group) => create(group, "a"), early).then(() => tell("early")),
      committer.commitPlain((group) => create(group, "b"), { isToldEarly: false }).then(() => tell("late")),
      committer.commit((group) => group.tables.updates.has(2)).then((found) => tell(`file has it: ${success(found)}`)),
    ];
    await Promise.all(waiting);
    assert.deepEqual(told, ["early at 0", "late at 2", "file has it: true at 2"]);
  });

  it("who is patient hears of it with what the file gets anyway, and has nothing hurry", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { committer, ledgerEnd } = await openCommitter(t, { keepsReserve: true }),
      told: string[] = [];
    success(await committer.commitPlain((group) => create(group, "a"), early));
    const patient = committer
      .commitPlain((group) => create(group, "b"), { isToldEarly: false, isPatient: true })
      .then(() => told.push("patient"));
    success(await committer.commitPlain((group) => create(group, "c"), early));
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.deepEqual([told, ledgerEnd.offset, ledgerEnd.promised], [[], 0, 3]);
    t.mock.timers.tick(limits.journalDelayMs);
    await patient;
    assert.ok(ledgerEnd.offset >= 2);
  });

  it("a reader that waits for updates has the file hurry", async (t) => {
    const { committer, ledgerEnd } = await openCommitter(t, { keepsReserve: true }),
      woken = ledgerEnd.waitBehind(0, "all", 10_000, new AbortController().signal);
    success(await committer.commitPlain((group) => create(group, "a"), early));
    await woken;
    assert.equal(ledgerEnd.offset, 1);
  });

  it("of a commit that the journal may have, although that cannot be told, nobody hears that it was refused; later ones are", async (t) => {
    const { committer } = await openCommitter(t, { keepsReserve: true }),
      commit = () => committer.commitPlain((group) => create(group, "a"), early);
    t.mock.method(Batch.prototype, "flushAhead", () => Promise.reject(new Damage("journal", "it can neither be written nor removed")));
    const unknown = commit();
    assert.equal(await Promise.race([unknown, sleep(50, "nothing")]), "nothing");
    assert.equal(failure(await commit()).code, "SERVICE_NOT_RUNNING");
  });

  it("what meets damage on its way to the file is not there, and is refused", async (t) => {
    const { committer } = await openCommitter(t);
    t.mock.method(Batch.prototype, "flush", () => Promise.reject(new Damage("the file", "a page is not there")));
    for (let times = 0; times < 2; times++)
      assert.equal(failure(await committer.commit((group) => create(group, "a"))).code, "SERVICE_NOT_RUNNING");
  });

  it("what went ahead is let go once the file has it, also where something is ahead at all times", async (t) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void,
      { committer, ledgerEnd } = await openCommitter(t, { keepsReserve: true }),
      writing = 2 * limits.journalWritesMax, // what the file is given at once may still be told of
      batches = new Map<number, WeakRef<object>>();
    const job = (group: CommitGroup): void => {
      const { offset } = group.take();
      group.appendUpdate(offset, new RecordWriter().text("x").finish(1));
      batches.set(offset, new WeakRef(group.batch)); // as long as its transaction
    };
    const client = async (): Promise<void> => {
      while (ledgerEnd.offset < 2 * writing) {
        success(await committer.commitPlain(job, early));
        await nextTurn();
      }
    };
    await Promise.all([client(), client()]);
    const inFile = ledgerEnd.offset;
    collect();
    const held = [...batches].filter(([offset, batch]) => offset < inFile - writing && batch.deref() !== undefined);
    assert.equal(held.length, 0, `of ${inFile} that the file has`);
  });

  it("what was acknowledged before a crash is in a backup of what is left, and verification says where it is", async (t) => {
    const { ledger, parties, interpreter, folder } = await startLedger(t, { keepsReserve: true }),
      { alice } = parties as { alice: string },
      left = temporaryFolder(),
      copy = join(temporaryFolder(), "copy");
    let acknowledged = 0;
    success(await ledger.submit(submission([alice], [{ create: "zero", signatories: [alice] }])));
    await withoutWrites(folder, async () => {
      for (const name of ["one", "two"]) {
        interpreter.interpreted = 0;
        const asked = submission([alice], [{ create: name, signatories: [alice] }]);
        acknowledged = success(await submitAsWritten(ledger, asked, { isToldEarly: true })).completionOffset;
      }
      for (const name of [dataFile, journalFile]) cpSync(join(folder, name), join(left, name));
    });
    const { sound, text } = await verifyLedger(left);
    assert.ok(sound, text);
    assert.match(text, new RegExp(`up to ${acknowledged - 2}:.*Commits behind that, which a start takes from the journal: 2\\.$`));
    assert.equal((await backUpLedger(left, copy)).ok?.ledgerEnd, acknowledged);
    const ofCopy = await verifyLedger(copy);
    assert.ok(ofCopy.sound && !ofCopy.text.includes("journal"), ofCopy.text);
    const restarted = await openFixture(left, { interpreter });
    assert.equal(restarted.ledger.ledgerEnd(), acknowledged);
    await closeFixture(restarted);
  });

  it("of commands that archive one contract, one after the other as fast as they are told, one wins", async (t) => {
    const { ledger, parties, interpreter, folder } = await startLedger(t, { keepsReserve: true }),
      { alice } = parties as { alice: string };
    success(await ledger.submit(submission([alice], [{ create: "prize", signatories: [alice] }])));
    const archive = (): ReturnType<typeof submitAsWritten> => {
      interpreter.interpreted = 0; // of every other one the records come from the engine, as they do of what is plain
      return submitAsWritten(ledger, submission([alice], [{ exercise: "prize", by: [alice] }]), { isToldEarly: true });
    };
    let others: readonly ReturnType<typeof archive>[] = [];
    await withoutWrites(folder, async () => {
      success(await archive());
      others = [archive(), archive()];
    });
    for (const other of others) assert.equal(failure(await other).code, "LOCAL_VERDICT_INACTIVE_CONTRACTS");
  });
});
