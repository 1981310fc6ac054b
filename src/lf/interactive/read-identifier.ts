/** Reads message `Identifier` of the Ledger API. */
import { limits } from "../../config.js";
import type { DefinitionId } from "../ast.js";
import { checkDottedName, checkPackageId } from "../value/index.js";
import { delimited, ProtoReader } from "../wire/index.js";
import { ContentFailure, readFields } from "./content.js";

/** The few types of a transaction come again and again: checked once each. */
const knownTypeIds = new Map<string, string>();
/** No identifier needs more. One that is longer has fields that are skipped, as many as whoever sends it likes. */
const knownTypeIdBytesMax = 2_200;

export function readTypeId(input: ProtoReader): string {
  const bytes = input.bytes();
  if (bytes.length > knownTypeIdBytesMax) return typeIdIn(bytes);
  const name = bytes.toString("latin1"),
    known = knownTypeIds.get(name);
  if (known !== undefined) return known;
  const typeId = typeIdIn(bytes);
  if (knownTypeIds.size >= limits.knownTypeIdsMax) knownTypeIds.clear();
  knownTypeIds.set(name, typeId);
  return typeId;
}

function typeIdIn(bytes: Uint8Array): string {
  const { packageId, module, name } = identifierOf(new ProtoReader(bytes));
  return `${packageId}:${module}:${name}`;
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
