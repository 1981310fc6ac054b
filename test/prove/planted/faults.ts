/** Faults that the harness must find, each by the run that is named for it: exact places of the built program, and what is put there. */
export interface PlantedFault {
  readonly name: string;
  /** Below `dist`. */
  readonly file: string;
  /** Once in the file. */
  readonly text: string;
  readonly instead: string;
  /** The scenario that has to find it, and in how large a run. */
  readonly foundBy: string;
  readonly size: number;
  /** What it says then: a run that fails for another reason has found nothing. */
  readonly saying: RegExp;
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: "acknowledges before the flush",
    file: "src/ledger/commit/commit.js",
    text: "await transaction.batch.flush({ removes: queued[0].removes });",
    instead: "for (const job of jobs) job.resolve();\nawait transaction.batch.flush({ removes: queued[0].removes });",
    foundBy: "simulation",
    size: 60,
    saying: /\(I[128]\)/,
  },
  {
    name: "acknowledges before the journal has it",
    file: "src/ledger/commit/commit.js",
    text: "const ahead = await transaction.batch.flushAhead();",
    instead: "for (const job of jobs) job.resolve();\nconst ahead = await transaction.batch.flushAhead();",
    foundBy: "simulation",
    size: 60,
    saying: /\(I[128]\)/,
  },
  {
    name: "takes nothing from the journal at a start",
    file: "src/store/journal-replay.js",
    text: "of commitsBehind(journal, writer.sums))",
    instead: "of [])",
    foundBy: "simulation",
    size: 800,
    saying: /\(I[12]\)/,
  },
  {
    name: "does not wait for what was acknowledged before",
    file: "src/ledger/commit/ledger-end.js",
    text: "if (offset === this.#offset)",
    instead: "if (offset >= this.#offset)",
    foundBy: "simulation",
    size: 60,
    saying: /\(I8\)/,
  },
  {
    name: "skips the check of inputs",
    file: "src/ledger/submission/transaction-commit.js",
    text: "function checkContract(",
    instead: "const checkContract = () => undefined;\nfunction neverChecks(",
    foundBy: "double-spend",
    size: 20,
    saying: /security-sensitive/,
  },
  {
    name: "skips the check of contract keys",
    file: "src/ledger/submission/transaction-commit.js",
    text: "if (transaction.keyInputs.length === 0)",
    instead: "if (transaction.keyInputs.length >= 0)",
    foundBy: "key-races",
    size: 300,
    saying: /used the newest of|looked for|found what was not there/,
  },
  {
    name: "forgets that a command was accepted",
    file: "src/ledger/submission/transaction-commit.js",
    text: "acceptances.add(group, changeKey, acceptance);",
    instead: "offset % 3 === 0 || acceptances.add(group, changeKey, acceptance);",
    foundBy: "simulation",
    size: 60,
    saying: /\(I2\)|acceptance at \d+ is forgotten/,
  },
  {
    name: "says that what waits is settled with the first part of it",
    file: "src/ledger/commit/run-settlement.js",
    text: "isLast = part === parts - 1;",
    instead: "isLast = part === 0;",
    foundBy: "simulation",
    size: 60,
    saying: /\(I2\)|acceptance at \d+ is forgotten|index contracts|a run is listed/,
  },
  {
    name: "removes changes of contracts that wait",
    file: "src/ledger/commit/contract-settlement.js",
    text: "end = { offset: this.settledTo + 1, nodeId: 0 };",
    instead: "end = { offset: this.settledTo + 100, nodeId: 0 };",
    foundBy: "simulation",
    size: 60,
    saying: /\(I\d+\)|index contracts|contract \w+/,
  },
  {
    name: "takes a merge for done when a piece of it is left",
    file: "src/ledger/runs/run-list.js",
    text: "if (pieces < piecesOf(target))",
    instead: "if (pieces < piecesOf(target) - 1)",
    foundBy: "simulation",
    size: 60,
    saying: /index contracts|contracts, run|contract \w+|a run is listed|\(I\d+\)/,
  },
  {
    name: "writes two groups in the other order",
    file: "src/store/writer.js",
    text: "return this.#running.run(() => this.#commitInRoom(writes, removes));",
    instead: `const late = this.late;
        this.groups = (this.groups ?? 0) + 1;
        this.late = this.groups % 9 === 0 ? writes : undefined;
        if (this.late) return Promise.resolve();
        const written = this.#running.run(() => this.#commitInRoom(writes, removes));
        return late ? written.then(() => this.#running.run(() => this.#commitInRoom(late, removes))) : written;`,
    foundBy: "simulation",
    size: 60,
    saying: /index contracts|lies behind all|is not older than|does not hold what was written|damage|\(I\d+\)/i,
  },
  {
    name: "writes a record without its index",
    file: "src/ledger/submission/transaction-writing.js",
    text: "group.indexUpdate(party, template, offset)",
    instead: "party > 0 && offset % 7 === 0 || group.indexUpdate(party, template, offset)",
    foundBy: "visibility",
    size: 5,
    saying: /streams|pages|single|contracts|trees/,
  },
  {
    name: "shows an event to a witness too many",
    file: "src/ledger/submission/transaction-writing.js",
    text: "witnesses: parties.numbersOf(event.witnesses),",
    instead: "witnesses: parties.numbersOf(event.nodeId > 2 ? [...new Set([...event.witnesses, parties.sorted()[0]])] : event.witnesses),",
    foundBy: "visibility",
    size: 5,
    saying: /streams|pages|single|contracts|trees/,
  },
  {
    name: "does not ask for a claim",
    file: "src/api/ledger/completions.js",
    text: 'claims: ({ body }) => withToken([{ kind: "userUnlessReadAsAnyParty", userId: body.userId ?? "" }, ...readAs(body.parties ?? [])]),',
    instead: 'claims: ({ body }) => withToken([{ kind: "userUnlessReadAsAnyParty", userId: body.userId ?? "" }]),',
    foundBy: "authorization",
    size: 1,
    saying: /auth.matrix/,
  },
  {
    name: "does not release a snapshot",
    file: "src/workers/engine-host.js",
    text: "this.#packages.use(undefined);\n            snapshot.release();",
    instead: "this.#packages.use(undefined);",
    foundBy: "snapshots",
    size: 3,
    saying: /a snapshot is held/,
  },
  {
    name: "moves the ledger end before the flush",
    file: "src/ledger/commit/commit.js",
    text: "await transaction.batch.flush({ removes: queued[0].removes });",
    instead: "transaction.publish();\ntransaction.publish = () => {};\nawait transaction.batch.flush({ removes: queued[0].removes });",
    foundBy: "simulation",
    size: 60,
    saying: /ledger end|damage|\(I\d+\)/i,
  },
  {
    name: "believes a page whatever it holds",
    file: "src/store/file-check.js",
    text: "export function checkFile(folder, { wholeBytesMax = Infinity, logBytesMax = Infinity, isOpenHere = false, withJournal = false } = {}) {",
    instead:
      "export function checkFile(folder, { wholeBytesMax = Infinity, logBytesMax = Infinity, isOpenHere = false, withJournal = false } = {}) {\n    return undefined;",
    foundBy: "damage",
    size: 14,
    saying: /^\w+: /,
  },
  {
    name: "writes what a request to administration changes one after the other",
    file: "src/ledger/admin/stored-tables.js",
    text: "return this.#committer.commit((group) => this.#put(group, changes), { removes });",
    instead: `for (const change of changes.slice(1)) setTimeout(() => void this.#committer.commit((group) => this.#put(group, [change])), 400);
        return this.#committer.commit((group) => this.#put(group, changes.slice(0, 1)), { removes: false });`,
    foundBy: "killed-administration",
    size: 4,
    saying: /user [-\w]+ is/,
  },
  {
    name: "says that a file is migrated before it is",
    file: "src/store/open-store.js",
    text: "rekey(batch, name, stored[set], openTables(root, files, set));",
    instead: `{
                        const later = new Batch();
                        rekey(later, name, stored[set], openTables(root, files, set));
                        setTimeout(() => void later.flush(), 600);
                    }`,
    foundBy: "killed-migrations",
    size: 18,
    saying: /UPDATE_NOT_FOUND|damaged|not sound/,
  },
  {
    name: "leaves the flush to the system",
    file: "src/store/open-store.js",
    text: "noSync: !flushes,",
    instead: "noSync: true,",
    foundBy: "power-loss",
    size: 40,
    saying: /before deed/,
  },
];
