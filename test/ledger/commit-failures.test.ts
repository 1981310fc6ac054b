/** What becomes of a commit that the storage refuses, and of a part of one that fails by a mistake of ours. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { isFailure, ok, type Result } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { CommitQueue, Committer } from "../../src/ledger/commit/commit.js";
import type { CommitGroup } from "../../src/ledger/commit/commit-group.js";
import type { Participant } from "../../src/ledger/participant/index.js";
import { LedgerEnd } from "../../src/ledger/commit/ledger-end.js";
import { PartyRegistry } from "../../src/ledger/parties/party-registry.js";
import { ContractIndex, TemplateNames } from "../../src/ledger/records/index.js";
import { Batch, RecordWriter, openStore, type Store } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import {
  activeContracts,
  closeFixture,
  failure,
  openFixture,
  startLedger,
  submission,
  success,
  summaryOf,
  TestClock,
  transactions,
  unread,
  wildcard,
  type Fixture,
} from "./support.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

const admin = { userId: undefined, participantAdmin: true, admin: true };

/** As on a disk without room, until `mend`. */
function breakStorage(t: TestContext): { readonly mend: () => void } {
  const flush = t.mock.method(Batch.prototype, "flush", () => Promise.reject(new Error("ENOSPC")));
  return { mend: () => flush.mock.restore() };
}

const dar = summaryOf({ packageId: "ab".repeat(32), name: "more", version: "1.0.0" });

/** Everything that writes, by name; each can be asked for again. */
function writes({
  ledger,
  parties,
  interpreter,
}: Fixture): Readonly<Record<string, () => Promise<Result<unknown, { readonly code: string; readonly category: number }>>>> {
  const { administration } = ledger as Participant;
  const alice = parties["alice"]!;
  interpreter.dar = ok({ mainPackageId: dar.packageId, packages: [{ summary: dar, payload: Buffer.from("payload") }] });
  return {
    "a command": () => ledger.submit(submission([alice], [{ create: "one", signatories: [alice] }])),
    "a party": () => ledger.allocateParty({ hint: "eve", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
    "a party for administration": () =>
      administration.allocateParty(
        { hint: "frank", annotations: {}, resourceVersion: "", identityProviderId: "", synchronizerId: "", userId: "" },
        admin,
      ),
    "details of a party": () =>
      administration.updateParty({ party: alice, isLocal: true, annotations: { k: "v" }, resourceVersion: "", identityProviderId: "" }, [
        "local_metadata.annotations",
      ]),
    "a user": () =>
      administration.createUser(
        {
          user: {
            id: "reader",
            primaryParty: "",
            isDeactivated: false,
            identityProviderId: "",
            annotations: {},
            resourceVersion: "",
            primaryPartyAuthentication: false,
          },
          rights: [],
        },
        admin,
      ),
    "a DAR": () => ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId: "" }),
    vetting: () =>
      ledger.updateVettedPackages({
        changes: [
          { kind: "vet", packages: [{ packageId: summaryOf().packageId, name: "", version: "" }], validFrom: 5n, validUntil: undefined },
        ],
        dryRun: false,
        synchronizerId: "",
        expectedSerial: "any",
        allowIncompatibleUpgrades: true,
      }),
    pruning: () => ledger.prune(1),
  };
}

describe("commit: the storage refuses", () => {
  it("whatever writes answers that the storage is unavailable, to be tried again, and with room again all of it works", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      all = writes(fixture),
      before = ledger.ledgerEnd();
    const disk = breakStorage(t);
    for (const [name, write] of Object.entries(all)) {
      const { code, category } = failure((await write()) as Result<unknown, never>);
      assert.deepEqual([name, code, category], [name, "SERVICE_NOT_RUNNING", 1]);
    }
    assert.deepEqual(
      [ledger.ledgerEnd(), ledger.listPackages().includes(dar.packageId), ledger.prunedOffsets().participantPrunedUpToInclusive],
      [before, false, 0],
    );
    assert.deepEqual(
      success(ledger.listParties({ pageSize: 100, pageToken: "", filterParty: "", identityProviderId: "" })).parties.map(
        ({ party }) => party.split("::")[0],
      ),
      ["alice", "bob", "carol", "dave", "ledgerline"],
    );
    assert.match(ledger.impediment()!, /storage refused/);
    disk.mend();
    for (const [name, write] of Object.entries(all)) assert.ok(!isFailure(await write()), name);
    assert.equal((await activeContracts(ledger, wildcard(parties["alice"]!))).length, 1);
    assert.equal(ledger.impediment(), undefined);
  });

  it("what every ledger has, and a new one had no room for, is stored once there is, and the ledger is not ready before", async (t) => {
    let disk: { readonly mend: () => void } | undefined;
    const builtIn = summaryOf({ packageId: "cd".repeat(32) }),
      fixture = await openFixture(temporaryFolder(), {
        builtInPackages: async () => {
          disk ??= breakStorage(t); // what comes before is written
          return [{ summary: builtIn, payload: Buffer.from("payload") }];
        },
      }),
      { ledger } = fixture;
    t.after(() => closeFixture(fixture));
    const there = () => [ledger.listPackages(), ledger.getParties([ledger.participantId], "").length];
    assert.deepEqual(there(), [[], 0]);
    assert.match(ledger.impediment()!, /^The node has yet to store the packages that every node has\.$/);
    disk!.mend();
    await eventually("the ledger is ready", () => ledger.impediment() === undefined);
    assert.deepEqual(there(), [[builtIn.packageId], 1]);
  });

  it("a node that is not asked any more, as it is not ready, is ready again after a while, so that it is tried", async (t) => {
    const { ledger, parties } = await startLedger(t),
      disk = breakStorage(t);
    failure(await ledger.submit(submission([parties["alice"]!], [{ create: "one", signatories: [parties["alice"]!] }])));
    assert.match(ledger.impediment()!, /storage refused/);
    const now = process.hrtime.bigint() + BigInt(limits.refusedCommitToldMs + 1) * 1_000_000n;
    t.mock.method(process.hrtime, "bigint", () => now);
    assert.equal(ledger.impediment(), undefined);
    disk.mend();
  });
});

