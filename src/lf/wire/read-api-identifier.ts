/** Reads message `Identifier` of the Ledger API. */
import { limits } from "../../config.js";
import type { DefinitionId } from "../ast.js";
import { checkDottedName, checkPackageId } from "../value/index.js";
import { delimited, ProtoReader } from "./proto-reader.js";

/** What is made of a failure is thrown. */
export interface IdentifierRules {
  missing(field: string, what: string): Error;
  invalidField(field: string, message: string): Error;
}

/** The few types of a transaction come again and again: checked once each. */
const knownTypeIds = new Map<string, string>();
/** No identifier needs more. One that is longer has fields that are skipped, as many as whoever sends it likes. */
const knownTypeIdBytesMax = 2_200;

export function readTypeId(input: ProtoReader, rules: IdentifierRules): string {
  const bytes = input.bytes();
  if (bytes.length > knownTypeIdBytesMax) return typeIdIn(bytes, rules);
  const name = bytes.toString("latin1"),
    known = knownTypeIds.get(name);
  if (known !== undefined) return known;
  const typeId = typeIdIn(bytes, rules);
  if (knownTypeIds.size >= limits.knownTypeIdsMax) knownTypeIds.clear();
  knownTypeIds.set(name, typeId);
  return typeId;
}

function typeIdIn(bytes: Uint8Array, rules: IdentifierRules): string {
  const { packageId, module, name } = identifierOf(new ProtoReader(bytes), rules);
  return `${packageId}:${module}:${name}`;
}

export const readApiIdentifier = (input: ProtoReader, rules: IdentifierRules): DefinitionId =>
  identifierOf(new ProtoReader(input.bytes()), rules);

const [first, second, third] = [delimited(1), delimited(2), delimited(3)] as const;

function identifierOf(input: ProtoReader, rules: IdentifierRules): DefinitionId {
  let packageId = "",
    module = "",
    name = "";
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) packageId = input.text();
    else if (tag === second) module = input.text();
    else if (tag === third) name = input.text();
    else input.skip(tag);
  }
  const check = (field: string, wrong: string | undefined): void => {
    if (wrong !== undefined) throw rules.invalidField(field, wrong);
  };
  check("module_name", checkDottedName(module.split(".")));
  check("entity_name", checkDottedName(name.split(".")));
  if (packageId === "") throw rules.missing("package_id", "the package id of an identifier");
  check("package_id", checkPackageId(packageId));
  return { packageId, module, name };
}
