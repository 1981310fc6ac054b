/** The external parties that the node knows, with their keys, in memory; and the onboarding that still lacks signatures. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { RecordReader, RecordWriter, unseal, type Tables } from "../../store/index.js";
import type { CommitGroup } from "../commit/index.js";
import type { Party, Synchronizers } from "../model/index.js";
import type { PartyToParticipant } from "./topology.js";
import { decodePartyToParticipant } from "./topology-reader.js";

const version = 1;

export interface ExternalParty {
  readonly party: Party;
  /** Number of the one for which it was signed. */
  readonly synchronizer: number;
  /** The topology transaction as it was signed. */
  readonly transaction: Uint8Array;
  readonly mapping: PartyToParticipant;
  /** Fingerprints of the keys that signed it. */
  readonly signedBy: readonly string[];
  /** False while signatures are missing: then the party does not exist yet. */
  readonly isOnboarded: boolean;
}

export function encodeExternalParty({ transaction, signedBy, isOnboarded }: ExternalParty): Buffer {
  const writer = new RecordWriter()
    .u8(isOnboarded ? 1 : 0)
    .bytes(transaction)
    .u32(signedBy.length);
  for (const fingerprint of signedBy) writer.text(fingerprint);
  return writer.finish(version);
}

/** A party can be onboarded on each synchronizer; a party has no slash. */
export const externalPartyKey = ({ party, synchronizer }: Pick<ExternalParty, "party" | "synchronizer">): string =>
  synchronizer === 0 ? party : `${party}/${synchronizer}`;

export function decodeExternalParty(key: string, record: Buffer): ExternalParty {
  const [party = "", number = "0"] = key.split("/"),
    synchronizer = Number(number);
  const reader = new RecordReader(unseal(record, version, "externalParties"));
  const isOnboarded = reader.u8() === 1,
    transaction = Uint8Array.from(reader.bytes());
  const signedBy = Array.from({ length: reader.u32() }, () => reader.text());
  const mapping = decodePartyToParticipant(transaction);
  assert(!isFailure(mapping), "a stored topology transaction decodes");
  return { party, synchronizer, transaction, mapping: mapping.ok, signedBy, isOnboarded };
}

export class ExternalParties {
  readonly #byName = new Map<string, ExternalParty>();

  static read(tables: Tables): ExternalParties {
    const parties = new ExternalParties();
    for (const { key, value } of tables.externalParties.all()) parties.set(decodeExternalParty(key, value));
    return parties;
  }

  /** Onboarded or not. */
  get(party: Party, synchronizer: number): ExternalParty | undefined {
    return this.#byName.get(externalPartyKey({ party, synchronizer }));
  }
  /** Undefined also while signatures are missing. Each synchronizer has its own: what is good for one says nothing about another. */
  onboarded(party: Party, synchronizer: number): ExternalParty | undefined {
    const found = this.get(party, synchronizer);
    return found?.isOnboarded === true ? found : undefined;
  }
  /** With bytes of its own: those of a request lie in memory that it shares with others. */
  set(party: ExternalParty): void {
    this.#byName.set(externalPartyKey(party), { ...party, transaction: Uint8Array.from(party.transaction) });
  }
  all(): Iterable<ExternalParty> {
    return this.#byName.values();
  }
  /** As it was before `set`. */
  restore(after: ExternalParty, before: ExternalParty | undefined): void {
    if (before === undefined) this.#byName.delete(externalPartyKey(after));
    else this.#byName.set(externalPartyKey(after), before);
  }
}

/** Keeps a party, in place of what was known of it before. */
export function keepExternalParty(group: CommitGroup, externalParties: ExternalParties, external: ExternalParty): void {
  const before = externalParties.get(external.party, external.synchronizer);
  group.batch.put(group.tables.externalParties, externalPartyKey(external), encodeExternalParty(external));
  externalParties.set(external);
  group.undoable(() => externalParties.restore(external, before));
}

interface Adopting {
  readonly externalParties: ExternalParties;
  readonly synchronizers: Pick<Synchronizers, "isConnectedTo">;
}

/** Those that another participant knows, on synchronizers of both; what lacks signatures stays with those that were asked. */
export function adoptExternalParties(group: CommitGroup, { externalParties, synchronizers }: Adopting, known: ExternalParties): void {
  for (const external of known.all())
    if (
      external.isOnboarded
      && synchronizers.isConnectedTo(external.synchronizer)
      && externalParties.onboarded(external.party, external.synchronizer) === undefined
    )
      keepExternalParty(group, externalParties, external);
}
