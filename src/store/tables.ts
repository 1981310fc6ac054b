/** Every table of the file: one set of them for each participant. */
import type { Database, RootDatabase, Transaction } from "lmdb";
import { limits } from "../config.js";
import * as keys from "./keys.js";
import { Table, type TableParts } from "./table.js";

/** What a table is to the others. */
type Role =
  /** Of the ledger and its participants: its members, their packages. */
  | "registry"
  /** Users and identity providers: written beside the log, by administration. */
  | "administration"
  /** What happened, by offset: updates and completions. */
  | "log"
  /** Entry by entry what the log tells: `ledger/keeping/following.ts` has the rule, by which it is verified and pruned. */
  | "index"
  /** What an index has, in runs: many entries to a record, see `ledger/runs`. */
  | "runs"
  /** How far readers have to look: an upper bound that an entry of the log may raise. */
  | "mark"
  /** By which it is known that the log is as it was written. */
  | "proof"
  /** Which commands were accepted: outlives the completions that told it. */
  | "memory"
  /** What an index has not got yet: the newest of it, in the order in which it came. */
  | "tail";

interface Declaration {
  /** A `KeyEncoder`; each of its own type. */
  readonly key: object;
  /** Of formats before this one. */
  readonly formerKey?: { readonly before: number; readonly key: object };
  /** The fields of a key, in their order. */
  readonly keyHolds: string;
  /** What a record holds, and where its codec is when it is more than a few fields. */
  readonly holds: string;
  readonly role: Role;
  /** The folder or file that writes it. */
  readonly writtenBy: string;
}

const commits = "ledger/submission",
  administration = "ledger/admin";

/**
 * The on-disk document. Offsets are 6 bytes, numbers big-endian in keys (so that byte order is number order) and little-endian in
 * records. A *sealed* record starts with its version (1 byte), 3 bytes of zero and the CRC-32 of all that follows, see `records.ts`;
 * others are empty. Parties and template names are interned: keys hold their number, which is never reused; party 0 is any party,
 * template 0 any template.
 *
 * The place of each is its number in `table-sums.ts`: new ones come last.
 */
