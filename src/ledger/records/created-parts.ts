/** Where the members of a created event lie in its record, for those who put them together in another way. */
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "../../base/json-bytes.js";
import type { EventMarks, UpdateMarks } from "./update-marks.js";

/** Of each part where it begins and where it ends, in the record's bytes, which are JSON in UTF-8. */
export interface CreatedParts {
  readonly offset: number;
  readonly nodeId: number;
  readonly bytes: Buffer;
  /** Between its quotes, as template id, time and package name. */
  readonly updateIdStart: number;
  readonly updateIdEnd: number;
  /** `"contractId":"..","templateId":".."` */
  readonly identityStart: number;
  readonly identityEnd: number;
  readonly templateIdStart: number;
  readonly templateIdEnd: number;
  /** The value alone. */
  readonly argumentStart: number;
  readonly argumentEnd: number;
  /** `"signatories":[..],"observers":[..]` */
  readonly stakeholdersStart: number;
  readonly stakeholdersEnd: number;
  readonly createdAtStart: number;
  readonly createdAtEnd: number;
  readonly packageNameStart: number;
  readonly packageNameEnd: number;
}

const updateIdMember = `"updateId":"`,
  updateIdChars = 68;
const templateIdMember = `","templateId":"`,
  keyMember = `,"contractKey":`,
  hashMember = `,"contractKeyHash":"`,
  argumentMember = `","createArgument":`,
  beforeBlob = `,"createdEventBlob":"`;
const createdAtMember = Buffer.from(`,"createdAt":"`),
  packageNameMember = `","packageName":"`;
const letterN = 0x6e;

/** The layout is that of `update-record.ts`. */
export function createdParts(update: UpdateMarks, event: EventMarks): CreatedParts {
  const { bytes, offset, bodyStart } = update,
    { nodeId, objectStart, identityEnd, blobSlot } = event;
  const updateIdStart = bodyStart + updateIdMember.length;
  const identityStart = objectStart + `{"offset":${offset},"nodeId":${nodeId},`.length;
  const contractIdEnd = bytes.indexOf(quote, identityStart + `"contractId":"`.length),
    templateIdStart = contractIdEnd + templateIdMember.length;
  const stakeholdersStart = event.witnessesEnd + "],".length,
    stakeholdersEnd = bytes.indexOf(createdAtMember, stakeholdersStart);
  const createdAtStart = stakeholdersEnd + createdAtMember.length,
    createdAtEnd = bytes.indexOf(quote, createdAtStart);
  const packageNameStart = createdAtEnd + packageNameMember.length;
  return {
    offset,
    nodeId,
    bytes,
    updateIdStart,
    updateIdEnd: updateIdStart + updateIdChars,
    identityStart,
    identityEnd,
    templateIdStart,
    templateIdEnd: identityEnd - 1,
    argumentStart: argumentStart(bytes, identityEnd),
    argumentEnd: blobSlot - beforeBlob.length,
    stakeholdersStart,
    stakeholdersEnd,
    createdAtStart,
    createdAtEnd,
    packageNameStart,
    packageNameEnd: bytes.indexOf(quote, packageNameStart),
  };
}

function argumentStart(bytes: Buffer, identityEnd: number): number {
  const keyStart = identityEnd + keyMember.length,
    keyEnd = bytes[keyStart] === letterN ? keyStart + "null".length : endOfValue(bytes, keyStart);
  return bytes.indexOf(quote, keyEnd + hashMember.length) + argumentMember.length; // a hash has no quotes
}

/** Of JSON without white space. */
function endOfValue(bytes: Buffer, from: number): number {
  for (let at = from, depth = 0; ; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && depth > 0) depth--;
    else if (depth === 0 && (byte === comma || byte === undefined)) return at;
    if (depth === 0 && (byte === quote || byte === closeBrace || byte === closeBracket)) return at + 1;
  }
}

/** The closing quote. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from + 1; ; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote || at >= bytes.length) return at;
  }
}
