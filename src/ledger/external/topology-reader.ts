/**
 * Reads the topology transactions that create an external party. Everything that is signed has to be understood: other operations and
 * fields are refused.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import {
  absent,
  delimited,
  ProtoReader,
  readChecked,
  readNestedMessage,
  unknownField,
  varint,
  type WireError,
  WireFailure,
} from "../../lf/wire/index.js";
import { readSigningKey, type SigningKey } from "./signing-keys.js";
import {
  addOrReplace,
  type DecentralizedNamespace,
  firstSerial,
  type Hosting,
  type NamespaceDelegation,
  namespaceOf,
  namespaceUsage,
  ownershipUsage,
  type PartyToKeys,
  type PartyToParticipant,
  permissions,
  protocolUsage,
  protocolVersion,
  specs,
  spkiFormat,
  type TopologyMapping,
  usages,
} from "./topology.js";

export function decodeTopology(bytes: Uint8Array): Result<TopologyMapping, WireError> {
  return readChecked(() => readWrapper(new ProtoReader(bytes)));
}

/** Where nothing else can be. */
export function decodePartyToParticipant(bytes: Uint8Array): Result<PartyToParticipant, string> {
  const decoded = decodeTopology(bytes);
  if (isFailure(decoded)) return fail(decoded.error.message);
  return decoded.ok.kind === "partyToParticipant" ? ok(decoded.ok.mapping) : fail("it maps no party to participants");
}

function readWrapper(input: ProtoReader): TopologyMapping {
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

function readTransaction(input: ProtoReader): TopologyMapping {
  let operation = 0,
    serial = 0,
    mapping: TopologyMapping | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(1)) operation = input.varint();
    else if (tag === varint(2)) serial = input.varint();
    else if (tag === delimited(3)) {
      if (mapping !== undefined) throw secondMapping();
      mapping = readNestedMessage(input, () => readTopologyMapping(input));
    } else throw unknownField("TopologyTransaction", tag);
  }
  if (operation !== addOrReplace) throw new WireFailure("only the operation ADD_REPLACE creates a party");
  if (serial !== firstSerial) throw new WireFailure(`the serial has to be ${firstSerial}, not ${serial}`);
  if (mapping === undefined) throw absent("mapping");
  return mapping;
}

function readTopologyMapping(input: ProtoReader): TopologyMapping {
  const tag = input.tag();
  if (tag === 0) throw absent("mapping");
  const mapping = readMappingAt(tag, input);
  if (!input.atEnd) throw secondMapping();
  return mapping;
}
const secondMapping = (): WireFailure => new WireFailure("a topology transaction has one mapping");

function readMappingAt(tag: number, input: ProtoReader): TopologyMapping {
  switch (tag) {
    case delimited(1):
      return { kind: "namespaceDelegation", mapping: readNestedMessage(input, () => readDelegation(input)) };
    case delimited(3):
      return { kind: "decentralizedNamespace", mapping: readNestedMessage(input, () => readDecentralized(input)) };
    case delimited(9):
      return { kind: "partyToParticipant", mapping: readNestedMessage(input, () => readMapping(input)) };
    case delimited(16):
      return { kind: "partyToKeys", mapping: readNestedMessage(input, () => readPartyToKeys(input)) };
    default:
      input.skip(tag);
      return { kind: "other", number: tag >>> 3 };
  }
}

/** Without a restriction a flag of former releases tells whether the key may delegate. */
function readDelegation(input: ProtoReader): NamespaceDelegation {
  let namespace = "",
    target: WireKey | undefined,
    isRoot = false,
    restriction: number | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) namespace = input.text();
    else if (tag === delimited(2)) target = readNestedMessage(input, () => readKey(input));
    else if (tag === varint(3)) isRoot = input.varint() === 1;
    else if (tag === delimited(4) || tag === delimited(5) || tag === delimited(6)) {
      restriction = tag >>> 3;
      input.skip(tag);
    } else throw unknownField("NamespaceDelegation", tag);
  }
  if (target === undefined) throw absent("target_key");
  if (!target.usage.has(namespaceUsage)) throw new WireFailure("the key of a namespace delegation lacks the usage namespace");
  if (isRoot && restriction !== undefined) throw new WireFailure("a root delegation is not restricted");
  const mayDelegate = isRoot || restriction === 4;
  const key = signingKeyOf(target);
  if (!mayDelegate && key.fingerprint === namespace)
    throw new WireFailure(`the root delegation of ${namespace} has to be good for other namespace delegations`);
  return { namespace, key, mayDelegate };
}