const tableDeclarations = {
  state: {
    key: keys.textKey,
    keyHolds: "name",
    holds:
      "sealed: format, identity, pruning, settled acceptances and contracts with their runs, the end of history, vetting serial, `note/..`",
    role: "registry",
    writtenBy: "ledger/commit, ledger/keeping, ledger/submission",
  },
  updates: {
    key: keys.offsetKey,
    keyHolds: "offset",
    holds: "sealed update, or what pruning left of it: `ledger/records/update-record.ts`",
    role: "log",
    writtenBy: commits,
  },
  updateIndex: {
    key: keys.updateIndexKey,
    keyHolds: "party, template, last offset that a commit added",
    holds: "empty, or sealed the others of them: `ledger/records/offset-groups.ts`",
    role: "index",
    writtenBy: "ledger/commit",
  },
  contracts: {
    key: keys.hexKey,
    keyHolds: "contract id",
    holds:
      "sealed places, key hash, synchronizer: `ledger/records/contract-record.ts`; of formats before 9, what came since is in `contractRuns`",
    role: "index",
    writtenBy: "ledger/commit",
  },
  instances: {
    key: keys.placeKey,
    keyHolds: "activated offset, node id",
    holds: "sealed template, stakeholders, key hash, contract id, FatContractInstance",
    role: "index",
    writtenBy: commits,
  },
  active: {
    key: keys.activeKey,
    keyHolds: "party, template, activated offset, node id",
    holds: "empty",
    role: "index",
    writtenBy: commits,
  },
  archived: {
    key: keys.archivedKey,
    keyHolds: "party, template, activated offset, node id, archived offset",
    holds: "empty",
    role: "index",
    writtenBy: commits,
  },
  archiveMarks: {
    key: keys.archiveMarkKey,
    keyHolds: "party, template, level, block of activated offsets",
    holds: "sealed offset of the last archive of a contract made active there: `ledger/records/archive-marks.ts`",
    role: "mark",
    writtenBy: "ledger/commit",
  },
  activeKeys: {
    key: keys.contractKeyKey,
    keyHolds: "key hash, activated offset, node id",
    holds: "sealed contract id, stakeholders",
    role: "index",
    writtenBy: commits,
  },
  completions: {
    key: keys.offsetKey,
    keyHolds: "offset",
    holds: "sealed completion: `ledger/records/completion-record.ts`",
    role: "log",
    writtenBy: commits,
  },
  completionIndex: {
    key: keys.partyOffsetKey,
    keyHolds: "party, last offset that a commit added",
    holds: "empty, or sealed the others of them, as of `updateIndex`",
    role: "index",
    writtenBy: "ledger/commit",
  },
  deduplication: {
    key: keys.hexKey,
    keyHolds: "first 16 bytes of the SHA-256 of a change id, or of a signed transaction",
    holds:
      "sealed offset, record time, submission id of the last acceptance, of what was signed also of a verdict against it; of changes only those of formats before 9, what came since is in `acceptanceRuns`",
    role: "memory",
    writtenBy: commits,
  },
  parties: {
    key: keys.textKey,
    keyHolds: "party",
    holds: "sealed number and details",
    role: "registry",
    writtenBy: "ledger/parties",
  },
  templates: {
    key: keys.numberKey,
    keyHolds: "number",
    holds: "sealed `package-name:Module:Entity`",
    role: "registry",
    writtenBy: "ledger/records",
  },
  packages: {
    key: keys.textKey,
    keyHolds: "package id",
    holds: "sealed summary (JSON) and vetting",
    role: "registry",
    writtenBy: "ledger/packages",
  },
  packagePayloads: {
    key: keys.textKey,
    keyHolds: "package id, of a part followed by / and its number",
    holds: "sealed ArchivePayload, or how long it is and in how many parts: `ledger/packages/package-payloads.ts`",
    role: "registry",
    writtenBy: "ledger/packages",
  },
  users: {
    key: keys.textKey,
    keyHolds: "user id",
    holds: "sealed JSON: `ledger/admin/tables.ts`, as of the next three",
    role: "administration",
    writtenBy: administration,
  },
  userRights: {
    key: keys.textKey,
    keyHolds: "user id",
    holds: "sealed JSON",
    role: "administration",
    writtenBy: administration,
  },
  userIndex: {
    key: keys.textKey,
    keyHolds: "identity provider id, zero byte, user id",
    holds: "empty",
    role: "administration",
    writtenBy: administration,
  },
  identityProviders: {
    key: keys.textKey,
    keyHolds: "identity provider id",
    holds: "sealed JSON",
    role: "administration",
    writtenBy: administration,
  },
  externalParties: {
    key: keys.textKey,
    keyHolds:
      "party, behind it the number of its synchronizer unless that is the first; of a proposal the number always, and a hash of what is proposed",
    holds: "sealed topology transaction and who signed it: `ledger/external/external-parties.ts`",
    role: "registry",
    writtenBy: "ledger/external",
  },
  updateIds: {
    key: keys.toldKey,
    formerKey: { before: 7, key: keys.hexKey },
    keyHolds: "update id, from its last 6 bytes on",
    holds: "sealed offset, of updates whose id does not tell it: `ledger/records/update-ids.ts`",
    role: "index",
    writtenBy: commits,
  },
  reassignments: {
    key: keys.hexKey,
    keyHolds: "reassignment id",
    holds: "sealed synchronizers, submitter, contracts: `ledger/records/reassignment-record.ts`",
    role: "index",
    writtenBy: commits,
  },
  unassigned: {
    key: keys.activeKey,
    keyHolds: "party, template, unassigned offset, node id",
    holds: "empty; contracts on their way between synchronizers",
    role: "index",
    writtenBy: commits,
  },
  assigned: {
    key: keys.archivedKey,
    keyHolds: "party, template, unassigned offset, node id, assigned offset",
    holds: "empty",
    role: "index",
    writtenBy: commits,
  },
  assignedMarks: {
    key: keys.archiveMarkKey,
    keyHolds: "party, template, level, block of unassigned offsets",
    holds: "sealed offset of the last assignment of a contract unassigned there",
    role: "mark",
    writtenBy: "ledger/commit",
  },
  history: {
    key: keys.offsetKey,
    keyHolds: "offset",
    holds: "sealed digest of all that the log holds up to it, of some offsets: `ledger/commit/history.ts`",
    role: "proof",
    writtenBy: "ledger/commit",
  },
  contractChanges: {
    key: keys.placeKey,
    keyHolds: "last offset of a commit, part",
    holds: "sealed contract ids, each with what `contractRuns` is to have: `ledger/records/contract-changes.ts`",
    role: "tail",
    writtenBy: "ledger/commit",
  },
  contractRuns: {
    key: keys.runKey,
    keyHolds: "run, number of a bucket or of a filter",
    holds: "sealed contract ids, each with its state as in `contracts`, or bits that tell which ids are there: `ledger/runs`",
    role: "runs",
    writtenBy: "ledger/commit",
  },
  acceptanceRuns: {
    key: keys.runKey,
    keyHolds: "run, number of a bucket or of a filter",
    holds:
      "sealed hashes of change ids, each with its last acceptance: `ledger/intake/acceptance-index.ts`; or bits that tell which are there",
    role: "runs",
    writtenBy: commits,
  },
} as const satisfies Readonly<Record<string, Declaration>>;