describe("commit: a command that fails by a mistake of ours", () => {
  it("can be sent again: its change id is not in flight for ever", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "one", signatories: [alice] }]);
    interpreter.beforeAnswer = () => {
      throw new Error("a record that cannot be read");
    };
    for (const submit of [() => ledger.submit(command), () => ledger.submitAsync(command), () => ledger.submitUnread(unread(command))])
      await assert.rejects(submit, /a record that cannot be read/);
    assert.equal((ledger as Participant).commandsInFlight(), 0);
    interpreter.beforeAnswer = () => {};
    success(await ledger.submit(command));
  });

  it("fails alone: what was committed with it is there, and offsets have no gap", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    const end = ledger.ledgerEnd();
    const broken = submission([alice], [{ create: "broken", signatories: [alice] }]);
    interpreter.alter = (transaction, { commands }) =>
      commands === broken.commands
        ? { ...transaction, events: [...transaction.events, { ...transaction.events[0]!, nodeId: 1, stakeholders: [] }] }
        : transaction;
    const outcomes = await Promise.allSettled([
      ledger.submit(submission([alice], [{ create: "a", signatories: [alice] }])),
      ledger.submit(broken),
      ledger.submit(submission([alice], [{ create: "b", signatories: [alice] }])),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(ledger.ledgerEnd(), end + 2);
    assert.deepEqual(
      (await transactions(ledger, wildcard(alice))).map(({ offset }) => offset),
      [end + 1, end + 2],
    );
    assert.equal((await activeContracts(ledger, wildcard(alice))).length, 2);
  });
});

