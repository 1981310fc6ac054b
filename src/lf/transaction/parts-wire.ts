/** Parts that contracts and nodes share on the wire: identifiers, party sets, keys (`proto/transaction.proto`). */
import type { DefinitionId } from "../ast.js";
import { checkDottedName, checkPackageId, checkPackageName, checkParty, type LedgerValue } from "../value/index.js";
import {
  absent,
  checkedText,
  delimited,
  type ProtoReader,
  ProtoWriter,
  readNestedMessage,
  readValue,
  unknownField,
  WireFailure,
  writeText,
  writeValueField,
} from "../wire/index.js";
import type { KeyWithMaintainers, Party, SerializationVersion } from "./node.js";

export function writeTexts(out: ProtoWriter, field: number, texts: readonly string[]): void {
  for (let i = texts.length - 1; i >= 0; i--) out.textField(field, texts[i]!);
}

/** The ids of compiled code are one object each, so their bytes are made once. */
const identifierBytes = new WeakMap<DefinitionId, Uint8Array>();

export function writeIdentifier(out: ProtoWriter, field: number, id: DefinitionId): void {
  let bytes = identifierBytes.get(id);
  if (bytes === undefined) identifierBytes.set(id, (bytes = encodeIdentifier(id)));
  out.bytesField(field, bytes);
}

function encodeIdentifier(id: DefinitionId): Uint8Array {
  const out = new ProtoWriter();
  writeTexts(out, 3, id.name.split("."));
  writeTexts(out, 2, id.module.split("."));
  writeText(out, 1, id.packageId);
  return out.finish();
}

export function writeKey(out: ProtoWriter, field: number, key: KeyWithMaintainers): void {
  const mark = out.length;
  out.hexField(3, key.hash);
  writeTexts(out, 2, key.maintainers);
  writeValueField(out, 1, key.key);
  out.closeMessage(field, mark);
}

export function readIdentifier(input: ProtoReader): DefinitionId {
  let packageId = "";
  const module: string[] = [];
  const name: string[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1) && packageId === "") packageId = input.text();
    else if (tag === delimited(2)) module.push(input.text());
    else if (tag === delimited(3)) name.push(input.text());
    else throw unknownField("Identifier", tag);
  }
  const wrong = checkPackageId(packageId) ?? checkDottedName(module) ?? checkDottedName(name);
  if (wrong !== undefined) throw new WireFailure(wrong);
  return { packageId, module: module.join("."), name: name.join(".") };
}

export function readPackageName(input: ProtoReader): string {
  return checkedText(checkPackageName, input.text());
}
export function readParty(input: ProtoReader): Party {
  return checkedText(checkParty, input.text());
}

export function checkStrictlyAscending(field: string, parties: readonly Party[]): void {
  for (let i = 1; i < parties.length; i++) {
    if (parties[i - 1]! >= parties[i]!) throw new WireFailure(`${field} are not in strictly ascending order`);
  }
}

const keyHashBytes = 32;

/** Keys came with version "2"; their maintainers are a non-empty set. */
export function readKey(input: ProtoReader, version: SerializationVersion): KeyWithMaintainers {
  let key: LedgerValue | undefined;
  let hash: string | undefined;
  const maintainers: Party[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === delimited(1) && key === undefined) key = readNestedMessage(input, () => readValue(input, 0));
    else if (tag === delimited(2)) maintainers.push(readParty(input));
    else if (tag === delimited(3) && hash === undefined) hash = input.hex();
    else throw unknownField("KeyWithMaintainers", tag);
  }
  if (version === "2.1") throw new WireFailure("a contract key needs serialisation version 2");
  if (key === undefined) throw absent("KeyWithMaintainers.key");
  if (hash?.length !== keyHashBytes * 2) throw new WireFailure(`KeyWithMaintainers.hash is not of ${keyHashBytes} bytes`);
  if (maintainers.length === 0) throw absent("KeyWithMaintainers.maintainers");
  return { key, maintainers: [...new Set(maintainers)].sort(), hash };
}

const versions: ReadonlySet<string> = new Set<SerializationVersion>(["2.1", "2", "dev"]);

export function readVersion(text: string): SerializationVersion {
  if (!versions.has(text)) throw new WireFailure(`unknown serialisation version ${JSON.stringify(text.slice(0, 40))}`);
  return text as SerializationVersion;
}
