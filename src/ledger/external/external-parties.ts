/** The external parties that the node knows, with their keys, in memory; and the onboarding that still lacks signatures. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { RecordReader, RecordWriter, unseal, type Tables } from "../../store/index.js";
import type { CommitGroup } from "../commit/index.js";
import type { Party } from "../model/index.js";
import { isPartyToKeys, type Signed } from "./namespaces.js";
import type { PartyToParticipant } from "./topology.js";
import { combinedHash } from "./topology-hash.js";
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
const onboardedKey = ({ party, synchronizer }: Pick<ExternalParty, "party" | "synchronizer">): string =>
  synchronizer === 0 ? party : `${party}/${synchronizer}`;

/** What somebody asks to be signed: the hosts and the keys of a party. What was signed for one proposal says nothing about another. */
export type Proposed = Pick<ExternalParty, "party" | "synchronizer" | "transaction" | "companions">;

/** Proposals of one party stand beside each other. Earlier versions kept one, under the key of those that are onboarded. */
function proposalKey({ party, synchronizer, transaction, companions }: Proposed): string {
  const proposed = [transaction, ...companions.filter(isPartyToKeys).map((keys) => keys.transaction)];
  return `${party}/${synchronizer}/${combinedHash(proposed).toString("hex")}`;
}

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

const noProposals: ReadonlyMap<string, ExternalParty> = new Map();

export class ExternalParties {
  readonly #onboarded = new Map<string, ExternalParty>();
  /** By party and synchronizer, and there by what is proposed. */
  readonly #proposals = new Map<string, Map<string, ExternalParty>>();

  static read(tables: Tables): ExternalParties {
    const parties = new ExternalParties();
    for (const { key, value } of tables.externalParties.all()) parties.set(decodeExternalParty(key, value));
    return parties;
  }

  /** Undefined also while signatures are missing. Each synchronizer has its own: what is good for one says nothing about another. */
  onboarded(party: Party, synchronizer: number): ExternalParty | undefined {
    return this.#onboarded.get(onboardedKey({ party, synchronizer }));
  }
  /** What is known of it while signatures are missing. */
  proposal(proposed: Proposed): ExternalParty | undefined {
    return this.#proposals.get(onboardedKey(proposed))?.get(proposalKey(proposed));
  }
  /** Of the same party on the same synchronizer. */
  proposals(of: Pick<ExternalParty, "party" | "synchronizer">): readonly ExternalParty[] {
    return [...(this.#proposals.get(onboardedKey(of)) ?? noProposals).values()];
  }
  /** With bytes of its own: those of a request lie in memory that it shares with others. */
  set(party: ExternalParty): void {
    const companions = party.companions.map((companion) => ({ ...companion, transaction: Uint8Array.from(companion.transaction) })),
      own = { ...party, transaction: Uint8Array.from(party.transaction), companions },
      key = onboardedKey(own);
    if (own.isOnboarded) {
      this.#onboarded.set(key, own);
      return;
    }
    const proposals = this.#proposals.get(key) ?? new Map<string, ExternalParty>();
    this.#proposals.set(key, proposals.set(proposalKey(own), own));
  }
  /** Forgets one that was set. */
  remove(party: ExternalParty): void {
    const key = onboardedKey(party),
      proposals = this.#proposals.get(key);
    if (party.isOnboarded) this.#onboarded.delete(key);
    else if (proposals?.delete(proposalKey(party)) === true && proposals.size === 0) this.#proposals.delete(key);
  }
  *all(): Iterable<ExternalParty> {
    yield* this.#onboarded.values();
    for (const proposals of this.#proposals.values()) yield* proposals.values();
  }
}

/** Keeps a party, or a proposal of one in place of what was known of it before. */
export function keepExternalParty(group: CommitGroup, externalParties: ExternalParties, external: ExternalParty): void {
  const before = external.isOnboarded ? undefined : externalParties.proposal(external),
    key = external.isOnboarded ? onboardedKey(external) : proposalKey(external);
  if (external.isOnboarded) removeProposals(group, externalParties, external);
  group.batch.put(group.tables.externalParties, key, encodeExternalParty(external));
  externalParties.set(external);
  group.undoable(() => (before === undefined ? externalParties.remove(external) : externalParties.set(before)));
}

/** Nobody waits for another once the party is there. */
function removeProposals(group: CommitGroup, externalParties: ExternalParties, external: ExternalParty): void {
  for (const proposal of externalParties.proposals(external)) {
    group.batch.remove(group.tables.externalParties, proposalKey(proposal));
    externalParties.remove(proposal);
    group.undoable(() => externalParties.set(proposal));
  }
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
