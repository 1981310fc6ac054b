/**
 * Hashes that ids of older contracts hold: over the stored value without its type, and over the id of its package
 * (reference: LegacyBuilder and UpgradeFriendlyBuilder of daml-lf/transaction crypto/Hash.scala).
 */
import type { DefinitionId } from "../ast.js";
import type { LedgerField, LedgerValue } from "../value/index.js";
import { bigInteger } from "./hash.js";
import { HashWriter } from "./hash-writer.js";

/** `upgradeFriendly` leaves fields out that have the default of their type, so that fields added later change nothing. */
export type UntypedHashing = "legacy" | "upgradeFriendly";

const purposeOfContracts = 5;
const versions = { legacy: 0, upgradeFriendly: 1 } as const satisfies Record<UntypedHashing, number>;
const endOfRecord = 0xff;

export function untypedContractHash(
  hashing: UntypedHashing,
  packageName: string,
  template: DefinitionId,
  argument: LedgerValue,
): Uint8Array {
  const out = new HashWriter()
    .byte(versions[hashing])
    .byte(purposeOfContracts)
    .text(packageName)
    .text(template.packageId)
    .qualifiedName(template);
  writers[hashing](out, argument);
  return out.sha256();
}

type WriteValue = (out: HashWriter, value: LedgerValue) => void;

/** Every kind but those that the two differ in. */
function plain(out: HashWriter, value: Exclude<LedgerValue, { kind: "optional" | "record" }>, write: WriteValue): void {
  switch (value.kind) {
    case "unit":
      out.byte(0);
      break;
    case "bool":
      out.byte(value.value ? 1 : 0);
      break;
    case "int64":
      out.int64(value.value);
      break;
    case "numeric":
      bigInteger(out, value.unscaled);
      break;
    case "timestamp":
      out.int64(value.micros);
      break;
    case "date":
      out.int32(value.days);
      break;
    case "party":
    case "text":
      out.text(value.value);
      break;
    case "contractId":
      out.int32(value.hex.length >>> 1).hex(value.hex);
      break;
    case "enum":
      out.text(value.constructor_);
      break;
    case "variant":
      write(out.text(value.constructor_), value.value);
      break;
    case "list":
      out.int32(value.elements.length);
      for (const element of value.elements) write(out, element);
      break;
    case "textMap":
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) write(out.text(key), entry);
      break;
    case "genMap":
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) {
        write(out, key);
        write(out, entry);
      }
      break;
  }
}

function legacy(out: HashWriter, value: LedgerValue): void {
  if (value.kind === "optional") {
    out.int32(value.value === undefined ? 0 : 1);
    if (value.value !== undefined) legacy(out, value.value);
  } else if (value.kind === "record") {
    out.int32(value.fields.length);
    for (const field of value.fields) legacy(out, field.value);
  } else plain(out, value, legacy);
}

function upgradeFriendly(out: HashWriter, value: LedgerValue): void {
  if (value.kind === "optional") {
    out.byte(value.value === undefined ? 0 : 1);
    if (value.value !== undefined) upgradeFriendly(out, value.value);
  } else if (value.kind === "record") upgradeFriendlyFields(out, value.fields);
  else plain(out, value, upgradeFriendly);
}

function upgradeFriendlyFields(out: HashWriter, fields: readonly LedgerField[]): void {
  for (const [index, { value }] of fields.entries()) {
    if (isDefault(value)) continue;
    // Maps stand without the number of their field, as the reference writes them.
    if (value.kind !== "textMap" && value.kind !== "genMap") out.int32(index);
    upgradeFriendly(out, value.kind === "optional" ? value.value! : value);
  }
  out.byte(endOfRecord);
}

function isDefault(value: LedgerValue): boolean {
  switch (value.kind) {
    case "unit":
      return true;
    case "bool":
      return !value.value;
    case "int64":
      return value.value === 0n;
    case "numeric":
      return value.unscaled === 0n;
    case "timestamp":
      return value.micros === 0n;
    case "date":
      return value.days === 0;
    case "text":
      return value.value === "";
    case "list":
      return value.elements.length === 0;
    case "textMap":
    case "genMap":
      return value.entries.length === 0;
    case "optional":
      return value.value === undefined;
    case "party":
    case "contractId":
    case "enum":
    case "variant":
    case "record":
      return false;
  }
}

const writers: Readonly<Record<UntypedHashing, WriteValue>> = { legacy, upgradeFriendly };
