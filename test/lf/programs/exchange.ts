/** Packages that mostly are not well typed: a random one in which parts have changed places, are there twice, or are missing. */
import type { Module } from "../../../src/lf/ast.js";
import type { Random } from "../../support/random.js";

/** Only what is of one sort changes places: everything else could not be written. */
interface Place {
  readonly sort: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

const types: ReadonlySet<string> = new Set(["builtin", "con", "var", "app", "nat", "struct", "forall", "syn"]);
/** Members that hold types, of which expressions have others with the same kinds. */
const typeMembers: ReadonlySet<string> = new Set(["type", "types", "returnType", "exceptionType", "methods", "args"]);
const names: ReadonlySet<string> = new Set([
  "name",
  "field",
  "constructor_",
  "binder",
  "head",
  "tail",
  "body",
  "choice",
  "method",
  "builtin",
  "param",
]);
/** What has a kind and is neither a type nor an expression. */
const otherKinds: ReadonlySet<string> = new Set(["pattern", "cons", "kind", "value", "update"]);
const lists: ReadonlySet<string> = new Set([
  "params",
  "fields",
  "alternatives",
  "constructors",
  "requires",
  "implements",
  "types",
  "args",
  "bindings",
]);

function* placesOf(value: unknown, path: readonly (string | number)[], isType: boolean): IterableIterator<Place> {
  for (const [key, item] of entriesOf(value)) {
    const at = [...path, key];
    const inTypes = isType || (typeof key === "string" && typeMembers.has(key)) || (isTree(value) && isDefinedType(value, key));
    if (typeof item === "string" && names.has(String(key))) yield { sort: `name ${key}`, path: at, value: item };
    else if (typeof item === "boolean") yield { sort: `flag ${key}`, path: at, value: item };
    if (!isTree(item)) continue;
    if ("packageId" in item) {
      yield { sort: "id", path: at, value: item };
      continue;
    }
    if (Array.isArray(item) && lists.has(String(key)) && item.length > 0) yield { sort: `list ${key}`, path: at, value: item };
    if (key === "kind") yield { sort: "kind", path: at, value: item };
    else if (typeof item["kind"] === "string" && !otherKinds.has(String(key))) {
      const sort = inTypes && types.has(item["kind"]) ? "type" : "expression";
      yield { sort, path: at, value: item };
    }
    // an argument of a function is an expression again
    yield* placesOf(item, at, inTypes && key !== "expr");
  }
}

/** The types of definitions stand beside expressions. */
const isDefinedType = (value: Tree, key: string | number): boolean => key === "view" && "requires" in value;

const entriesOf = (value: unknown): Iterable<readonly [string | number, unknown]> =>
  value instanceof Map
    ? (value as Map<string, unknown>)
    : Array.isArray(value)
      ? (value as unknown[]).entries()
      : isTree(value)
        ? Object.entries(value)
        : [];

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  if (value instanceof Map) return new Map(value).set(key, replaced(value.get(key), rest, by));
  if (Array.isArray(value)) return value.with(key as number, replaced(value[key as number], rest, by));
  return { ...(value as Tree), [key]: replaced((value as Tree)[key], rest, by) };
}

export interface Exchanged {
  readonly module: Module;
  /** What was done to it. */
  readonly what: string;
}

/** One change. What it makes is not always something that an archive can say. */
export function exchanged(module: Module, random: Random): Exchanged {
  const places = [...placesOf(module, [], false)],
    sorts = [...new Set(places.map(({ sort }) => sort))];
  const weighted = ["expression", "expression", "expression", "type", "type", "id", ...sorts],
    sort = random.one(weighted);
  const same = places.filter((place) => place.sort === sort);
  if (same.length === 0) return exchanged(module, random);
  const { path, value } = random.one(same),
    by = changed(sort, value, same, random);
  return { module: replaced(module, path, by) as Module, what: `${path.join(".")}: ${shown(value)} -> ${shown(by)}` };
}

function changed(sort: string, value: unknown, same: readonly Place[], random: Random): unknown {
  if (typeof value === "boolean") return !value;
  if (!sort.startsWith("list")) return random.one(same).value;
  const list = value as readonly unknown[],
    at = random.below(list.length);
  return random.chance(0.5) ? list.toSpliced(at, 1) : list.toSpliced(random.below(list.length + 1), 0, list[at]);
}

const charactersShown = 200;
const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)).slice(0, charactersShown);
