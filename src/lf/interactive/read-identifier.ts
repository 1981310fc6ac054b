/** Reads message `Identifier` of the Ledger API. */
import type { DefinitionId } from "../ast.js";
import { checkDottedName, checkPackageId } from "../value/index.js";
import { ProtoReader } from "../wire/index.js";
import { ContentFailure, delimited, readFields } from "./content.js";

/** The few types of a transaction come again and again: checked once each. */
const knownTypeIds = new Map<string, string>();
const knownTypeIdsMax = 1_000;

export function readTypeId(input: ProtoReader): string {
  const bytes = input.bytes(),
    name = bytes.toString("latin1");
  const known = knownTypeIds.get(name);
  if (known !== undefined) return known;
  const { packageId, module, name: entity } = identifierOf(new ProtoReader(bytes)),
    typeId = `${packageId}:${module}:${entity}`;
  if (knownTypeIds.size >= knownTypeIdsMax) knownTypeIds.clear();
  knownTypeIds.set(name, typeId);
  return typeId;
}

export const readApiIdentifier = (input: ProtoReader): DefinitionId => identifierOf(new ProtoReader(input.bytes()));

function identifierOf(input: ProtoReader): DefinitionId {
  let packageId = "",
    module = "",
    name = "";
  readFields(input, {
    [delimited(1)]: () => {
      packageId = input.text();
    },
    [delimited(2)]: () => {
      module = input.text();
    },
    [delimited(3)]: () => {
      name = input.text();
    },
  });
  const wrong = checkPackageId(packageId) ?? checkDottedName(module.split(".")) ?? checkDottedName(name.split("."));
  if (wrong !== undefined) throw new ContentFailure(wrong);
  return { packageId, module, name };
}
