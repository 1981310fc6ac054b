/**
 * The one topology transaction that creates an external party: a `PartyToParticipant` mapping (`proto/topology.proto`),
 * and the hashes that are signed for it.
 */
import { createHash } from "node:crypto";
import { isFailure, type Result } from "../../base/result.js";
import { absent, ProtoReader, tagOf, unknownField, WireFailure } from "../../lf/value/proto-reader.js";
import { ProtoWriter, WireType } from "../../lf/value/proto-writer.js";
import { readChecked, type WireError } from "../../lf/value/wire.js";
import type { Party } from "../model.js";
import { readSigningKey, type KeySpec, type SigningKey } from "./signing-keys.js";

/** What a participant may do for a party that it hosts. External parties are never submitted for. */
export type Permission = "submission" | "confirmation" | "observation";

export interface Hosting { readonly participant: string; readonly permission: Permission }

export interface PartyToParticipant {
  readonly party: Party;
  /** How many confirming participants are needed. */
  readonly threshold: number;
  readonly participants: readonly Hosting[];
  readonly keys: readonly SigningKey[];
  readonly keyThreshold: number;
}

const addOrReplace = 1, firstSerial = 1, protocolVersion = 30;
const permissions: Readonly<Record<Permission, number>> = { submission: 1, confirmation: 2, observation: 3 };
const specs: Readonly<Record<KeySpec, number>> = { ed25519: 1, p256: 2, p384: 3, secp256k1: 4 };
const spkiFormat = 4;
/** Namespace, proof of ownership, protocol: in the order in which the reference writes them. */
const usages = [1, 5, 4] as const;

const writer = new ProtoWriter();

/** The bytes of the transaction in its version wrapper. Fields are written from the last to the first. */
export function encodePartyToParticipant(mapping: PartyToParticipant): Uint8Array {
  writer.reset();
  number(2, protocolVersion);
  nested(1, () => { // UntypedVersionedMessage.data
    nested(3, () => nested(9, () => writeMapping(mapping)));
    number(2, firstSerial);
    number(1, addOrReplace);
  });
  return writer.finish();
}

function writeMapping({ party, threshold, participants, keys, keyThreshold }: PartyToParticipant): void {
  if (keys.length > 0) {
    nested(6, () => {
      number(2, keyThreshold);
      for (const key of [...keys].reverse()) nested(1, () => writeKey(key));
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

function writeKey(key: SigningKey): void {
  number(6, specs[key.spec]);
  nested(5, () => { for (const usage of [...usages].reverse()) writer.varint(usage); });
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

const varint = (field: number): number => tagOf(field, WireType.varint);
const delimited = (field: number): number => tagOf(field, WireType.delimited);

/** Everything that is signed has to be understood: other operations, mappings and fields are refused. */
export function decodePartyToParticipant(bytes: Uint8Array): Result<PartyToParticipant, WireError> {
  return readChecked(() => readWrapper(new ProtoReader(bytes)));
}

function readWrapper(input: ProtoReader): PartyToParticipant {
  let data: Uint8Array | undefined, version = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) data = input.bytes();
    else if (tag === varint(2)) version = input.varint();
    else throw unknownField("UntypedVersionedMessage", tag);
  }
  if (version !== protocolVersion) throw new WireFailure(`version ${version} of topology transactions is not known`);
  if (data === undefined) throw absent("data");
  return readTransaction(new ProtoReader(data));
}

function readTransaction(input: ProtoReader): PartyToParticipant {
  let operation = 0, serial = 0, mapping: PartyToParticipant | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(1)) operation = input.varint();
    else if (tag === varint(2)) serial = input.varint();
    else if (tag === delimited(3)) mapping = within(input, () => readTopologyMapping(input));
    else throw unknownField("TopologyTransaction", tag);
  }
  if (operation !== addOrReplace) throw new WireFailure("only the operation ADD_REPLACE creates a party");
  if (serial !== firstSerial) throw new WireFailure(`the serial has to be ${firstSerial}, not ${serial}`);
  if (mapping === undefined) throw absent("mapping");
  return mapping;
}

function readTopologyMapping(input: ProtoReader): PartyToParticipant {
  const tag = input.tag();
  if (tag === 0) throw absent("mapping");
  if (tag !== delimited(9)) throw new WireFailure(`mapping ${tag >>> 3} is not supported: only PartyToParticipant is, with the party's signing keys in it`);
  const mapping = within(input, () => readMapping(input));
  if (!input.atEnd) throw new WireFailure("a topology transaction has one mapping");
  return mapping;
}

function readMapping(input: ProtoReader): PartyToParticipant {
  let party = "", threshold = 0, signing: Pick<PartyToParticipant, "keys" | "keyThreshold"> = { keys: [], keyThreshold: 0 };
  const participants: Hosting[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) party = input.text();
    else if (tag === varint(2)) threshold = input.varint();
    else if (tag === delimited(3)) participants.push(within(input, () => readHosting(input)));
    else if (tag === delimited(6)) signing = within(input, () => readSigning(input));
    else throw unknownField("PartyToParticipant", tag);
  }
  return { party, threshold, participants, ...signing };
}

