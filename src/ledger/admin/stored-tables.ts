/** The tables of administration on disk: JSON in sealed records, and an index without values. */
import { RecordReader, unseal, type Table, type Tables } from "../../store/index.js";
import type { CommitGroup, Committer } from "../commit/index.js";
import type { Answer } from "../model/index.js";
import type { AdministrationRecords, AdministrationTables, Change, KeyRange, TableName } from "./tables.js";

const version = 1;
/** Behind every text that ids can make: they are ASCII. */
const last = "\u{10FFFF}";
const first = "\0";

interface Place {
  readonly table: Table<string>;
  readonly prefix: string;
  readonly holdsJson: boolean;
}

export class StoredTables implements AdministrationTables {
  readonly #committer: Committer;
  readonly #places: Readonly<Record<TableName, Place>>;

  constructor({ users, userRights, userIndex, identityProviders, state }: Tables, committer: Committer) {
    this.#committer = committer;
    this.#places = {
      users: { table: users, prefix: "", holdsJson: true },
      rights: { table: userRights, prefix: "", holdsJson: true },
      userIndex: { table: userIndex, prefix: "", holdsJson: false },
      identityProviders: { table: identityProviders, prefix: "", holdsJson: true },
      marks: { table: state, prefix: "administration/", holdsJson: false },
    };
  }

  get<N extends TableName>(name: N, key: string): AdministrationRecords[N] | undefined {
    const { table, prefix, holdsJson } = this.#places[name];
    const record = table.read(prefix + key);
    if (record === undefined) return undefined;
    return (holdsJson ? JSON.parse(new RecordReader(unseal(record, version, table.name)).text()) : true) as AdministrationRecords[N];
  }

  keys(name: TableName, { prefix, after, limit }: KeyRange): readonly string[] {
    const place = this.#places[name];
    const start = after === "" ? place.prefix + prefix : `${place.prefix}${after}${first}`;
    const keys = place.table.keys({ start: start === "" ? first : start, end: place.prefix + prefix + last, limit });
    return keys.map((key) => key.slice(place.prefix.length));
  }

  write(changes: readonly Change[], { removes }: { readonly removes: boolean }): Answer<void> {
    return this.#committer.commit((group) => this.#put(group, changes), { removes });
  }

  #put({ batch, writer }: CommitGroup, changes: readonly Change[]): void {
    for (const { table: name, key, value } of changes) {
      const { table, prefix, holdsJson } = this.#places[name];
      if (value === undefined) batch.remove(table, prefix + key);
      else if (holdsJson) batch.put(table, prefix + key, writer.reset().text(JSON.stringify(value)).finish(version));
      else batch.put(table, prefix + key);
    }
  }
}
