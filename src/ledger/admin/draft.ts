/** The tables as they will be once the changes under way are written. Forks let one operation fail without a trace. */
import type { AdministrationRecords, AdministrationTables, Change, KeyRange, TableName } from "./tables.js";

type Reader = Pick<AdministrationTables, "get" | "keys">;

export class Draft implements Reader {
  readonly #below: Reader;
  readonly #changes = new Map<string, Change>();

  constructor(below: Reader) {
    this.#below = below;
  }

  get<N extends TableName>(table: N, key: string): AdministrationRecords[N] | undefined {
    const change = this.#changes.get(changeKey(table, key));
    return change === undefined ? this.#below.get(table, key) : (change.value as AdministrationRecords[N] | undefined);
  }

  keys(table: TableName, { prefix, after, limit }: KeyRange): readonly string[] {
    const changed = [...this.#changes.values()].filter(
      (change) => change.table === table && change.key.startsWith(prefix) && change.key > after,
    );
    const kept = new Set(this.#below.keys(table, { prefix, after, limit: limit + changed.length }));
    for (const { key, value } of changed) {
      if (value === undefined) kept.delete(key);
      else kept.add(key);
    }
    return [...kept].sort(byBytes).slice(0, limit);
  }

  put<N extends TableName>(table: N, key: string, value: AdministrationRecords[N]): void {
    this.#changes.set(changeKey(table, key), { table, key, value } as Change);
  }

  remove(table: TableName, key: string): void {
    this.#changes.set(changeKey(table, key), { table, key, value: undefined } as Change);
  }

  absorb(fork: Draft): void {
    for (const [key, change] of fork.#changes) this.#changes.set(key, change);
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }
}

const changeKey = (table: TableName, key: string): string => `${table}\0${key}`;
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
