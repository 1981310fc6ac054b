/** What random programs speak of: data types of every form, two exceptions, and the functions that call themselves. */
import type { DefinitionId, Expr, Type } from "../../../src/lf/ast.js";
import { fn, forall, int64, nat, star, text, variable } from "../../../src/lf/type-forms.js";
import { expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import { stockData, stockId, type StockVersion } from "./stock.js";

export const moduleName = "Main";

/** A data type as programs make it and take it apart. */
export interface Data {
  readonly id: DefinitionId;
  readonly params: readonly string[];
  /** Fields or constructors, in the order of their declaration; of an enumeration without types. */
  readonly parts: readonly (readonly [name: string, type: Type])[];
  readonly form: "record" | "variant" | "enum";
  readonly isSerializable: boolean;
}

const a = variable("a"),
  b = variable("b"),
  f = variable("f"),
  n = variable("n");

export class World {
  readonly module = new ModuleBuilder(moduleName);
  readonly #data = new Map<string, Data>();
  readonly exceptions: readonly DefinitionId[];

  /** `hasStock`: of a version in which what is built here may name other packages. */
  constructor(readonly hasStock: boolean) {
    this.#addData();
    this.exceptions = [
      this.#exception("Boom", { code: int64, what: text }, (self) => append(self("what"), toText(self("code")))),
      // Its message is an error of its own where the list is empty.
      this.#exception("Bang", { many: type.list(int64) }, (self) =>
        expr.match(
          self("many"),
          { pattern: { kind: "cons", head: "first", tail: "others" }, body: toText(expr.variable("first")) },
          { pattern: { kind: "nil" }, body: failed(text, "no message") },
        ),
      ),
    ];
    this.#addFunctions();
  }

  get data(): readonly Data[] {
    return [...this.#data.values()];
  }
  /** Of the module itself, or the template of either stock. */
  id(name: string): DefinitionId {
    if (name === "Stock1" || name === "Stock2") return stockId(name === "Stock1" ? 1 : 2, "Stock");
    return this.module.id(name);
  }
  dataOf({ packageId, name }: DefinitionId): Data | undefined {
    return this.#data.get(`${packageId}:${name}`);
  }

  /** A record. */
  record(name: string, fields: Readonly<Record<string, Type>>, params: readonly string[] = []): DefinitionId {
    return this.#add("record", name, fields, params, this.module.record(name, fields, params));
  }

  /** A record that is made with the template or the choice of its name. */
  describe(name: string, fields: Readonly<Record<string, Type>>): void {
    this.#add("record", name, fields, [], this.id(name));
  }

  #addData(): void {
    const rec = this.record("Rec", { n: int64, t: text, l: type.list(int64) });
    this.record("Nothing", {});
    this.record("Pair", { first: a, second: b }, ["a", "b"]);
    this.record("Deep", { inner: type.optional(type.optional(a)), more: type.list(type.list(a)) }, ["a"]);
    this.record("Wide", {
      day: type.date,
      time: type.timestamp,
      who: type.party,
      nothing: type.unit,
      many: type.genMap(text, type.optional(int64)),
      amount: type.numeric(10),
    });
    const branch = this.id("Branch");
    this.#variant("Tree", { Tip: type.unit, Node: type.con(branch, a) }, ["a"]);
    this.record("Branch", { left: type.con(this.id("Tree"), a), value: a, right: type.con(this.id("Tree"), a) }, ["a"]);
    this.#variant("Vari", { VInt: int64, VText: text, VUnit: type.unit, VRec: type.con(rec) });
    this.#variant("Either", { Lft: a, Rgt: b }, ["a", "b"]);
    this.#enum("Color", ["Red", "Green", "Blue"]);
    this.#enum("Single", ["Only"]);
    this.#unserializable();
    if (this.hasStock) for (const version of [1, 2] as const) this.#addStock(version);
  }

  #addStock(version: StockVersion): void {
    const { records, kinds, shades } = stockData(version);
    for (const [name, fields] of Object.entries(records)) this.#add("record", name, fields, [], stockId(version, name));
    this.#add("variant", "Kind", kinds, [], stockId(version, "Kind"));
    this.#add("enum", "Shade", Object.fromEntries(shades.map((shade) => [shade, type.unit])), [], stockId(version, "Shade"));
  }

  /** What holds functions, or has parameters that are no types of values. */
  #unserializable(): void {
    const add = (name: string, fields: Readonly<Record<string, Type>>, params: readonly string[] = []): void => {
      const parts = Object.entries(fields).map(([field, fieldType]) => ({ name: field, type: fieldType }));
      this.module.dataType(name, { kind: "record", fields: parts }, params, false);
      this.#add("record", name, fields, params, this.id(name), false);
    };
    add("Functions", { one: fn(int64, a), two: fn(a, text, type.bool) }, ["a"]);
    add("Everything", { any: type.any, rep: { kind: "builtin", builtin: "TYPE_REP" }, open: forall({ name: "b", kind: star }, fn(b, b)) });
  }

  #add(
    form: Data["form"],
    name: string,
    parts: Readonly<Record<string, Type>>,
    params: readonly string[],
    id: DefinitionId,
    isSerializable = true,
  ): DefinitionId {
    this.#data.set(`${id.packageId}:${id.name}`, { id, params, parts: Object.entries(parts), form, isSerializable });
    return id;
  }
  #variant(name: string, constructors: Readonly<Record<string, Type>>, params: readonly string[] = []): void {
    this.#add("variant", name, constructors, params, this.module.variant(name, constructors, params));
  }
  #enum(name: string, constructors: readonly string[]): void {
    const parts = Object.fromEntries(constructors.map((constructor) => [constructor, type.unit]));
    this.#add("enum", name, parts, [], this.module.enum(name, constructors));
  }
  #exception(name: string, fields: Readonly<Record<string, Type>>, message: Parameters<ModuleBuilder["exception"]>[2]): DefinitionId {
    return this.#add("record", name, fields, [], this.module.exception(name, fields, message));
  }

  /** `again`: a function so many times over a value. `fixed`: with a number as its type. `held`: with a constructor of types. */
  #addFunctions(): void {
    const { module } = this,
      again = this.id("again");
    const less = expr.apply(expr.applyTypes(expr.builtin("LESS"), int64), expr.variable("n"), expr.int64(1n)),
      once = expr.apply(expr.variable("f"), expr.variable("x")),
      rest = expr.apply(expr.builtin("SUB_INT64"), expr.variable("n"), expr.int64(1n));
    module.value("again", this.againType, {
      kind: "tyAbs",
      params: [{ name: "a", kind: star }],
      body: expr.lambda(
        { n: int64, f: fn(a, a), x: a },
        expr.match(
          less,
          { pattern: { kind: "bool", value: true }, body: expr.variable("x") },
          { pattern: { kind: "default" }, body: expr.apply(expr.applyTypes(expr.value(again), a), rest, expr.variable("f"), once) },
        ),
      ),
    });
    module.value("fixed", this.fixedType, {
      kind: "tyAbs",
      params: [{ name: "n", kind: nat }],
      body: expr.lambda({ x: scaled }, shown(expr.variable("x"), n)),
    });
    module.value("held", this.heldType, {
      kind: "tyAbs",
      params: [
        { name: "f", kind: { kind: "arrow", param: star, result: star } },
        { name: "a", kind: star },
      ],
      body: expr.lambda(
        { x: { kind: "app", fun: f, arg: a }, y: { kind: "app", fun: f, arg: a } },
        expr.apply(expr.applyTypes(expr.builtin("EQUAL"), { kind: "app", fun: f, arg: a }), expr.variable("x"), expr.variable("y")),
      ),
    });
  }
  readonly againType: Type = forall({ name: "a", kind: star }, fn(int64, fn(a, a), a, a));
  readonly fixedType: Type = forall({ name: "n", kind: nat }, fn(scaled, text));
  readonly heldType: Type = forall(
    { name: "f", kind: { kind: "arrow", param: star, result: star } },
    forall({ name: "a", kind: star }, fn({ kind: "app", fun: f, arg: a }, { kind: "app", fun: f, arg: a }, type.bool)),
  );
}

const scaled: Type = { kind: "app", fun: { kind: "builtin", builtin: "NUMERIC" }, arg: n };

export const failed = (result: Type, message: string): Expr =>
  expr.apply(expr.applyTypes(expr.builtin("ERROR"), result), expr.text(message));
const append = (one: Expr, other: Expr): Expr => expr.apply(expr.builtin("APPEND_TEXT"), one, other);
const toText = (number: Expr): Expr => expr.apply(expr.builtin("INT64_TO_TEXT"), number);
const shown = (value: Expr, scale: Type): Expr => expr.apply(expr.applyTypes(expr.builtin("NUMERIC_TO_TEXT"), scale), value);
