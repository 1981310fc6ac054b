/** A contract as it is stored, disclosed and read by the engine (protobuf `FatContractInstance`). */
import type { Result } from "../../base/result.js";
import type { DefinitionId } from "../ast.js";
import {
  absent,
  delimited,
  givenTwice,
  ProtoReader,
  ProtoWriter,
  readChecked,
  readContractId,
  readNestedMessage,
  readValue,
  tagOf,
  unknownField,
  varint,
  WireFailure,
  WireType,
  writeText,
  writeValueField,
} from "../wire/index.js";
import { type LedgerValue, timestampInRange } from "../value/index.js";
import type { KeyWithMaintainers, Party, SerializationVersion } from "./node.js";
import {
  checkStrictlyAscending,
  readIdentifier,
  readKey,
  readPackageName,
  readParty,
  readVersion,
  writeIdentifier,
  writeKey,
  writeTexts,
} from "./parts-wire.js";

export interface ContractInstance {
  readonly contractId: string; // hex, with suffix
  readonly packageName: string;
  readonly templateId: DefinitionId;
  readonly argument: LedgerValue;
  readonly signatories: readonly Party[];
  readonly stakeholders: readonly Party[];
  readonly key: KeyWithMaintainers | undefined;
  readonly createdAt: bigint; // microseconds: the creating transaction's ledger effective time
  readonly authenticationData: Uint8Array; // wraps the salt of the contract id's suffix
  readonly version: SerializationVersion;
}

export interface DecodeError {
  readonly message: string;
}

/** Field numbers of `FatContractInstance`. */
const fields = {
  contractId: 1,
  packageName: 2,
  templateId: 3,
  argument: 4,
  nonMaintainerSignatories: 5,
  nonSignatoryStakeholders: 6,
  createdAt: 7,
  authenticationData: 8,
  packageVersion: 9,
  key: 1001,
} as const;

const writer = new ProtoWriter();

/** The bytes of `createdEventBlob`: `Versioned` around `FatContractInstance`. */
export function encodeContractInstance(instance: ContractInstance): Uint8Array {
  writer.reset();
  writeContract(writer, instance);
  writer.closeMessage(2, 0);
  writer.textField(1, instance.version);
  return writer.finish();
}

/** Writes the fields of `FatContractInstance`; a create node of a transaction has neither creation time nor authentication data. */
export function writeContract(out: ProtoWriter, instance: ContractInstance): void {
  const { signatories, stakeholders, key } = instance;
  if (key !== undefined) writeKey(out, fields.key, key);
  if (instance.authenticationData.length > 0) out.bytesField(fields.authenticationData, instance.authenticationData);
  if (instance.createdAt !== 0n) {
    out.fixed64(instance.createdAt);
    out.tag(fields.createdAt, WireType.fixed64);
  }
  writeTexts(out, fields.nonSignatoryStakeholders, without(stakeholders, signatories));
  writeTexts(out, fields.nonMaintainerSignatories, without(signatories, key?.maintainers ?? []));
  writeValueField(out, fields.argument, instance.argument);
  writeIdentifier(out, fields.templateId, instance.templateId);
  writeText(out, fields.packageName, instance.packageName);
  out.hexField(fields.contractId, instance.contractId);
}

export const without = (parties: readonly Party[], excluded: readonly Party[]): readonly Party[] =>
  excluded.length === 0 ? parties : parties.filter((party) => !excluded.includes(party));

/** Reads a blob back with all checks; a failure is INVALID_ARGUMENT for whoever sent it. */
export function decodeContractInstance(bytes: Uint8Array): Result<ContractInstance, DecodeError> {
  return readChecked(() => {
    const { version, payload } = readVersioned(new ProtoReader(bytes));
    return assemble(readContract(new ProtoReader(payload), version), version);
  });
}

/** The id alone, of one that was decoded before: it comes first as ledgers write it. */
export function contractIdOfInstance(bytes: Uint8Array): string | undefined {
  const { payload } = readVersioned(new ProtoReader(bytes)),
    input = new ProtoReader(payload);
  if (input.tag() === delimited(fields.contractId)) return readContractId(input);
  const instance = decodeContractInstance(bytes);
  return instance.ok?.contractId;
}