describe("commit: a group", () => {
  interface World {
    readonly committer: Committer;
    readonly store: Store;
    readonly ledgerEnd: LedgerEnd;
    readonly templates: TemplateNames;
    readonly parties: PartyRegistry;
  }

  async function open(t: TestContext): Promise<World> {
    const store = await openStore({ folder: temporaryFolder() }),
      ledgerEnd = new LedgerEnd(0, 0n),
      templates = new TemplateNames(),
      parties = new PartyRegistry();
    const queue = new CommitQueue({ store, clock: new TestClock(), log: silentLog, turns: ownTurns() }),
      committer = new Committer(queue, { tables: store.tables, ledgerEnd, templates, parties, contracts: new ContractIndex(store.tables) });
    t.after(async () => {
      await queue.close();
      await store.close();
    });
    return { committer, store, ledgerEnd, templates, parties };
  }

  const contract = (offset: number) => ({
    created: { offset, nodeId: 0 },
    activated: { offset, nodeId: 0 },
    archived: undefined,
    keyHash: "",
    synchronizer: 0,
    reassignmentCounter: 0,
    unassigned: undefined,
  });
  const id = (number: number): string => `00${number.toString(16).padStart(64, "0")}`;

  /** Does all that a job can do, and throws where it is told to. */
  const job =
    (number: number, { parties, templates }: World, fails = false) =>
    (group: CommitGroup): { readonly offset: number; readonly template: number; readonly sees: readonly number[] } => {
      const sees = [1, 2, 3, 4].filter((other) => group.contract(id(other)) !== undefined),
        { offset } = group.take();
      const template = templates.intern(`p:M:T${number}`, group);
      const record = {
        party: `party-${number}`,
        number: parties.count,
        isLocal: true,
        isExternal: false,
        annotations: {},
        resourceVersion: 0,
        identityProviderId: "",
        synchronizers: [0],
        hostedOn: [0],
      };
      parties.set(record);
      group.undoable(() => parties.forget(record, undefined));
      group.setContract(id(number), contract(offset));
      group.setContract(id(1), contract(offset));
      group.addKeyed("ab".repeat(32), { contractId: id(number), stakeholders: [number], createdOffset: offset });
      group.indexUpdate(number, template, offset);
      group.indexCompletion(number, offset);
      group.markArchived(number, template, { offset, nodeId: 0 }, offset);
      group.batch.put(group.tables.state, `job ${number}`, new RecordWriter().u32(number).finish(1));
      if (fails) throw new Error(`job ${number} fails`);
      return { offset, template, sees };
    };

  it("what a failed job did is nowhere: not for the next jobs, not on disk, not in memory", async (t) => {
    const world = await open(t),
      { committer, store, ledgerEnd, templates, parties } = world;
    const [first, second, third, last] = await Promise.allSettled(
      [
        job(1, world),
        job(2, world, true),
        job(3, world),
        (group: CommitGroup) => ({
          keyed: [...group.keyed("ab".repeat(32))].map(({ contractId }) => contractId),
          firstAt: group.contract(id(1))?.created?.offset,
        }),
      ].map((each) => committer.commit<unknown>(each)),
    );
    assert.equal(second!.status, "rejected");
    const value = (settled: PromiseSettledResult<Result<unknown, never>> | undefined): unknown =>
      (settled as PromiseFulfilledResult<Result<unknown, never>>).value.ok;
    assert.deepEqual(value(first as never), { offset: 1, template: 1, sees: [] });
    assert.deepEqual(value(third as never), { offset: 2, template: 2, sees: [1] });
    assert.deepEqual(value(last as never), { keyed: [id(3), id(1)], firstAt: 2 });
    assert.deepEqual(
      [ledgerEnd.offset, templates.get("p:M:T2"), parties.get("party-2"), parties.numberOf("party-3")],
      [2, undefined, undefined, 2],
    );
    assert.deepEqual(
      [1, 2, 3].map((number) => store.tables.state.has(`job ${number}`)),
      [true, false, true],
    );
    assert.deepEqual(
      [...store.tables.updateIndex.all(), ...store.tables.completionIndex.all()].map(({ key: { party, offset } }) => [party, offset]),
      [
        [1, 1],
        [3, 2],
        [1, 1],
        [3, 2],
      ],
    );
    assert.deepEqual(
      [...store.tables.archiveMarks.all()].map(({ key }) => key.party),
      [1, 1, 1, 3, 3, 3],
    );
  });

  it("wakes those who read what it wrote, and nobody for what a failed job wrote", async (t) => {
    const { committer, ledgerEnd } = await open(t),
      woken: unknown[] = [],
      { signal } = new AbortController();
    for (const party of [1, 2, 3, 4]) void ledgerEnd.waitBehind(0, new Set([party]), 60_000, signal).then(() => woken.push(party));
    const written = (party: number, fails = false) =>
      committer.commit((group) => {
        group.indexUpdate(party, 1, group.take().offset);
        if (fails) throw new Error(`job ${party} fails`);
      });
    await Promise.allSettled([written(1), written(2, true), written(3)]);
    assert.deepEqual(woken, [1, 3]);
    ledgerEnd.close();
  });

  it("holds what adds or what removes, not both, so that on a full disk the one is refused and the other goes, in their order", async (t) => {
    const world = await open(t),
      { committer } = world,
      flushed: unknown[] = [],
      flush = Batch.prototype.flush;
    t.mock.method(Batch.prototype, "flush", function (this: Batch, options: { readonly removes: boolean }) {
      flushed.push([this.size, options.removes]);
      return flush.call(this, options);
    });
    const put = (group: CommitGroup): number => {
      group.batch.put(group.tables.state, "key", new RecordWriter().u32(1).finish(1));
      return group.take().offset;
    };
    const outcomes = await Promise.all([false, false, true, true, true, false].map((removes) => committer.commit(put, { removes })));
    assert.deepEqual(
      outcomes.map(({ ok: offset }) => offset),
      [1, 2, 3, 4, 5, 6],
    );
    assert.deepEqual(flushed, [
      [2, false],
      [3, true],
      [1, false],
    ]);
  });

  it("of one that the storage refuses nothing is left in memory either, and the same jobs get the same places when it writes again", async (t) => {
    const world = await open(t),
      { committer, ledgerEnd, templates, parties } = world;
    const run = (): Promise<readonly Result<unknown, { readonly code: string }>[]> =>
      Promise.all([committer.commit(job(1, world)), committer.commit(job(2, world))]);
    const disk = breakStorage(t);
    for (const refused of await run()) assert.equal(refused.error?.code, "SERVICE_NOT_RUNNING");
    assert.deepEqual([ledgerEnd.offset, templates.get("p:M:T1"), parties.get("party-1")], [0, undefined, undefined]);
    disk.mend();
    assert.deepEqual(
      (await run()).map((each) => (each.ok as { offset: number }).offset),
      [1, 2],
    );
  });
});
