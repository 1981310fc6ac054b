/** Every table of the file with its keys, as `layout.ts` describes them. */
import type { Database, RootDatabase, Transaction } from "lmdb";
import * as keys from "./keys.js";
import { Table } from "./table.js";
import type { StoreWriter } from "./writer.js";

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
} as const;

export type TableName = keyof typeof tableKeys;
export const tableNames = Object.keys(tableKeys) as readonly TableName[];

type KeyOf<E> = E extends keys.KeyEncoder<infer K> ? K : never;
export type Tables = { readonly [N in TableName]: Table<KeyOf<(typeof tableKeys)[N]>> };

export function openTables(root: RootDatabase, writer: StoreWriter | undefined): Tables {
  const openTable = (name: TableName, index: number): [string, Table<never>] => {
    const keyEncoder = tableKeys[name] as unknown as keys.KeyEncoder<never>;
    const db = root.openDB({ name, encoding: "binary", keyEncoder } as never) as Database<Buffer, never>;
    return [name, new Table<never>({ name, index, keyEncoder, writer, db })];
  };
  return Object.fromEntries(tableNames.map(openTable)) as unknown as Tables;
}

/** Tables of one snapshot, each made when it is first used: a task looks at few of them. */
export function pinnedTables(tables: Tables): new (transaction: Transaction) => object {
  class Pinned { constructor(readonly transaction: Transaction) {} }
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
