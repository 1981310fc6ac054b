/** All parties that the node knows, in memory; and what it keeps about those that are only proposed, who are not known yet. */
import { assert } from "../../base/assert.js";
import { SortedTexts } from "../../base/sorted-texts.js";
import type { Tables } from "../../store/index.js";
import type { Party } from "../model/index.js";
import { decodeParty, isProposed, type PartyRecord } from "../records/index.js";

export class PartyRegistry {
  readonly #byName = new Map<Party, PartyRecord>();
  readonly #byNumber: (PartyRecord | undefined)[] = [undefined]; // number 0 = any party
  /** `"party"` as JSON bytes, by number. */
  readonly #json: (Buffer | undefined)[] = [];
  /** What is durable of those that a commit under way has changed. */
  readonly #before = new Map<Party, PartyRecord | undefined>();
  /** Once they were asked for. */
  #sorted: SortedTexts | undefined;

  static read(tables: Tables): PartyRegistry {
    const registry = new PartyRegistry();
    for (const { key, value } of tables.parties.all()) registry.set(decodeParty(key, value));
    registry.publish();
    return registry;
  }

  /** As the commits that wait see it. */
  get(party: Party): PartyRecord | undefined {
    return known(this.#byName.get(party));
  }
  /** The same, also of one that is only proposed. */
  kept(party: Party): PartyRecord | undefined {
    return this.#byName.get(party);
  }
  /** As it may be told. */
  durable(party: Party): PartyRecord | undefined {
    return known(this.durablyKept(party));
  }
  durablyKept(party: Party): PartyRecord | undefined {
    return this.#before.has(party) ? this.#before.get(party) : this.#byName.get(party);
  }
  /** One more than the highest number in use: the next to give out. */
  get count(): number {
    return this.#byNumber.length;
  }

  /** A party that was not written after all: of those that are known the last one that was added. */
  forget(added: PartyRecord, before: PartyRecord | undefined): void {
    const { party, number } = added;
    if (before === undefined) {
      this.#byName.delete(party);
      this.#before.delete(party);
    } else this.#byName.set(party, before);
    if (isProposed(added)) return;
    assert(number === this.#byNumber.length - 1, "parties are taken back in the reverse of their order");
    this.#byNumber.pop();
    this.#json.length = Math.min(this.#json.length, number);
    this.#sorted?.remove(party);
  }

  /** Adds or replaces; durable once it was published. */
  set(record: PartyRecord): void {
    const before = this.#byName.get(record.party),
      isNew = known(before) === undefined;
    assert(isNew || before!.number === record.number, "a party keeps its number");
    if (!this.#before.has(record.party)) this.#before.set(record.party, before);
    this.#byName.set(record.party, record);
    if (isProposed(record)) return;
    if (isNew) this.#sorted?.add(record.party);
    this.#byNumber[record.number] = record;
  }

  /** All of them are on the disk. */
  publish(): void {
    this.#before.clear();
  }

  numberOf(party: Party): number {
    const record = this.get(party);
    assert(record, `party ${party} is known`);
    return record.number;
  }
  numbersOf(parties: readonly Party[]): number[] {
    const numbers: number[] = [];
    for (const party of parties) numbers.push(this.numberOf(party));
    return numbers;
  }
  byNumber(number: number): PartyRecord {
    const record = this.#byNumber[number];
    assert(record, `party number ${number} is known`);
    return record;
  }
  jsonOf(number: number): Buffer {
    return (this.#json[number] ??= Buffer.from(JSON.stringify(this.byNumber(number).party)));
  }

  /** In order of their texts; good until the next one comes. */
  sorted(): readonly Party[] {
    return (this.#sorted ??= new SortedTexts(this.#known())).all();
  }
  /** In no order, also those that are only proposed. */
  allKept(): Iterable<PartyRecord> {
    return this.#byName.values();
  }

  *#known(): Iterable<Party> {
    for (const record of this.#byName.values()) if (!isProposed(record)) yield record.party;
  }
}

const known = (record: PartyRecord | undefined): PartyRecord | undefined =>
  record === undefined || isProposed(record) ? undefined : record;
