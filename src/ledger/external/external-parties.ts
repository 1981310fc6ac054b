/** The external parties that the node knows, with their keys, in memory; and the onboarding that still lacks signatures. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { RecordReader, RecordWriter, unseal, type Tables } from "../../store/index.js";
import type { CommitGroup } from "../commit/index.js";
import type { Party } from "../model/index.js";
import { isPartyToKeys, type Signed } from "./namespaces.js";
import type { PartyToParticipant } from "./topology.js";
import { decodePartyToParticipant, decodeTopology } from "./topology-reader.js";

/** Version 2 has other transactions with that of the party. Most have none. */
const version = 2,
  versionOfSingle = 1;

export interface ExternalParty {
  readonly party: Party;
  /** Number of the one for which it was signed. */
  readonly synchronizer: number;
  /** The topology transaction as it was signed. */
  readonly transaction: Uint8Array;
  /** With the party's keys, wherever they are from. */
  readonly mapping: PartyToParticipant;
  /** Fingerprints of the keys that signed it. */
  readonly signedBy: readonly string[];
  /** What came with it: who speaks for its namespace, or its keys. */
  readonly companions: readonly Signed[];
  /** False while signatures are missing: then the party does not exist yet. */
  readonly isOnboarded: boolean;
}

function encodeExternalParty({ transaction, signedBy, isOnboarded, companions }: ExternalParty): Buffer {
  const writer = new RecordWriter().u8(isOnboarded ? 1 : 0);
  writeSigned(writer, { transaction, signedBy });
  if (companions.length === 0) return writer.finish(versionOfSingle);
  writer.u32(companions.length);
  for (const companion of companions) writeSigned(writer, companion);
  return writer.finish(version);
}

function writeSigned(writer: RecordWriter, { transaction, signedBy }: { transaction: Uint8Array; signedBy: Iterable<string> }): void {
  const signers = [...signedBy];
  writer.bytes(transaction).u32(signers.length);
  for (const fingerprint of signers) writer.text(fingerprint);
}

const readSigned = (reader: RecordReader): { readonly transaction: Uint8Array; readonly signedBy: readonly string[] } => ({
  transaction: Uint8Array.from(reader.bytes()),
  signedBy: Array.from({ length: reader.u32() }, () => reader.text()),
});

function readCompanion(reader: RecordReader): Signed {
  const { transaction, signedBy } = readSigned(reader),
    content = decodeTopology(transaction);
  assert(!isFailure(content), "a stored topology transaction decodes");
  return { transaction, content: content.ok, signedBy: new Set(signedBy) };
}

/** Keys in a transaction of their own are the party's as those in its mapping are. */
function withKeys(mapping: PartyToParticipant, companions: readonly Signed[]): PartyToParticipant {
  const apart = companions.find(isPartyToKeys)?.content.mapping;
  return apart === undefined ? mapping : { ...mapping, keys: apart.keys, keyThreshold: apart.keyThreshold };
}

/** A party can be onboarded on each synchronizer; a party has no slash. */
const externalPartyKey = ({ party, synchronizer }: Pick<ExternalParty, "party" | "synchronizer">): string =>
  synchronizer === 0 ? party : `${party}/${synchronizer}`;

export function decodeExternalParty(key: string, record: Buffer): ExternalParty {
  const [party = "", number = "0"] = key.split("/"),
    synchronizer = Number(number);
  const reader = new RecordReader(unseal(record, version, "externalParties"));
  const isOnboarded = reader.u8() === 1,
    { transaction, signedBy } = readSigned(reader);
  const companions = reader.isAtEnd ? [] : Array.from({ length: reader.u32() }, () => readCompanion(reader));
  const mapping = decodePartyToParticipant(transaction);
  assert(!isFailure(mapping), "a stored topology transaction decodes");
  return { party, synchronizer, transaction, mapping: withKeys(mapping.ok, companions), signedBy, companions, isOnboarded };
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
    const companions = party.companions.map((companion) => ({ ...companion, transaction: Uint8Array.from(companion.transaction) }));
    this.#byName.set(externalPartyKey(party), { ...party, transaction: Uint8Array.from(party.transaction), companions });
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

/** Those that another participant knows, on synchronizers of both; what lacks signatures stays with those that were asked. */
export function adoptExternalParties(
  group: CommitGroup,
  externalParties: ExternalParties,
  known: ExternalParties,
  isOn: (synchronizer: number) => boolean,
): void {
  for (const external of known.all())
    if (
      external.isOnboarded
      && isOn(external.synchronizer)
      && externalParties.onboarded(external.party, external.synchronizer) === undefined
    )
      keepExternalParty(group, externalParties, external);
}
