/** Named single values of the node: its identity and secrets, made at the first start. */
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { RecordReader, RecordWriter, unseal, type Batch, type Tables } from "../../store/index.js";

const version = 1;

export interface Identity {
  /** `name::fingerprint` */
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
export const participantNameOf = nameOf;
export const synchronizerNameOf = nameOf;

export const readIdentity = (tables: Tables): Identity | undefined => {
  const record = tables.state.read("identity");
  if (!record) return undefined;
  const reader = new RecordReader(unseal(record, version, "state"));
  const participantId = reader.text(),
    synchronizerId = reader.text(),
    synchronizerAlias = reader.text();
  return {
    participantId,
    synchronizerId,
    synchronizerAlias,
    namespace: participantId.slice(participantId.indexOf("::") + 2),
    namespaceKey: Buffer.from(reader.bytes()),
    pageTokenKey: Buffer.from(reader.bytes()),
  };
};

export interface SynchronizerNames {
  /** What its id begins with. */
  readonly name: string;
  /** What participants call it. */
  readonly alias: string;
}

export function newIdentity(participantName: string, synchronizerNames: SynchronizerNames): Identity {
  const participant = newFingerprint(),
    synchronizer = newFingerprint();
  return {
    participantId: `${participantName}::${participant.fingerprint}`,
    namespace: participant.fingerprint,
    synchronizerId: `${synchronizerNames.name}::${synchronizer.fingerprint}`,
    synchronizerAlias: synchronizerNames.alias,
    namespaceKey: participant.pkcs8,
    pageTokenKey: randomBytes(32),
  };
}

export function writeIdentity(batch: Batch, tables: Tables, identity: Identity): void {
  const record = new RecordWriter()
    .text(identity.participantId)
    .text(identity.synchronizerId)
    .text(identity.synchronizerAlias)
    .bytes(identity.namespaceKey)
    .bytes(identity.pageTokenKey)
    .finish(version);
  batch.put(tables.state, "identity", record);
}
