/** Seeded well-typed models over the world's sorts: what the templates say of their contracts, and what their choices do. */
import type {
  Alternative,
  DefInterface,
  DefTemplate,
  DefValue,
  Expr,
  LfVersion,
  Module,
  TemplateChoice,
  Type,
} from "../../../src/lf/ast.js";
import { expr, type } from "../../support/lf-builder.js";
import { dataTypes, id, methods, moduleName, records, type Sort, type Template, tuple2, typeOf } from "./world.js";

export interface Variable {
  readonly name: string;
  readonly sort: Sort;
}
type Scope = readonly Variable[];

/** What code may run that comes after it in this order: so nothing runs for ever. */
interface Callable {
  readonly owner: Template | "Asset" | "value";
  readonly name: string;
  readonly result: Sort;
}

export const ledgerTime = 1_704_067_200_000_000n;
const resultSorts: readonly Sort[] = ["Int", "Unit", "Party", "CidCoin", "OptInt"];
const boundSorts: readonly Sort[] = ["Int", "Bool", "Text", "Party", "Parties", "OptInt", "Coin", "Asset", "Key"];
const updateSorts: readonly Sort[] = [
  "Int",
  "Unit",
  "Party",
  "OptInt",
  "Bool",
  "CidCoin",
  "CidCoin",
  "CidVault",
  "CidAsset",
  "Coin",
  "Vault",
  "Asset",
];
const cidOf = { Coin: "CidCoin", Vault: "CidVault", Asset: "CidAsset" } as const;
const cids: readonly Sort[] = ["CidCoin", "CidVault", "CidAsset"];

export interface Model {
  readonly module: Module;
  readonly lfVersion: LfVersion;
  readonly isKeyed: boolean;
  readonly choices: readonly Callable[];
}