function readHosting(input: ProtoReader): Hosting {
  let participant = "", permission = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) participant = input.text();
    else if (tag === varint(2)) permission = input.varint();
    else throw unknownField("PartyToParticipant.HostingParticipant", tag);
  }
  return { participant, permission: named(permissions, permission, "permission") };
}

function readSigning(input: ProtoReader): Pick<PartyToParticipant, "keys" | "keyThreshold"> {
  const keys: SigningKey[] = [];
  let keyThreshold = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) keys.push(within(input, () => readKey(input)));
    else if (tag === varint(2)) keyThreshold = input.varint();
    else throw unknownField("SigningKeysWithThreshold", tag);
  }
  return { keys, keyThreshold };
}

function readKey(input: ProtoReader): SigningKey {
  let format = 0, spki: Uint8Array | undefined, spec = 0;
  const usage = new Set<number>();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(2)) format = input.varint();
    else if (tag === delimited(3)) spki = input.bytes();
    else if (tag === varint(5)) usage.add(input.varint());
    else if (tag === delimited(5)) within(input, () => { while (!input.atEnd) usage.add(input.varint()); });
    else if (tag === varint(6)) spec = input.varint();
    else throw unknownField("SigningPublicKey", tag);
  }
  if (format !== spkiFormat || spki === undefined) throw new WireFailure("signing keys are given as SubjectPublicKeyInfo in DER");
  if (!usages.every((needed) => usage.has(needed))) throw new WireFailure("a signing key lacks the usage namespace, proof of ownership or protocol");
  const key = readSigningKey(spki, named(specs, spec, "key specification"));
  if (isFailure(key)) throw new WireFailure(key.error);
  return key.ok;
}

function within<T>(input: ProtoReader, read: () => T): T {
  const outer = input.enter();
  const value = read();
  input.leave(outer);
  return value;
}

function named<N extends string>(numbers: Readonly<Record<N, number>>, number: number, what: string): N {
  const name = (Object.keys(numbers) as N[]).find((one) => numbers[one] === number);
  if (name === undefined) throw new WireFailure(`${what} ${number} is not known`);
  return name;
}

const transactionPurpose = 11, combinedPurpose = 55;
const sha256Multihash = Buffer.from([0x12, 0x20]);

/** SHA-256 in multihash form, over the purpose and what it is about. */
function purposeHash(purpose: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256").update(int32(purpose));
  for (const part of parts) hash.update(part);
  return Buffer.concat([sha256Multihash, hash.digest()]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** What is signed for one transaction. */
export const topologyHash = (transaction: Uint8Array): Buffer => purposeHash(transactionPurpose, transaction);

/** What is signed for several at once. */
export function combinedHash(transactions: readonly Uint8Array[]): Buffer {
  const hashes = [...new Set(transactions.map((transaction) => topologyHash(transaction).toString("hex")))].sort().map((hex) => Buffer.from(hex, "hex"));
  return purposeHash(combinedPurpose, int32(hashes.length), ...hashes.flatMap((hash) => [int32(hash.length), hash]));
}
