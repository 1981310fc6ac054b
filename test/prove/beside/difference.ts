/** Where two answers say different things, with what belongs to each node by nature left aside. */

/** Ids, times and traces that a node draws by itself, and who it is. */
const ownToEach: ReadonlySet<string> = new Set([
  "contractKeyHash",
  "correlationId",
  "createdAt",
  "createdEventBlob",
  "effectiveAt",
  "externalTransactionHash",
  "offset",
  "paidTrafficCost",
  "participant",
  "psid",
  "recordTime",
  "reported_by_participant_id",
  "requestId",
  "streamContinuationToken",
  "synchronizerId",
  "tid",
  "traceContext",
  "traceId",
  "updateId",
]);

/** Sets that are told as lists; parties are in the order of their ids, which is not that of their names. */
const sets: ReadonlySet<string> = new Set(["actingParties", "observers", "signatories", "witnessParties"]);

/** Of a text that was cut so much of its end may be a part of an id. */
const idCharactersMax = 160;
const cutEnd = "...";

/** Who answered: what it calls parties and contracts under names that both nodes have. */
export type Named = (text: string) => string;

export interface Told {
  readonly body: unknown;
  readonly named: Named;
}

/** The first place where they differ, with both; undefined where there is none. */
export function difference(one: Told, other: Told, place = "$"): string | undefined {
  const [a, b] = [one.body, other.body];
  if (typeof a === "string" && typeof b === "string")
    return isSameText({ ...one, body: a }, { ...other, body: b }) ? undefined : at(place, one, other);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b ? undefined : at(place, one, other);
  const names = new Set([...Object.keys(a), ...Object.keys(b)].filter((name) => !ownToEach.has(name)));
  for (const name of names) {
    const part = ({ body, named }: Told): Told => ({ body: partOf(body as Readonly<Record<string, unknown>>, name, named), named });
    const found = difference(part(one), part(other), `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function partOf(body: Readonly<Record<string, unknown>>, name: string, named: Named): unknown {
  const value = body[name];
  if (sets.has(name) && Array.isArray(value)) return value.map((each) => named(String(each))).sort();
  if (name === "value" && "valueDecoded" in body) return undefined; // the same once more, as bytes
  // protobuf, in which the ids of parties stand as they are
  return isResourceOfBytes(body) && name === "1" ? Buffer.from(String(value), "base64").toString("latin1") : value;
}

const isResourceOfBytes = (body: unknown): boolean => Array.isArray(body) && /^ErrorResource\(CONTRACT_(KEY|ARG)\)$/.test(String(body[0]));

interface ToldText extends Told {
  readonly body: string;
}

/** What cannot be rolled back Canton tells as a set, whose order is chance where there are more than four. */
const manyEffects = /Tried to rollback side-effectful node\(s\)(?:[^\n]*\n){4}/;

/** Nodes cut long texts at different lengths: then they say the same as far as the shorter goes. */
function isSameText(one: ToldText, other: ToldText): boolean {
  if (plain(one) === plain(other) || (manyEffects.test(one.body) && manyEffects.test(other.body))) return true;
  const [shorter, longer] = one.body.length < other.body.length ? [one, other] : [other, one];
  if (!shorter.body.endsWith(cutEnd)) return false;
  const kept = shorter.body.slice(0, -cutEnd.length),
    said = withoutCode(plain(longer));
  for (let dropped = 0; dropped <= idCharactersMax && dropped < kept.length; dropped++)
    if (said.startsWith(withoutCode(plain({ ...shorter, body: kept.slice(0, kept.length - dropped) })))) return true;
  return false;
}

/** Canton leaves the code out of what it cuts. */
const withoutCode = (text: string): string => text.replace(/^[A-Z_]+\(\d+\): /, "");

/**
 * Errors begin with numbers of their category and of the request; some tell when it came, hashes, how the id of a contract begins, or what
 * a library for keys has to say of bytes that are none.
 */
const plain = ({ body, named }: ToldText): string =>
  named(body)
    .replace(/\((\d+),[^,()]{1,8}\)/g, "($1)")
    .replace(/(Malformed public key for [0-9a-f]* :\n).*/, "$1")
    .replace(/Hash\([0-9a-f]{64}\)/g, "a hash")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replace(/on contract 00[0-9a-f]{8}/g, "on contract");

const at = (place: string, one: Told, other: Told): string => `${place}\n  ${shown(one)}\n  ${shown(other)}`;
const shown = ({ body, named }: Told): string => named(body === undefined ? "nothing" : JSON.stringify(body));