export type TableName = keyof typeof tableDeclarations;
export const tableNames = Object.keys(tableDeclarations) as readonly TableName[];

/** As many as a file can have. */
export const setsOfTables = { perSet: tableNames.length, sets: limits.participantsMax };

/** The number of a table in the file to its set, and to its name. */
export const setOf = (index: number): number => Math.floor(index / tableNames.length);
export const tableOf = (index: number): TableName => tableNames[index % tableNames.length]!;
/** In the first set. */
export const tableNumber = (name: TableName): number => tableNames.indexOf(name);

const fileName = (set: number, name: TableName): string => (set === 0 ? name : `${set}/${name}`);

/** As LMDB has them: those of the first set bare, those of others behind the number of their set. By their numbers in the file. */
export const fileNames: readonly string[] = Array.from({ length: setsOfTables.perSet * setsOfTables.sets }, (_, index) =>
  fileName(setOf(index), tableOf(index)),
);

type KeyOf<D> = D extends { readonly key: keys.KeyEncoder<infer K> } ? K : never;
export type TableKey<N extends TableName> = KeyOf<(typeof tableDeclarations)[N]>;
export type Tables = { readonly [N in TableName]: Table<TableKey<N>> };

type OfRole<R extends Role> = { [N in TableName]: (typeof tableDeclarations)[N]["role"] extends R ? N : never }[TableName];
export type IndexTable = OfRole<"index">;
export const indexTables = tableNames.filter((name): name is IndexTable => tableDeclarations[name].role === "index");

/** Who only reads a file of an earlier format finds nothing where it has no table yet. */
const absent = {
  getBinaryFast: () => undefined,
  getKeys: () => [],
  getRange: () => [],
  getStats: () => ({ treeBranchPageCount: 0, treeLeafPageCount: 0, overflowPages: 0 }),
} as unknown as Database<Buffer, never>;

/** What tables share. */
export type TableFiles = Pick<TableParts<never>, "writer" | "stretches">;

/** `format`: of the file, if it is not the present one. */
export function openTables(root: RootDatabase, { writer, stretches }: TableFiles, set: number, format = Infinity): Tables {
  const openTable = (table: TableName, indexInSet: number): [string, Table<never>] => {
    const { key, formerKey }: Declaration = tableDeclarations[table],
      keyEncoder = (formerKey && format < formerKey.before ? formerKey.key : key) as keys.KeyEncoder<never>,
      name = fileName(set, table);
    const db = (root.openDB({ name, encoding: "binary", keyEncoder } as never) as Database<Buffer, never> | undefined) ?? absent;
    return [table, new Table<never>({ name, index: set * tableNames.length + indexInSet, keyEncoder, writer, stretches, db })];
  };
  return Object.fromEntries(tableNames.map(openTable)) as unknown as Tables;
}

/** Tables of one snapshot, each made when it is first used: a task looks at few of them. */
export function pinnedTables(tables: Tables): new (transaction: Transaction) => object {
  class Pinned {
    constructor(readonly transaction: Transaction) {}
  }
  for (const [name, table] of Object.entries(tables) as [string, Table<unknown>][]) {
    Object.defineProperty(Pinned.prototype, name, {
      get(this: Pinned) {
        const value = table.at(this.transaction);
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  }
  return Pinned;
}

/** For the page of this folder. */
export function storageTable(): string {
  const rows = Object.entries(tableDeclarations).map(
    ([name, { keyHolds, holds, role, writtenBy }]) => `| \`${name}\` | ${keyHolds} | ${holds} | ${role} | \`${writtenBy}\` |`,
  );
  return ["| table | key | record | role | written by |", "|---|---|---|---|---|", ...rows].join("\n");
}
