/**
 * The synchronizers of a ledger. Each has a number that is never reused and stands for it in keys and records: the first one, 0,
 * is a part of the node's identity, the others are listed beside it.
 */
import { RecordReader, RecordWriter, unseal, type Batch, type Tables } from "../../store/index.js";
import { limits } from "../../config.js";
import { assert } from "../../base/assert.js";
import { ledgerError } from "./errors.js";
import type { LedgerErrorData, Party } from "./model.js";
import { physicalSynchronizerId, shortIdentifier } from "./synchronizer-id.js";
import { type Identity, newFingerprint, synchronizerNameOf } from "./identity.js";

export interface Synchronizer {
  readonly number: number;
  /** `name::fingerprint`, logical. */
  readonly id: string;
  readonly alias: string;
}

/** What is wrong with the synchronizers that a node is started with. */
export class SynchronizersDiffer extends Error {
  override readonly name = "SynchronizersDiffer";
}

/** Those that a participant is connected to, and names for all there are. */
export class Synchronizers {
  readonly #byId: ReadonlyMap<string, Synchronizer>;
  readonly #idJson: readonly string[];
  /** Those that a participant is connected to, as Canton ranks them where nothing else tells them apart: by their ids. */
  readonly ranked: readonly Synchronizer[];

  /** `connected`: some of `all`, at least one. */
  constructor(
    readonly all: readonly Synchronizer[],
    readonly connected: readonly Synchronizer[],
  ) {
    assert(connected.length > 0, "a participant is connected to a synchronizer");
    this.#byId = new Map(connected.map((one) => [one.id, one]));
    this.ranked = [...connected].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#idJson = all.map(({ id }) => JSON.stringify(id));
  }

  /** Where everything happens that names no synchronizer, if there is no choice. */
  get first(): Synchronizer {
    return this.connected[0]!;
  }
  get only(): Synchronizer | undefined {
    return this.connected.length === 1 ? this.connected[0] : undefined;
  }
  /** Of those that the participant is connected to. */
  find(id: string): Synchronizer | undefined {
    return this.#byId.get(id);
  }
  isConnectedTo(number: number): boolean {
    return this.connected.some((one) => one.number === number);
  }
  at(number: number): Synchronizer {
    const found = this.all[number];
    assert(found, `synchronizer ${number} is known`);
    return found;
  }
  idJson(number: number): string {
    return this.#idJson[number]!;
  }
}

const version = 1,
  listName = "synchronizers";

export function readSynchronizers(tables: Tables, identity: Identity): readonly Synchronizer[] {
  const first = { number: 0, id: identity.synchronizerId, alias: identity.synchronizerAlias },
    record = tables.state.read(listName);
  if (!record) return [first];
  const reader = new RecordReader(unseal(record, version, "state")),
    count = reader.u32();
  return [
    first,
    ...Array.from({ length: count }, (_, index) => {
      const id = reader.text();
      return { number: index + 1, id, alias: synchronizerNameOf(id) };
    }),
  ];
}

const namePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.synchronizerNameCharsMax}}$`);

/** Those that are known, and new ones for names that are not. */
export function withNames(known: readonly Synchronizer[], names: readonly string[]): readonly Synchronizer[] {
  const malformed = names.find((name) => !namePattern.test(name)),
    repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (malformed !== undefined)
    throw new SynchronizersDiffer(
      `"${malformed}" cannot be the name of a synchronizer: letters, digits, - and _, at most ${limits.synchronizerNameCharsMax}.`,
    );
  if (repeated !== undefined) throw new SynchronizersDiffer(`Synchronizer ${repeated} is named twice.`);
  const all = [...known];
  for (const alias of names) {
    if (all.some((one) => one.alias === alias)) continue;
    all.push({ number: all.length, id: `${alias}::${newFingerprint().fingerprint}`, alias });
  }
  if (all.length > limits.synchronizersMax)
    throw new SynchronizersDiffer(
      `A ledger has at most ${limits.synchronizersMax} synchronizers, the ones it had before included; these would be ${all.length}.`,
    );
  return all;
}

export function writeSynchronizers(batch: Batch, tables: Tables, all: readonly Synchronizer[]): void {
  const others = all.slice(1),
    writer = new RecordWriter().u32(others.length);
  for (const { id } of others) writer.text(id);
  batch.put(tables.state, listName, writer.finish(version));
}

/** Its physical id, as errors show it. */
export const shownSynchronizer = ({ id }: Synchronizer): string => shortIdentifier(physicalSynchronizerId(id));

export const noCommonSynchronizer = (informees: readonly Party[], { connected }: Synchronizers): LedgerErrorData =>
  ledgerError("INFORMEES_NOT_ACTIVE", "There is no common synchronizer on which all informees are.", {
    context: { informees: setOf(informees), synchronizers: setOf(connected.map(shownSynchronizer)) },
  });

/** `place`: the one that is named, or where the contracts are that a command uses. */
export function notAllOn(place: Synchronizer, common: readonly Synchronizer[]): LedgerErrorData {
  const synchronizersOfAllInformees = setOf(common.map(shownSynchronizer)),
    physicalSynchronizerId = shownSynchronizer(place);
  return ledgerError(
    "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
    `Not all informees and submitters are on the synchronizer that is named, or that the contracts are on, ${physicalSynchronizerId}, but on ${synchronizersOfAllInformees}.`,
    { context: { physicalSynchronizerId, synchronizersOfAllInformees } },
  );
}

/** The same of whoever acts first, by the numbers of the synchronizers where that party is: nothing where the command names none. */
export function namedElsewhere(id: string, numbers: readonly number[], synchronizers: Synchronizers): LedgerErrorData | undefined {
  const place = synchronizers.find(id);
  if (place === undefined || numbers.includes(place.number)) return undefined;
  return notAllOn(
    place,
    synchronizers.ranked.filter(({ number }) => numbers.includes(number)),
  );
}

export const submittersApart = (submitters: readonly Party[], { connected }: Synchronizers): LedgerErrorData =>
  ledgerError("SUBMITTERS_NOT_ACTIVE", "There is no common synchronizer on which all submitters are.", {
    context: { informees: setOf(submitters), synchronizers: setOf(connected.map(shownSynchronizer)) },
  });

export const setOf = (texts: readonly string[]): string => `Set(${texts.join(", ")})`;
