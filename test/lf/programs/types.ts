/** Types of random programs: drawn, and held against those of the builtin functions. */
import type { Kind, Type, TypeVarWithKind } from "../../../src/lf/ast.js";
import { type BuiltinName, builtins, runnableBuiltin } from "../../../src/lf/builtins.js";
import { anyException, asFunction, failureCategory, fn, forall, natural, star, struct, typeRep } from "../../../src/lf/type-forms.js";
import type { Random } from "../../support/random.js";
import { type } from "../../support/lf-builder.js";
import { instantiate } from "../validation/value-shape.js";
import { scales } from "./edges.js";
import type { World } from "./world.js";

/** The same for the same types only. */
export const keyOf = (of: Type): string => JSON.stringify(of);
export const isSame = (one: Type, other: Type): boolean => one === other || keyOf(one) === keyOf(other);

export const replaced = (params: readonly TypeVarWithKind[], found: Found, of: Type): Type => {
  const known = params.filter(({ name }) => found.has(name));
  return instantiate(
    known,
    known.map(({ name }) => found.get(name)!),
    of,
  );
};

export type Found = Map<string, Type>;

/** What stands for the parameters so that the pattern is the type; false where nothing does. */
export function unify(pattern: Type, of: Type, params: ReadonlySet<string>, found: Found): boolean {
  if (pattern.kind === "var" && params.has(pattern.name)) {
    const known = found.get(pattern.name);
    if (known !== undefined) return isSame(known, of);
    found.set(pattern.name, of);
    return true;
  }
  if (pattern.kind === "app")
    return of.kind === "app" && unify(pattern.fun, of.fun, params, found) && unify(pattern.arg, of.arg, params, found);
  if (pattern.kind === "struct")
    return (
      of.kind === "struct"
      && of.fields.length === pattern.fields.length
      && pattern.fields.every(({ name, type: inner }, index) => {
        const other = of.fields[index]!;
        return other.name === name && unify(inner, other.type, params, found);
      })
    );
  return isSame(pattern, of);
}

/** A builtin function that is given some of its arguments. */
export interface Application {
  readonly builtin: BuiltinName;
  readonly params: readonly TypeVarWithKind[];
  readonly args: readonly Type[];
  readonly result: Type;
}

const applicationsOf = (builtin: BuiltinName): readonly Application[] => {
  const params: TypeVarWithKind[] = [];
  let result = builtins[builtin].type;
  for (; result.kind === "forall"; result = result.body) params.push(result.binder);
  const found: Application[] = [];
  for (const args: Type[] = []; ;) {
    found.push({ builtin, params, args: [...args], result });
    const arrow = asFunction(result);
    if (arrow === undefined) return found;
    args.push(arrow.param);
    result = arrow.result;
  }
};

/** `keyed`: of the version that has keys. */
export const applications = (keyed: boolean): readonly Application[] =>
  (Object.keys(builtins) as BuiltinName[])
    .filter((name) => runnableBuiltin(name) !== undefined && (keyed || builtins[name].feature === undefined))
    .flatMap(applicationsOf);

export const scalars: readonly Type[] = [
  ...[type.int64, type.int64, type.int64, type.text, type.text, type.bool, type.unit, type.date, type.timestamp, type.party],
];

export class Types {
  constructor(
    readonly random: Random,
    readonly world: World,
  ) {}

  numeric(): Type {
    return type.numeric(this.random.one(scales));
  }

  /** Of what a choice may return and a contract hold. */
  serializable(depth: number): Type {
    return this.#draw(depth, true);
  }
  /** Also of functions, structs and what has lost its type. */
  any(depth: number): Type {
    return this.#draw(depth, false);
  }

  #draw(depth: number, isSerializable: boolean): Type {
    const { random } = this,
      inner = (): Type => this.#draw(depth - 1, isSerializable);
    if (!isSerializable && random.chance(0.15)) return this.#unserializable(depth);
    if (depth <= 0 || random.chance(0.5))
      return random.chance(0.2) ? this.numeric() : random.chance(0.2) ? this.#data(0, isSerializable) : random.one(scalars);
    switch (random.below(7)) {
      case 0:
      case 1:
        return type.list(inner());
      case 2:
        return type.optional(inner());
      case 3:
        return type.textMap(inner());
      case 4:
        return type.genMap(inner(), inner());
      default:
        return this.#data(depth, isSerializable);
    }
  }

  /** One that can be carried in a value: without parameters. */
  constructor_(): Type {
    return this.#data(0, false);
  }

  #data(depth: number, isSerializable: boolean): Type {
    const { id, params } = this.random.one(
      this.world.data.filter((each) => (each.isSerializable || !isSerializable) && (depth > 0 || each.params.length === 0)),
    );
    return type.con(id, ...params.map(() => this.#draw(depth - 1, isSerializable)));
  }

  #unserializable(depth: number): Type {
    const { random } = this,
      inner = (): Type => this.any(depth - 1);
    switch (random.below(depth > 0 ? 9 : 4)) {
      case 0:
        return type.any;
      case 1:
        return typeRep;
      case 2:
        return anyException;
      case 3:
        return failureCategory;
      case 4:
        return fn(inner(), inner());
      case 5:
        return type.update(inner());
      case 6:
        return forall({ name: "p", kind: star }, fn({ kind: "var", name: "p" }, type.list({ kind: "var", name: "p" })));
      default:
        return struct(["a", "m", "z"].slice(random.below(2), 2 + random.below(2)).map((name) => ({ name, type: inner() })));
    }
  }

  /** For a parameter that nothing else settles. */
  ofKind(kind: Kind, depth: number): Type {
    if (kind.kind === "nat") return natural(this.random.one(scales));
    if (kind.kind === "arrow")
      return this.random.one<Type>([
        { kind: "builtin", builtin: "LIST" },
        { kind: "builtin", builtin: "OPTIONAL" },
        { kind: "builtin", builtin: "TEXTMAP" },
        { kind: "con", id: this.world.id("Tree") },
        { kind: "con", id: this.world.id("Deep") },
      ]);
    return this.any(depth);
  }
}
