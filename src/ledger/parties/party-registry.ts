/** All parties that the node knows, in memory. */
import { assert } from "../../base/assert.js";
import { SortedTexts } from "../../base/sorted-texts.js";
import type { Tables } from "../../store/index.js";
import type { Party } from "../model/index.js";
import { decodeParty, type PartyRecord } from "../records/index.js";

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
    return this.#byName.get(party);
  }
  /** As it may be told. */
  durable(party: Party): PartyRecord | undefined {
    return this.#before.has(party) ? this.#before.get(party) : this.#byName.get(party);
  }
  /** One more than the highest number in use: the next to give out. */
  get count(): number {
    return this.#byNumber.length;
  }

  /** A party that was not written after all: the last one that was added. */
  forgetLast({ party, number }: PartyRecord): void {
    assert(number === this.#byNumber.length - 1, "parties are taken back in the reverse of their order");
    this.#byNumber.pop();
    this.#byName.delete(party);
    this.#json.length = Math.min(this.#json.length, number);
    this.#before.delete(party);
    this.#sorted?.remove(party);
  }

  /** Adds or replaces; durable once it was published. */
  set(record: PartyRecord): void {
    const known = this.#byName.get(record.party);
    assert(!known || known.number === record.number, "a party keeps its number");
    if (!known) this.#sorted?.add(record.party);
    if (!this.#before.has(record.party)) this.#before.set(record.party, known);
    this.#byName.set(record.party, record);
    this.#byNumber[record.number] = record;
  }

  /** All of them are on the disk. */
  publish(): void {
    this.#before.clear();
  }

  numberOf(party: Party): number {
    const record = this.#byName.get(party);
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
    return (this.#sorted ??= new SortedTexts(this.#byName.keys())).all();
  }
}
