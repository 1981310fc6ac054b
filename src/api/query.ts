/** Query parameters: one small decoder per field, which is also its entry in the published document. */
import { type Result, fail, ok } from "../base/result.js";

export interface QueryField<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
  readonly repeated: boolean;
  /** It is read, but no part of the document. */
  readonly unpublished?: true;
  /** The parameter's texts in order, at least one. Undefined: not readable as this type. */
  parse(texts: readonly string[]): T | undefined;
}

export type QueryFields = Readonly<Record<string, QueryField<unknown>>>;
export type QueryOf<Q extends QueryFields> = {
  readonly [K in keyof Q]: Q[K] extends QueryField<infer T> ? (Q[K] extends { readonly required: true } ? T : T | undefined) : never;
};

const field = <T>(schema: Readonly<Record<string, unknown>>, parse: (text: string) => T | undefined): QueryField<T> => ({
  schema,
  required: false,
  repeated: false,
  parse: (texts) => parse(texts[0] as string),
});

/** In letters of either case, as Scala reads them. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

export const text = (): QueryField<string> => field({ type: "string" }, (value) => value);
export const instant = <T>(read: (text: string) => T | undefined): QueryField<T> => field({ type: "string", format: "date-time" }, read);
export const boolean = (): QueryField<boolean> => field({ type: "boolean" }, (value) => truths.get(value.toLowerCase()));
/** One of these words. */
export const word = <const W extends string>(...words: readonly W[]): QueryField<W> =>
  field({ type: "string", enum: words }, (value) => words.find((each) => each === value));
export const int32 = (): QueryField<number> =>
  field({ type: "integer", format: "int32" }, (value) => integer(value, -(2n ** 31n), 2n ** 31n - 1n));
export const int64 = (): QueryField<number> =>
  field({ type: "integer", format: "int64" }, (value) => integer(value, -(2n ** 63n), 2n ** 63n - 1n));
/** With all its digits. */
export const wholeInt64 = (): QueryField<bigint> =>
  field({ type: "integer", format: "int64" }, (value) => wholeInteger(value, -(2n ** 63n), 2n ** 63n - 1n));

export const required = <T>(of: QueryField<T>): QueryField<T> & { readonly required: true } => ({ ...of, required: true });

/** What the Ledger API has in gRPC only: the document says of its operations what the published one does. */
export const unpublished = <T>(of: QueryField<T>): QueryField<T> => ({ ...of, unpublished: true });

/** May be given any number of times. */
export const texts = (): QueryField<readonly string[]> => ({
  schema: { type: "array", items: { type: "string" } },
  required: false,
  repeated: true,
  parse: (values) => values,
});

export function integer(value: string, min: bigint, max: bigint): number | undefined {
  const number = wholeInteger(value, min, max);
  return number === undefined ? undefined : Number(number);
}

/** An integer in decimal digits, as Java reads one. */
function wholeInteger(value: string, min: bigint, max: bigint): bigint | undefined {
  if (!/^[+-]?0*[0-9]{1,20}$/.test(value)) return undefined;
  const number = BigInt(value.startsWith("+") ? value.slice(1) : value);
  return number < min || number > max ? undefined : number;
}

/** URLSearchParams takes such text as it is. */
const malformedEscape = /%(?![0-9A-Fa-f]{2})/;

/** What is wrong with a query of which nothing else is looked at. */
export const brokenEscape = (query: string): string | undefined =>
  malformedEscape.test(query) ? "query (a % stands before two hexadecimal digits only)" : undefined;

/** URLSearchParams puts replacement characters in the place of such bytes. */
function notUtf8(query: string): string | undefined {
  const bad = query.split("&").find((pair) => decoded(pair) === undefined);
  if (bad === undefined) return undefined;
  const name = decoded(bad.split("=")[0]!);
  return name === undefined ? "query (a name in it is not UTF-8)" : `query parameter ${name} (its bytes are not UTF-8)`;
}

function decoded(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped.replaceAll("+", " "));
  } catch {
    return undefined; // URIError
  }
}

/** The error is the text of the plain 400. */
export function decodeQuery<Q extends QueryFields>(fields: Q, query: string): Result<QueryOf<Q>, string> {
  const broken = brokenEscape(query) ?? (query.includes("%") ? notUtf8(query) : undefined);
  if (broken !== undefined) return fail(broken);
  const given = query === "" ? undefined : new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(fields)) {
    const found = given?.getAll(name) ?? [];
    if (found.length === 0) {
      if (of.required) return fail(`query parameter ${name} (missing)`);
      continue;
    }
    if (found.length > 1 && !of.repeated) {
      const isReadable = found.every((each) => of.parse([each]) !== undefined);
      return fail(`query parameter ${name}${isReadable ? " (multiple values)" : ""}`);
    }
    const value = of.parse(found);
    if (value === undefined) return fail(`query parameter ${name}`);
    values[name] = value;
  }
  return ok(values as QueryOf<Q>);
}
