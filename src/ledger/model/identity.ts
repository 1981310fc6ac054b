/** Named single values of the node: its identity and secrets, made at the first start. */
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { RecordReader, RecordWriter, unseal, type Batch, type Tables } from "../../store/index.js";

/** Version 2 has the participant's name, where its id begins with something else. */
const version = 2,
  versionOfNamed = 1;

export interface Identity {
  /** By which it is started and known to whoever runs it. */
  readonly participantName: string;
  /** `name::fingerprint`, but for some participants of a LocalNet, whose ids all begin alike. */
  readonly participantId: string;
  readonly namespace: string;
  /** Of the first synchronizer, see `synchronizers.ts`. */
  readonly synchronizerId: string;
  readonly synchronizerAlias: string;
  /** PKCS #8 of the namespace's Ed25519 key. */
  readonly namespaceKey: Buffer;
  /** Binds page tokens to this node. */
  readonly pageTokenKey: Buffer;
}

/** Purpose 12 = public key fingerprint; of an Ed25519 key the raw 32 bytes are hashed (Canton's `HashPurpose.PublicKeyFingerprint`). */
export function keyFingerprint(rawKey: Uint8Array): string {
  const purpose = Buffer.from([0, 0, 0, 12]);
  return `1220${createHash("sha256").update(purpose).update(rawKey).digest("hex")}`;
}

const rawKeyBytes = 32;
export const newFingerprint = (): { readonly fingerprint: string; readonly pkcs8: Buffer } => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  return {
    fingerprint: keyFingerprint(spki.subarray(spki.length - rawKeyBytes)),
    pkcs8: privateKey.export({ type: "pkcs8", format: "der" }),
  };
};

/** A ledger keeps the name that it was first started with: its contracts, parties and tokens name it. */
export class ParticipantNameDiffers extends Error {
  override readonly name = "ParticipantNameDiffers";
  constructor(known: string, asked: string) {
    super(`The ledger belongs to participant ${known}; it cannot be started as ${asked}.`);
  }
}

const nameOf = (id: string): string => id.slice(0, id.indexOf("::"));
export const synchronizerNameOf = nameOf;

export const readIdentity = (tables: Tables): Identity | undefined => {
  const record = tables.state.read("identity");
  if (!record) return undefined;
  const reader = new RecordReader(unseal(record, version, "state"));
  const participantId = reader.text(),
    synchronizerId = reader.text(),
    synchronizerAlias = reader.text(),
    namespaceKey = Buffer.from(reader.bytes()),
    pageTokenKey = Buffer.from(reader.bytes());
  return {
    participantName: reader.isAtEnd ? nameOf(participantId) : reader.text(),
    participantId,
    synchronizerId,
    synchronizerAlias,
    namespace: participantId.slice(participantId.indexOf("::") + 2),
    namespaceKey,
    pageTokenKey,
  };
};

export interface SynchronizerNames {
  /** What its id begins with. */
  readonly name: string;
  /** What participants call it. */
  readonly alias: string;
  /** Its namespace is that of the participant that founds it; else one of its own. */
  readonly hasNamespaceOfFounder?: boolean;
}

/** `identifier`: what the participant's id begins with. */
export function newIdentity(participantName: string, synchronizerNames: SynchronizerNames, identifier = participantName): Identity {
  const participant = newFingerprint(),
    synchronizer = synchronizerNames.hasNamespaceOfFounder ? participant : newFingerprint();
  return {
    participantName,
    participantId: `${identifier}::${participant.fingerprint}`,
    namespace: participant.fingerprint,
    synchronizerId: `${synchronizerNames.name}::${synchronizer.fingerprint}`,
    synchronizerAlias: synchronizerNames.alias,
    namespaceKey: participant.pkcs8,
    pageTokenKey: randomBytes(32),
  };
}

export function writeIdentity(batch: Batch, tables: Tables, identity: Identity): void {
  const { participantName, participantId } = identity,
    isNamed = nameOf(participantId) === participantName;
  const writer = new RecordWriter()
    .text(participantId)
    .text(identity.synchronizerId)
    .text(identity.synchronizerAlias)
    .bytes(identity.namespaceKey)
    .bytes(identity.pageTokenKey);
  batch.put(tables.state, "identity", isNamed ? writer.finish(versionOfNamed) : writer.text(participantName).finish(version));
}
