/** Every table of the file with its keys, as `layout.ts` describes them: one set of them for each participant. */
import type { Database, RootDatabase, Transaction } from "lmdb";
import { limits } from "../config.js";
import * as keys from "./keys.js";
import { Table } from "./table.js";
import type { TableWriter } from "./write.js";

/** The place of each is its number in `table-sums.ts`: new ones come last. */
const tableKeys = {
  state: keys.textKey,
  updates: keys.offsetKey,
  updateIndex: keys.updateIndexKey,
  contracts: keys.hexKey,
  instances: keys.placeKey,
  active: keys.activeKey,
  archived: keys.archivedKey,
  archiveMarks: keys.archiveMarkKey,
  activeKeys: keys.contractKeyKey,
  completions: keys.offsetKey,
  completionIndex: keys.partyOffsetKey,
  deduplication: keys.hexKey,
  parties: keys.textKey,
  templates: keys.numberKey,
  packages: keys.textKey,
  packagePayloads: keys.textKey,
  users: keys.textKey,
  userRights: keys.textKey,
  userIndex: keys.textKey,
  identityProviders: keys.textKey,
  externalParties: keys.textKey,
  updateIds: keys.hexKey,
  reassignments: keys.hexKey,
  unassigned: keys.activeKey,
  assigned: keys.archivedKey,
  assignedMarks: keys.archiveMarkKey,
} as const;

export type TableName = keyof typeof tableKeys;
export const tableNames = Object.keys(tableKeys) as readonly TableName[];

/** As many as a file can have. */
export const setsOfTables = { perSet: tableNames.length, sets: limits.participantsMax };

/** The number of a table in the file to its set, and to its name. */
const setOf = (index: number): number => Math.floor(index / tableNames.length);
export const tableOf = (index: number): TableName => tableNames[index % tableNames.length]!;

const fileName = (set: number, name: TableName): string => (set === 0 ? name : `${set}/${name}`);

/** As LMDB has them: those of the first set bare, those of others behind the number of their set. By their numbers in the file. */
export const fileNames: readonly string[] = Array.from({ length: setsOfTables.perSet * setsOfTables.sets }, (_, index) =>
  fileName(setOf(index), tableOf(index)),
);

type KeyOf<E> = E extends keys.KeyEncoder<infer K> ? K : never;
export type Tables = { readonly [N in TableName]: Table<KeyOf<(typeof tableKeys)[N]>> };

/** Who only reads a file of an earlier format finds nothing where it has no table yet. */
const absent = {
  getBinaryFast: () => undefined,
  getKeys: () => [],
  getRange: () => [],
  getStats: () => ({ treeBranchPageCount: 0, treeLeafPageCount: 0, overflowPages: 0 }),
} as unknown as Database<Buffer, never>;

export function openTables(root: RootDatabase, writer: TableWriter | undefined, set: number): Tables {
  const openTable = (table: TableName, indexInSet: number): [string, Table<never>] => {
    const keyEncoder = tableKeys[table] as unknown as keys.KeyEncoder<never>,
      name = fileName(set, table);
    const db = (root.openDB({ name, encoding: "binary", keyEncoder } as never) as Database<Buffer, never> | undefined) ?? absent;
    return [table, new Table<never>({ name, index: set * tableNames.length + indexInSet, keyEncoder, writer, db })];
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
