/**
 * The topology transactions that create an external party (`proto/topology.proto`): a `PartyToParticipant` mapping and those that may come
 * with it. What is handed out to be signed is written here.
 */
import { ProtoWriter, WireType } from "../../lf/wire/index.js";
import type { Party } from "../model/index.js";
import type { Host } from "../parties/index.js";
import type { KeySpec, SigningKey } from "./signing-keys.js";

/** External parties are never submitted for. */
export type Permission = Host["permission"];
export type Hosting = Host;

export interface PartyToParticipant {
  readonly party: Party;
  /** How many confirming participants are needed. */
  readonly threshold: number;
  readonly participants: readonly Hosting[];
  /** Empty where they come in a transaction of their own. */
  readonly keys: readonly SigningKey[];
  readonly keyThreshold: number;
}

/** That a key speaks for a namespace; only for the one that it is named after is it known without that. */
export interface NamespaceDelegation {
  readonly namespace: string;
  readonly key: SigningKey;
  /** Whether the key may have others speak for the namespace, too. */
  readonly mayDelegate: boolean;
}

/** A namespace that so many of its owners speak for together; owners are namespaces. */
export interface DecentralizedNamespace {
  readonly namespace: string;
  readonly threshold: number;
  readonly owners: readonly string[];
}

/** The keys of a party in a transaction of their own, as clients of former releases have them. */
export type PartyToKeys = Pick<PartyToParticipant, "party" | "keys" | "keyThreshold">;

export type TopologyMapping =
  | { readonly kind: "partyToParticipant"; readonly mapping: PartyToParticipant }
  | { readonly kind: "namespaceDelegation"; readonly mapping: NamespaceDelegation }
  | { readonly kind: "decentralizedNamespace"; readonly mapping: DecentralizedNamespace }
  | { readonly kind: "partyToKeys"; readonly mapping: PartyToKeys }
  /** Of no use to a party that is onboarded; told by its field number. */
  | { readonly kind: "other"; readonly number: number };

/** Where the party's name ends. */
export const namespaceOf = (party: Party): string => party.slice(party.indexOf("::") + 2);

export const addOrReplace = 1,
  firstSerial = 1,
  protocolVersion = 30;
export const permissions: Readonly<Record<Permission, number>> = { submission: 1, confirmation: 2, observation: 3 };
export const specs: Readonly<Record<KeySpec, number>> = { ed25519: 1, p256: 2, p384: 3, secp256k1: 4 };
export const spkiFormat = 4;
/** What a key may be used for. */
export const namespaceUsage = 1,
  protocolUsage = 4,
  ownershipUsage = 5;
/** In the order in which the reference writes them. */
export const usages = [namespaceUsage, ownershipUsage, protocolUsage] as const;
/** Of a key that was given without a word of what it is for, as validators get theirs; one more is of no use to a party. */
const sequencerUsage = 3,
  everyUsage = [namespaceUsage, sequencerUsage, protocolUsage, ownershipUsage] as const;

const writer = new ProtoWriter();

export const encodePartyToParticipant = (mapping: PartyToParticipant): Uint8Array => encode(9, () => writeHosting(mapping));

/** Of a key that may delegate: the root of its namespace. */
export const encodeRootDelegation = (key: SigningKey): Uint8Array =>
  encode(1, () => {
    nested(4, () => {}); // can_sign_all_mappings, which has no fields
    nested(2, () => writeKey(key, everyUsage));
    writer.textField(1, key.fingerprint);
  });

export const encodePartyToKeys = ({ party, keys, keyThreshold }: PartyToKeys): Uint8Array =>
  encode(16, () => {
    for (const key of [...keys].reverse()) nested(4, () => writeKey(key, everyUsage));
    number(3, keyThreshold);
    writer.textField(1, party);
  });

/** The bytes of the transaction in its version wrapper. Fields are written from the last to the first. */
function encode(field: number, writeMapping: () => void): Uint8Array {
  writer.reset();
  number(2, protocolVersion);
  nested(1, () => {
    // UntypedVersionedMessage.data
    nested(3, () => nested(field, writeMapping));
    number(2, firstSerial);
    number(1, addOrReplace);
  });
  return writer.finish();
}

function writeHosting({ party, threshold, participants, keys, keyThreshold }: PartyToParticipant): void {
  if (keys.length > 0) {
    nested(6, () => {
      number(2, keyThreshold);
      for (const key of [...keys].reverse()) nested(1, () => writeKey(key, usages));
    });
  }
  for (const { participant, permission } of [...participants].reverse()) {
    nested(3, () => {
      number(2, permissions[permission]);
      writer.textField(1, participant);
    });
  }
  number(2, threshold);
  writer.textField(1, party);
}

function writeKey(key: SigningKey, uses: readonly number[]): void {
  number(6, specs[key.spec]);
  nested(5, () => {
    for (const usage of [...uses].reverse()) writer.varint(usage);
  });
  writer.bytesField(3, key.spki);
  number(2, spkiFormat);
}

function nested(field: number, write: () => void): void {
  const mark = writer.length;
  write();
  writer.closeMessage(field, mark);
}

function number(field: number, value: number): void {
  writer.varint(value);
  writer.tag(field, WireType.varint);
}
