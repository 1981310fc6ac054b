import { fail, ok } from "../../src/base/result.js";
import { type Answer, storageUnavailable } from "../../src/ledger/model/index.js";
import type { AdministrationRecords, AdministrationTables, Change, KeyRange, TableName } from "../../src/ledger/admin/tables.js";

/** The tables in a Map. Writes take a turn, as a disk does, and can be made to fail. */
export class MemoryTables implements AdministrationTables {
  readonly #records = new Map<string, Map<string, unknown>>();
  writes = 0;
  failing = false;

  get<N extends TableName>(table: N, key: string): AdministrationRecords[N] | undefined {
    return structuredClone(this.#table(table).get(key)) as AdministrationRecords[N] | undefined;
  }

  keys(table: TableName, { prefix, after, limit }: KeyRange): readonly string[] {
    const keys = [...this.#table(table).keys()].filter((key) => key.startsWith(prefix) && key > after);
    return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, limit);
  }

  async write(changes: readonly Change[]): Answer<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failing) return fail(storageUnavailable());
    this.writes++;
    for (const { table, key, value } of changes) {
      if (value === undefined) this.#table(table).delete(key);
      else this.#table(table).set(key, structuredClone(value));
    }
    return ok(undefined);
  }

  /** Everything, for comparing before and after. */
  dump(): string {
    return JSON.stringify([...this.#records].map(([table, records]) => [table, [...records].sort(([a], [b]) => (a < b ? -1 : 1))]).sort());
  }

  #table(name: TableName): Map<string, unknown> {
    let table = this.#records.get(name);
    if (table === undefined) this.#records.set(name, (table = new Map()));
    return table;
  }
}
