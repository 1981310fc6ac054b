/**
 * Reads the topology transaction that creates an external party. Everything that is signed has to be understood: other operations,
 * mappings and fields are refused.
 */
import { isFailure, type Result } from "../../base/result.js";
import { absent, ProtoReader, tagOf, unknownField, WireFailure, WireType, readChecked, type WireError } from "../../lf/wire/index.js";
import { readSigningKey, type SigningKey } from "./signing-keys.js";
import {
  addOrReplace,
  firstSerial,
  type Hosting,
  namespaceUsage,
  ownershipUsage,
  type PartyToParticipant,
  permissions,
  protocolUsage,
  protocolVersion,
  specs,
  spkiFormat,
  usages,
} from "./topology.js";

const varint = (field: number): number => tagOf(field, WireType.varint);
const delimited = (field: number): number => tagOf(field, WireType.delimited);

export function decodePartyToParticipant(bytes: Uint8Array): Result<PartyToParticipant, WireError> {
  return readChecked(() => readWrapper(new ProtoReader(bytes)));
}

function readWrapper(input: ProtoReader): PartyToParticipant {
  let data: Uint8Array | undefined,
    version = 0;
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
  let operation = 0,
    serial = 0,
    mapping: PartyToParticipant | undefined;
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
  if (tag !== delimited(9))
    throw new WireFailure(`mapping ${tag >>> 3} is not supported: only PartyToParticipant is, with the party's signing keys in it`);
  const mapping = within(input, () => readMapping(input));
  if (!input.atEnd) throw new WireFailure("a topology transaction has one mapping");
  return mapping;
}

function readMapping(input: ProtoReader): PartyToParticipant {
  let party = "",
    threshold = 0,
    signing: Signing = { keys: [], keyThreshold: 0 };
  const participants: Hosting[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) party = input.text();
    else if (tag === varint(2)) threshold = input.varint();
    else if (tag === delimited(3)) participants.push(within(input, () => readHosting(input)));
    else if (tag === delimited(6)) signing = within(input, () => readSigning(input));
    else throw unknownField("PartyToParticipant", tag);
  }
  for (const { key, usage } of signing.keys) checkUsage(usage, party.endsWith(`::${key.fingerprint}`));
  return { party, threshold, participants, keys: signing.keys.map(({ key }) => key), keyThreshold: signing.keyThreshold };
}

/** Every key signs transactions. That of the namespace speaks for the party, the others only for themselves. */
function checkUsage(usage: ReadonlySet<number>, isOfNamespace: boolean): void {
  if (!usage.has(protocolUsage)) throw new WireFailure("a signing key lacks the usage protocol");
  if (usage.has(namespaceUsage)) return;
  if (isOfNamespace) throw new WireFailure("the key of the party's namespace lacks the usage namespace");
  if (!usage.has(ownershipUsage)) throw new WireFailure("a signing key lacks the usage proof of ownership");
}

function readHosting(input: ProtoReader): Hosting {
  let participant = "",
    permission = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) participant = input.text();
    else if (tag === varint(2)) permission = input.varint();
    else throw unknownField("PartyToParticipant.HostingParticipant", tag);
  }
  return { participant, permission: named(permissions, permission, "permission") };
}

interface UsableKey {
  readonly key: SigningKey;
  readonly usage: ReadonlySet<number>;
}
interface Signing {
  readonly keys: readonly UsableKey[];
  readonly keyThreshold: number;
}

function readSigning(input: ProtoReader): Signing {
  const keys: UsableKey[] = [];
  let keyThreshold = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) keys.push(within(input, () => readKey(input)));
    else if (tag === varint(2)) keyThreshold = input.varint();
    else throw unknownField("SigningKeysWithThreshold", tag);
  }
  return { keys, keyThreshold };
}

function readKey(input: ProtoReader): UsableKey {
  let format = 0,
    spki: Uint8Array | undefined,
    spec = 0;
  const usage = new Set<number>();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(2)) format = input.varint();
    else if (tag === delimited(3)) spki = input.bytes();
    else if (tag === varint(5)) usage.add(input.varint());
    else if (tag === delimited(5))
      within(input, () => {
        while (!input.atEnd) usage.add(input.varint());
      });
    else if (tag === varint(6)) spec = input.varint();
    else throw unknownField("SigningPublicKey", tag);
  }
  if (format !== spkiFormat || spki === undefined) throw new WireFailure("signing keys are given as SubjectPublicKeyInfo in DER");
  const key = readSigningKey(spki, named(specs, spec, "key specification"));
  if (isFailure(key)) throw new WireFailure(key.error);
  return { key: key.ok, usage: usage.size === 0 ? new Set(usages) : usage }; // a key that names none serves for all
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