export class ModelGenerator {
  readonly #random: (below: number) => number;
  readonly #callables: Callable[] = [];
  #names = 0;
  #isKeyed = false;
  #vaultIsAsset = false;
  /** What the interface may be asked for: in a method nothing, in what a template says of a contract its methods, in choices everything. */
  #asks: "nothing" | "methods" | "everything" = "everything";

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  model(withKeys: boolean): Model {
    this.#isKeyed = withKeys;
    this.#vaultIsAsset = this.#chance(2);
    const values = Array.from({ length: this.#random(3) }, (_, index) => this.#helper(`g${index}`));
    const asset = this.#interface();
    const templates = (["Coin", "Vault"] as const).map((name) => this.#template(name));
    const byName = <T extends { readonly name: string }>(definitions: readonly T[]): ReadonlyMap<string, T> =>
      new Map(definitions.map((each) => [each.name, each]));
    return {
      lfVersion: withKeys ? "2.3" : "2.1",
      isKeyed: withKeys,
      choices: this.#callables.filter(({ owner }) => owner !== "value"),
      module: {
        name: moduleName,
        dataTypes: byName(dataTypes),
        synonyms: new Map(),
        values: byName(values),
        templates: byName(templates),
        interfaces: byName([asset]),
        exceptions: byName([
          { name: "Oops", message: expr.lambda({ o: typeOf.Oops }, this.expr("Text", [{ name: "o", sort: "Oops" }], 2)) },
        ]),
      },
    };
  }

  #chance(of: number): boolean {
    return this.#random(of) === 0;
  }
  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)]!;
  }
  #bind(sort: Sort): Variable {
    return { name: this.#chance(6) ? "x" : `x${this.#names++}`, sort };
  }

  // Definitions

  #helper(name: string): DefValue {
    const [p, n, coin] = [
      { name: "p", sort: "Party" },
      { name: "n", sort: "Int" },
      { name: "c", sort: "CidCoin" },
    ] as const;
    const body = expr.lambda({ p: typeOf.Party, n: typeOf.Int, c: typeOf.CidCoin }, this.update("Int", [p, n, coin], 4));
    this.#callables.push({ owner: "value", name, result: "Int" });
    return { name, type: type.arrow(typeOf.Party, typeOf.Int, typeOf.CidCoin, type.update(typeOf.Int)), body };
  }

  #choice(owner: Template | "Asset", name: string, consuming: boolean): TemplateChoice {
    const self: Variable = { name: "this", sort: owner },
      arg: Variable = { name: "arg", sort: "Args" },
      scope = [self, arg];
    const result = this.#pick(resultSorts);
    const choice: TemplateChoice = {
      name,
      consuming,
      selfBinder: "self",
      argBinder: { name: "arg", type: typeOf.Args },
      returnType: typeOf[result],
      authorizers: undefined,
      controllers: this.#chance(20) ? this.expr("Parties", scope, 3) : this.#list(this.#parties(scope, this.#chance(3) ? 2 : 1)),
      observers: this.#chance(3) ? this.expr("Parties", scope, 2) : expr.list(type.party),
      update: this.update(result, [...scope, { name: "self", sort: cidOf[owner] }], 2 + this.#random(4)),
    };
    this.#callables.push({ owner, name, result });
    return choice;
  }

  #choices(owner: Template | "Asset", count: number): ReadonlyMap<string, TemplateChoice> {
    return new Map(
      Array.from({ length: count }, (_, index) => `${owner}_${index}`).map((name, index) => [
        name,
        this.#choice(owner, name, index === 0 || this.#chance(3)),
      ]),
    );
  }

  #interface(): DefInterface {
    return {
      name: "Asset",
      param: "this",
      methods: new Map(Object.entries(methods).map(([name, sort]) => [name, typeOf[sort]])),
      choices: this.#choices("Asset", 1 + this.#random(2)),
      view: type.con(id("View")),
      requires: [],
    };
  }

  #template(name: Template): DefTemplate {
    const self: Scope = [{ name: "this", sort: name }],
      holder = name === "Coin" ? "issuer" : "keeper";
    const isAsset = name === "Coin" || this.#vaultIsAsset;
    const key = name === "Coin" && this.#isKeyed;
    return {
      ...this.#contractOf(name, self, holder, key),
      implements: !isAsset
        ? []
        : [
            this.#asking("nothing", () => ({
              interface: id("Asset"),
              methods: new Map(Object.entries(methods).map(([method, sort]) => [method, this.expr(sort, self, 2)])),
              view: this.#record("View", { who: this.expr("Party", self, 2), count: this.expr("Int", self, 2) }),
            })),
          ],
      choices: this.#choices(name, name === "Coin" ? 3 : 2),
    };
  }

  #asking<T>(asks: "nothing" | "methods", make: () => T): T {
    this.#asks = asks;
    const made = make();
    this.#asks = "everything";
    return made;
  }

  #contractOf(name: Template, self: Scope, holder: string, key: boolean): Omit<DefTemplate, "implements" | "choices"> {
    return this.#asking("methods", () => ({
      name,
      param: "this",
      precondition: this.#chance(3)
        ? undefined
        : this.#risky("Bool", name, this.#chance(8) ? this.expr("Bool", self, 3) : this.#less(expr.int64(-50n), this.#number(name))),
      signatories: this.#risky(
        "Parties",
        name,
        this.#chance(20)
          ? this.expr("Parties", self, 2)
          : this.#list([
              this.#field("this", name, holder),
              ...(name === "Coin" && this.#chance(2) ? [this.#field("this", "Coin", "owner")] : []),
            ]),
      ),
      observers: this.#risky(
        "Parties",
        name,
        this.#chance(3)
          ? this.expr("Parties", self, 2)
          : name === "Coin"
            ? this.#list([this.#field("this", "Coin", "owner")])
            : this.#field("this", "Vault", "guests"),
      ),
      key: !key
        ? undefined
        : {
            type: typeOf.Key,
            key: this.#record("Key", {
              maintainer: this.#field("this", "Coin", "issuer"),
              number: this.#chance(4) ? this.expr("Int", self, 2) : this.#field("this", "Coin", "amount"),
            }),
            maintainers: expr.lambda(
              { k: typeOf.Key },
              this.#chance(10)
                ? this.expr("Parties", [{ name: "k", sort: "Key" }], 2)
                : this.#list([this.#field("k", "Key", "maintainer")]),
            ),
          },
    }));
  }

  #number(template: Template): Expr {
    return this.#field("this", template, template === "Coin" ? "amount" : "level");
  }

  /** Now and then what a template says of small contracts is an exception. */
  #risky(sort: Sort, template: Template, otherwise: Expr): Expr {
    return this.#chance(8)
      ? this.#if(
          this.#less(this.#number(template), expr.int64(1n)),
          this.#throw(typeOf[sort], [{ name: "this", sort: template }], 2),
          otherwise,
        )
      : otherwise;
  }

  // Expressions

  #record(name: string, fields: Readonly<Record<string, Expr>>): Expr {
    return expr.record(id(name), fields);
  }
  #field(variable: string, record: string, field: string): Expr {
    return expr.field(id(record), field, expr.variable(variable));
  }
  #list(parties: readonly Expr[]): Expr {
    return expr.list(typeOf.Party, ...parties);
  }
  #less(left: Expr, right: Expr): Expr {
    return expr.apply(expr.applyTypes(expr.builtin("LESS"), typeOf.Int), left, right);
  }
  #parties(scope: Scope, count: number): Expr[] {
    return Array.from({ length: count }, () => this.expr("Party", scope, 0));
  }

  /** Variables that are not hidden by a later one of the same name. */
  #visible(scope: Scope): Scope {
    return scope.filter(({ name }, index) => scope.findLastIndex((other) => other.name === name) === index);
  }

  /** Variables of the sort, and the fields of records that have it. */
  #atHand(sort: Sort, scope: Scope): Expr[] {
    return this.#visible(scope).flatMap((each): Expr[] => {
      if (each.sort === sort) return [expr.variable(each.name)];
      if (each.sort === "Asset")
        return this.#asks !== "nothing" && methods[sort === "Party" ? "holder" : "worth"] === sort
          ? [this.#method(sort === "Party" ? "holder" : "worth", expr.variable(each.name))]
          : [];
      if (each.sort === "Found")
        return sort === "CidCoin" || sort === "Coin" ? [this.#ofPair(sort === "CidCoin" ? "_1" : "_2", expr.variable(each.name))] : [];
      return Object.entries(records[each.sort] ?? {})
        .filter(([, field]) => field === sort)
        .map(([field]) => this.#field(each.name, each.sort, field));
    });
  }

  #method(method: string, value: Expr): Expr {
    return { kind: "callInterface", interface: id("Asset"), method, expr: value };
  }
  #ofPair(field: "_1" | "_2", pair: Expr): Expr {
    return expr.field(tuple2, field, pair, typeOf.CidCoin, typeOf.Coin);
  }

  expr(sort: Sort, scope: Scope, depth: number): Expr {
    const atHand = this.#atHand(sort, scope);
    if (atHand.length > 0 && (depth <= 0 || this.#chance(2) || (cids.includes(sort) && !this.#chance(20)))) return this.#pick(atHand);
    if (depth > 1 && this.#chance(5)) return this.#anyForm(typeOf[sort], scope, depth - 1, (inner) => this.expr(sort, inner, depth - 2));
    return this.#construct(sort, scope, depth - 1, atHand);
  }

  #construct(sort: Sort, scope: Scope, depth: number, atHand: readonly Expr[]): Expr {
    const of = (inner: Sort): Expr => this.expr(inner, scope, depth);
    const leaf = depth <= 0;
    switch (sort) {
      case "Int":
        return leaf ? expr.int64(BigInt(this.#random(12) - 2)) : this.#int(scope, depth);
      case "Bool":
        return leaf ? expr.bool(!this.#chance(4)) : this.#bool(scope, of);
      case "Text":
        return leaf ? expr.text(this.#pick(["", "a", "ü"])) : this.#text(scope, of);
      case "Unit":
        return expr.unit;
      case "OptInt":
        return this.#chance(2) ? expr.none(typeOf.Int) : expr.some(typeOf.Int, of("Int"));
      case "Parties":
        return this.#asks === "everything" && this.#chance(3) && this.#hasAsset(scope)
          ? { kind: this.#pick(["signatoryInterface", "observerInterface"] as const), interface: id("Asset"), expr: of("Asset") }
          : this.#list(this.#parties(scope, this.#random(3)));
      case "Asset":
        return this.#toAsset(this.#vaultIsAsset && this.#chance(3) ? "Vault" : "Coin", scope, depth);
      case "CidCoin":
      case "CidVault":
      case "CidAsset":
        return this.#coerced(sort, scope);
      case "Key":
      case "Coin":
      case "Vault":
      case "Oops":
      case "Args":
        return this.#record(sort, Object.fromEntries(Object.entries(records[sort]!).map(([field, inner]) => [field, of(inner)])));
      case "AnyException":
        return { kind: "toAnyException", type: typeOf.Oops, expr: of("Oops") };
      default:
        return atHand.length > 0
          ? this.#pick(atHand)
          : expr.apply(expr.applyTypes(expr.builtin("ERROR"), typeOf[sort]), expr.text(`no ${sort}`));
    }
  }

  #hasAsset(scope: Scope): boolean {
    return this.#asks !== "nothing" && scope.some(({ sort }) => sort === "Asset" || sort === "Coin");
  }

  #toAsset(template: Template, scope: Scope, depth: number): Expr {
    return { kind: "toInterface", interface: id("Asset"), template: id(template), expr: this.expr(template, scope, depth) };
  }

  /** Contract ids are only ever handed around; with another type a use may fail. */
  #coerced(sort: Sort, scope: Scope): Expr {
    const others = cids
      .filter((other) => other !== sort)
      .flatMap((other) => this.#atHand(other, scope).map((each) => [other, each] as const));
    if (others.length === 0) return expr.apply(expr.applyTypes(expr.builtin("ERROR"), typeOf[sort]), expr.text("no contract"));
    const [other, value] = this.#pick(others);
    const target = (cid: Sort): Type => typeOf[cid.slice("Cid".length) as Sort];
    return expr.apply(expr.applyTypes(expr.builtin("COERCE_CONTRACT_ID"), target(other), target(sort)), value);
  }

  #int(scope: Scope, depth: number): Expr {
    const of = (sort: Sort): Expr => this.expr(sort, scope, depth);
    switch (this.#random(12)) {
      case 0:
        return this.#chance(2) ? this.#throw(typeOf.Int, scope, depth) : expr.int64(1n);
      case 1:
        return this.#chance(6) ? expr.apply(expr.applyTypes(expr.builtin("ERROR"), typeOf.Int), of("Text")) : expr.int64(7n);
      case 2:
        return this.#hasAsset(scope) ? this.#method("worth", of("Asset")) : expr.int64(3n);
      case 3:
        return this.#hasAsset(scope)
          ? expr.field(id("View"), "count", { kind: "viewInterface", interface: id("Asset"), expr: of("Asset") })
          : expr.int64(4n);
      case 4:
        return this.#chance(4) ? expr.int64(2n ** 62n) : of("Int");
      default:
        return expr.apply(expr.builtin(this.#pick(["ADD_INT64", "SUB_INT64", "MUL_INT64", "DIV_INT64"])), of("Int"), of("Int"));
    }
  }

  #bool(scope: Scope, of: (sort: Sort) => Expr): Expr {
    if (this.#chance(2)) return this.#less(of("Int"), of("Int"));
    const sort = this.#pick(
      (["Int", "Text", "Party", "CidCoin"] as const).filter(
        (each) => each === "Int" || each === "Text" || this.#atHand(each, scope).length > 0,
      ),
    );
    return expr.apply(expr.applyTypes(expr.builtin("EQUAL"), typeOf[sort]), of(sort), of(sort));
  }

  #text(scope: Scope, of: (sort: Sort) => Expr): Expr {
    const exceptions = this.#atHand("AnyException", scope);
    if (exceptions.length > 0 && this.#chance(2)) return expr.apply(expr.builtin("ANY_EXCEPTION_MESSAGE"), this.#pick(exceptions));
    return this.#chance(2)
      ? expr.apply(expr.builtin("INT64_TO_TEXT"), of("Int"))
      : expr.apply(expr.builtin("APPEND_TEXT"), of("Text"), of("Text"));
  }

  #throw(returnType: Type, scope: Scope, depth: number): Expr {
    return { kind: "throw", returnType, exceptionType: typeOf.Oops, exception: this.expr("Oops", scope, depth - 1) };
  }

  /** Forms that take the type of their bodies. */
  #anyForm(of: Type, scope: Scope, depth: number, body: (scope: Scope) => Expr): Expr {
    switch (this.#random(4)) {
      case 0: {
        const bound = this.#bind(this.#pick(boundSorts.filter((sort) => this.#canMake(sort, scope))));
        return expr.let([expr.bind(bound.name, typeOf[bound.sort], this.expr(bound.sort, scope, depth))], body([...scope, bound]));
      }
      case 1:
        return this.#if(this.expr("Bool", scope, depth), body(scope), body(scope));
      case 2: {
        const found = this.#bind("Int");
        return expr.match(
          this.expr("OptInt", scope, depth),
          { pattern: { kind: "none" }, body: body(scope) },
          { pattern: { kind: "some", body: found.name }, body: body([...scope, found]) },
        );
      }
      default:
        return this.#chance(8) ? this.#throw(of, scope, depth) : body(scope);
    }
  }

  #if(condition: Expr, yes: Expr, no: Expr): Expr {
    const alternatives: Alternative[] = [
      { pattern: { kind: "bool", value: true }, body: yes },
      { pattern: { kind: "default" }, body: no },
    ];
    return expr.match(condition, ...alternatives);
  }

  /** There are no literals of parties. */
  #canMake(sort: Sort, scope: Scope): boolean {
    return (
      sort === "Int"
      || sort === "Bool"
      || sort === "Text"
      || sort === "OptInt"
      || sort === "Parties"
      || this.#atHand("Party", scope).length > 0
    );
  }

  // Updates

  update(sort: Sort, scope: Scope, depth: number): Expr {
    const updateType = type.update(typeOf[sort]);
    const pure = (): Expr => expr.pure(typeOf[sort], this.expr(sort, scope, 2));
    if (depth <= 0) return this.#chance(3) ? (this.#direct(sort, scope, 1) ?? pure()) : pure();
    switch (this.#random(12)) {
      case 0:
      case 1:
      case 2:
        return this.#block(sort, scope, depth - 1);
      case 3:
      case 4:
        return this.#tryCatch(sort, scope, depth - 1);
      case 5:
        return this.#anyForm(updateType, scope, depth - 1, (inner) => this.update(sort, inner, depth - 1));
      case 6:
        return this.#chance(6)
          ? this.#throw(updateType, scope, 2)
          : this.#chance(3)
            ? expr.update({ kind: "embed", type: typeOf[sort], expr: this.update(sort, scope, depth - 1) })
            : pure();
      default:
        return this.#direct(sort, scope, depth) ?? this.#block(sort, scope, depth - 1);
    }
  }

  #block(sort: Sort, scope: Scope, depth: number): Expr {
    const bindings = [];
    let inner = scope;
    for (let left = 1 + this.#random(3); left > 0; left -= 1) {
      if (this.#chance(12)) {
        bindings.push(expr.bind(`t${this.#names++}`, type.timestamp, expr.update({ kind: "getTime" })));
        continue;
      }
      const bound = this.#bind(this.#pick(updateSorts));
      bindings.push(expr.bind(bound.name, typeOf[bound.sort], this.update(bound.sort, inner, depth)));
      inner = [...inner, bound];
    }
    return expr.block(bindings, this.update(sort, inner, depth));
  }

  #tryCatch(sort: Sort, scope: Scope, depth: number): Expr {
    const updateType = type.update(typeOf[sort]),
      binder = this.#bind("AnyException");
    return expr.update({
      kind: "tryCatch",
      returnType: typeOf[sort],
      body: this.#chance(2) ? this.#doomed(sort, scope, depth) : this.update(sort, scope, depth),
      binder: binder.name,
      handler: this.#handler(sort, updateType, [...scope, binder], depth),
    });
  }

  /** Does something, then mostly throws. */
  #doomed(sort: Sort, scope: Scope, depth: number): Expr {
    const bound = this.#bind(this.#pick(updateSorts));
    const inner = [...scope, bound],
      thrown = this.#throw(type.update(typeOf[sort]), inner, 2);
    const end = this.#chance(3) ? this.#if(this.expr("Bool", inner, 2), thrown, this.update(sort, inner, depth - 1)) : thrown;
    return expr.block(
      [expr.bind(bound.name, typeOf[bound.sort], this.#direct(bound.sort, scope, depth) ?? this.update(bound.sort, scope, depth - 1))],
      end,
    );
  }

  #handler(sort: Sort, updateType: Type, scope: Scope, depth: number): Expr {
    const handled = (inner: Scope): Expr => expr.some(updateType, this.update(sort, inner, depth - 1));
    switch (this.#random(5)) {
      case 0:
        return expr.none(updateType);
      case 1:
      case 2: {
        const oops = this.#bind("Oops");
        const matched: Expr = { kind: "fromAnyException", type: typeOf.Oops, expr: expr.variable(scope.at(-1)!.name) };
        return expr.match(
          matched,
          { pattern: { kind: "some", body: oops.name }, body: handled([...scope, oops]) },
          { pattern: { kind: "none" }, body: this.#chance(2) ? expr.none(updateType) : handled(scope) },
        );
      }
      default:
        return handled(scope);
    }
  }

  /** One action that gives the sort, if there is one. */
  #direct(sort: Sort, scope: Scope, depth: number): Expr | undefined {
    const of = (inner: Sort): Expr => this.expr(inner, scope, 2);
    const ways: (() => Expr)[] = this.#callables.filter(({ result }) => result === sort).flatMap((callable) => this.#calls(callable, of));
    if (sort === "CidCoin" || sort === "CidVault")
      ways.push(...Array.from({ length: 3 }, () => () => expr.create(id(sort.slice(3)), of(sort.slice(3) as Sort))));
    if (sort === "CidAsset") ways.push(() => expr.update({ kind: "createInterface", interface: id("Asset"), arg: of("Asset") }));
    if (sort === "Coin" || sort === "Vault") ways.push(() => expr.fetch(id(sort), of(cidOf[sort])));
    if (sort === "Asset") ways.push(() => expr.update({ kind: "fetchInterface", interface: id("Asset"), contractId: of("CidAsset") }));
    if (sort === "Bool")
      ways.push(() =>
        expr.update({
          kind: "ledgerTimeLt",
          time: { kind: "lit", value: { kind: "timestamp", value: ledgerTime + BigInt(this.#random(5) - 2) } },
        }),
      );
    if (this.#isKeyed && (sort === "Coin" || sort === "CidCoin")) ways.push(() => this.#fetchByKey(sort, of("Key")));
    if (this.#isKeyed && sort === "Int") ways.push(() => this.#countByKey(of("Key")));
    return ways.length === 0 || depth < 0 ? undefined : this.#pick(ways)();
  }

  #calls({ owner, name }: Callable, of: (sort: Sort) => Expr): (() => Expr)[] {
    if (owner === "value") return [() => expr.apply(expr.value(id(name)), of("Party"), of("Int"), of("CidCoin"))];
    if (owner === "Asset")
      return [
        () => expr.update({ kind: "exerciseInterface", interface: id("Asset"), choice: name, contractId: of("CidAsset"), arg: of("Args") }),
      ];
    const direct = (): Expr => expr.exercise(id(owner), name, of(cidOf[owner]), of("Args"));
    const byKey = (): Expr => expr.update({ kind: "exerciseByKey", template: id(owner), choice: name, key: of("Key"), arg: of("Args") });
    return owner === "Coin" && this.#isKeyed ? [direct, byKey] : [direct];
  }

  #fetchByKey(sort: "Coin" | "CidCoin", key: Expr): Expr {
    const found = this.#bind("Found");
    const fetched = expr.apply(expr.update({ kind: "fetchByKey", template: id("Coin") }), key);
    return expr.block(
      [expr.bind(found.name, typeOf.Found, fetched)],
      expr.pure(typeOf[sort], this.#ofPair(sort === "Coin" ? "_2" : "_1", expr.variable(found.name))),
    );
  }

  #countByKey(key: Expr): Expr {
    const query = expr.apply(
      expr.update({ kind: "queryNByKey", template: id("Coin") }),
      expr.int64(BigInt(this.#chance(10) ? 0 : 1 + this.#random(3))),
      key,
    );
    const count = expr.apply(
      expr.applyTypes(expr.builtin("FOLDL"), typeOf.Found, typeOf.Int),
      expr.lambda(
        { sum: typeOf.Int, each: typeOf.Found },
        expr.apply(expr.builtin("ADD_INT64"), expr.variable("sum"), this.#field2("each")),
      ),
      expr.int64(0n),
      expr.variable("all"),
    );
    return expr.block(
      [expr.bind("found", type.optional(type.list(typeOf.Found)), query)],
      expr.pure(
        typeOf.Int,
        expr.match(
          expr.variable("found"),
          { pattern: { kind: "none" }, body: expr.int64(-1n) },
          { pattern: { kind: "some", body: "all" }, body: count },
        ),
      ),
    );
  }

  #field2(pair: string): Expr {
    return expr.field(id("Coin"), "amount", this.#ofPair("_2", expr.variable(pair)));
  }
}