function readDecentralized(input: ProtoReader): DecentralizedNamespace {
  let namespace = "",
    threshold = 0;
  const owners = new Set<string>();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) namespace = input.text();
    else if (tag === varint(2)) threshold = input.varint();
    else if (tag === delimited(3)) owners.add(input.text());
    else throw unknownField("DecentralizedNamespaceDefinition", tag);
  }
  if (threshold < 1 || threshold > owners.size)
    throw new WireFailure(`the threshold ${threshold} of ${namespace} does not fit ${owners.size} owners`);
  return { namespace, threshold, owners: [...owners] };
}

function readPartyToKeys(input: ProtoReader): PartyToKeys {
  let party = "",
    keyThreshold = 0;
  const keys: WireKey[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) party = input.text();
    else if (tag === varint(3)) keyThreshold = input.varint();
    else if (tag === delimited(4)) keys.push(readNestedMessage(input, () => readKey(input)));
    else throw unknownField("PartyToKeyMapping", tag);
  }
  if (keys.some(({ usage }) => !usage.has(protocolUsage))) throw new WireFailure("a signing key lacks the usage protocol");
  if (keyThreshold < 1 || keyThreshold > keys.length)
    throw new WireFailure(`the signing threshold ${keyThreshold} does not fit ${keys.length} signing keys`);
  return { party, keys: signingKeysOf(keys), keyThreshold };
}

function readMapping(input: ProtoReader): PartyToParticipant {
  let party = "",
    threshold = 0,
    signing: Signing = { keys: [], keyThreshold: 0 };
  const participants: Hosting[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) party = input.text();
    else if (tag === varint(2)) threshold = input.varint();
    else if (tag === delimited(3)) participants.push(readNestedMessage(input, () => readHosting(input)));
    else if (tag === delimited(6)) signing = readNestedMessage(input, () => readSigning(input));
    else throw unknownField("PartyToParticipant", tag);
  }
  if (threshold < 1) throw notPositive("confirmation", threshold);
  const keys = signingKeysOf(signing.keys),
    namespace = namespaceOf(party);
  if (new Set(keys.map(({ fingerprint }) => fingerprint)).size < keys.length)
    throw new WireFailure("a signing key is named more than once");
  for (const [index, { fingerprint }] of keys.entries()) checkUsage(signing.keys[index]!.usage, fingerprint === namespace);
  return { party, threshold, participants, keys, keyThreshold: signing.keyThreshold };
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

/** As it was sent: to look into one takes so long that they are counted first. */
interface WireKey {
  readonly spki: Uint8Array;
  readonly spec: number;
  readonly usage: ReadonlySet<number>;
}
interface Signing {
  readonly keys: readonly WireKey[];
  readonly keyThreshold: number;
}

function readSigning(input: ProtoReader): Signing {
  const keys: WireKey[] = [];
  let keyThreshold = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1)) keys.push(readNestedMessage(input, () => readKey(input)));
    else if (tag === varint(2)) keyThreshold = input.varint();
    else throw unknownField("SigningKeysWithThreshold", tag);
  }
  if (keyThreshold < 1) throw notPositive("signing", keyThreshold);
  return { keys, keyThreshold };
}

const notPositive = (what: string, threshold: number): WireFailure => new WireFailure(`the ${what} threshold ${threshold} is not positive`);

function readKey(input: ProtoReader): WireKey {
  let format = 0,
    spki: Uint8Array | undefined,
    spec = 0;
  const usage = new Set<number>();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(2)) format = input.varint();
    else if (tag === delimited(3)) spki = input.bytes();
    else if (tag === varint(5)) usage.add(input.varint());
    else if (tag === delimited(5))
      readNestedMessage(input, () => {
        while (!input.atEnd) usage.add(input.varint());
      });
    else if (tag === varint(6)) spec = input.varint();
    else throw unknownField("SigningPublicKey", tag);
  }
  if (format !== spkiFormat || spki === undefined) throw new WireFailure("signing keys are given as SubjectPublicKeyInfo in DER");
  return { spki, spec, usage: usage.size === 0 ? new Set(usages) : usage }; // a key that names none serves for all
}

function signingKeysOf(keys: readonly WireKey[]): readonly SigningKey[] {
  if (keys.length > limits.signingKeysMax)
    throw new WireFailure(`a party has at most ${limits.signingKeysMax} signing keys, not ${keys.length}`);
  return keys.map(signingKeyOf);
}

function signingKeyOf({ spki, spec }: WireKey): SigningKey {
  const key = readSigningKey(spki, named(specs, spec, "key specification"));
  if (isFailure(key)) throw new WireFailure(key.error);
  return key.ok;
}

function named<N extends string>(numbers: Readonly<Record<N, number>>, number: number, what: string): N {
  const name = (Object.keys(numbers) as N[]).find((one) => numbers[one] === number);
  if (name === undefined) throw new WireFailure(`${what} ${number} is not known`);
  return name;
}