function readVersioned(input: ProtoReader): { readonly version: SerializationVersion; readonly payload: Uint8Array } {
  let version: SerializationVersion | undefined;
  let payload: Uint8Array | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1) && version === undefined) version = readVersion(input.text());
    else if (tag === delimited(2) && payload === undefined) payload = input.bytes();
    else throw unknownField("Versioned", tag);
  }
  if (version === undefined) throw absent("Versioned.version");
  return { version, payload: payload ?? new Uint8Array(0) };
}

/** The fields as they come; absent ones are proto3 defaults. */
class ContractFields {
  contractId: string | undefined;
  packageName: string | undefined;
  templateId: DefinitionId | undefined;
  argument: LedgerValue | undefined;
  key: KeyWithMaintainers | undefined;
  createdAt: bigint | undefined;
  authenticationData: Uint8Array | undefined;
  readonly nonMaintainerSignatories: Party[] = [];
  readonly nonSignatoryStakeholders: Party[] = [];

  /** A field that comes a second time is refused. */
  set<K extends "contractId" | "packageName" | "templateId" | "argument" | "key" | "createdAt" | "authenticationData">(
    field: K,
    value: this[K],
  ): void {
    if (this[field] !== undefined) throw givenTwice(`FatContractInstance.${field}`);
    this[field] = value;
  }
}

function readContract(input: ProtoReader, version: SerializationVersion): ContractFields {
  const contract = new ContractFields();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    switch (tag) {
      case delimited(fields.contractId):
        contract.set("contractId", readContractId(input));
        break;
      case delimited(fields.packageName):
        contract.set("packageName", readPackageName(input));
        break;
      case delimited(fields.templateId):
        contract.set(
          "templateId",
          readNestedMessage(input, () => readIdentifier(input)),
        );
        break;
      case delimited(fields.argument):
        contract.set(
          "argument",
          readNestedMessage(input, () => readValue(input, 0)),
        );
        break;
      case delimited(fields.nonMaintainerSignatories):
        contract.nonMaintainerSignatories.push(readParty(input));
        break;
      case delimited(fields.nonSignatoryStakeholders):
        contract.nonSignatoryStakeholders.push(readParty(input));
        break;
      case tagOf(fields.createdAt, WireType.fixed64):
        contract.set("createdAt", input.fixed64());
        break;
      case delimited(fields.authenticationData):
        contract.set("authenticationData", Uint8Array.from(input.bytes()));
        break;
      case varint(fields.packageVersion):
        input.int32();
        break; // no longer used
      case delimited(fields.packageVersion):
        input.bytes();
        break; // the same, packed
      case delimited(fields.key):
        contract.set(
          "key",
          readNestedMessage(input, () => readKey(input, version)),
        );
        break;
      default:
        throw unknownField("FatContractInstance", tag);
    }
  }
  return contract;
}

function assemble(contract: ContractFields, version: SerializationVersion): ContractInstance {
  const { contractId, packageName, templateId, argument, key, createdAt = 0n } = contract;
  if (contractId === undefined) throw absent("contract_id");
  if (packageName === undefined) throw absent("package_name");
  if (templateId === undefined) throw absent("template_id");
  if (argument === undefined) throw absent("create_arg");
  if (!timestampInRange(createdAt)) throw new WireFailure(`created_at ${createdAt} is not a known time`);
  const authenticationData = contract.authenticationData ?? new Uint8Array(0);
  return { contractId, packageName, templateId, argument, ...parties(contract), key, createdAt, authenticationData, version };
}

/** The three disjoint sets of the wire, put together. */
function parties(contract: ContractFields): { readonly signatories: readonly Party[]; readonly stakeholders: readonly Party[] } {
  const { nonMaintainerSignatories, nonSignatoryStakeholders, key } = contract;
  checkStrictlyAscending("non_maintainer_signatories", nonMaintainerSignatories);
  checkStrictlyAscending("non_signatory_stakeholders", nonSignatoryStakeholders);
  const signatories = disjointUnion(key?.maintainers ?? [], nonMaintainerSignatories);
  if (signatories.length === 0) throw absent("a signatory");
  return { signatories, stakeholders: disjointUnion(signatories, nonSignatoryStakeholders) };
}

function disjointUnion(left: readonly Party[], right: readonly Party[]): readonly Party[] {
  const members = new Set(left);
  for (const party of right) if (members.has(party)) throw new WireFailure(`party ${party} is in two sets that exclude each other`);
  return right.length === 0 ? left : [...left, ...right].sort();
}
