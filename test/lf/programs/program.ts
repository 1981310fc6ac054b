/** Random packages: a template whose choices are programs, and what these use. */
import type { Expr, InterfaceInstance, Module, TemplateChoice, Type } from "../../../src/lf/ast.js";
import { expr, type } from "../../support/lf-builder.js";
import { Random } from "../../support/random.js";
import type { Scope } from "./expressions.js";
import { stockId } from "./stock.js";
import { keyOf } from "./types.js";
import { UpdateGenerator } from "./updates.js";
import { World } from "./world.js";

/** The template of the programs, which are its choices. */
export const programTemplate = "T";

export interface Program {
  readonly choice: string;
  /** Of its argument `x`. */
  readonly argument: Type;
}

export interface Programs {
  readonly module: Module;
  readonly programs: readonly Program[];
  /** Of Daml-LF 2; 3 has keys. */
  readonly minor: "1" | "3";
}

const parties = { owner: type.party, guest: type.party, stranger: type.party };
const partyScope: Scope = Object.entries(parties).map(([name, of]) => ({ name, type: of }));

/** Every second has keys; the others use contracts of a package that was upgraded. */
export function programsOf(seed: number, count: number): Programs {
  const isKeyed = seed % 2 === 1;
  return new PackageGenerator(new Random(seed), new World(!isKeyed), isKeyed).programs(count);
}

class PackageGenerator extends UpdateGenerator {
  /** What contracts hold beside what templates need. */
  readonly #held = this.types.serializable(2);

  programs(count: number): Programs {
    const { module } = this.world;
    this.#declare();
    for (let index = 0; index < 4; index++) this.addValue(`g${index}`);
    this.#interfaces();
    this.#templates();
    const programs = Array.from({ length: count }, (_, index) => ({ choice: `Run${index}`, argument: this.#argument() }));
    module.template(programTemplate, {
      fields: parties,
      signatories: (self) => [self("owner")],
      observers: (self) => [self("guest"), self("stranger")],
      choices: Object.fromEntries(
        programs.map(({ choice, argument }) => {
          const returns = this.types.serializable(2),
            depth = 2 + this.random.below(4);
          const isUpdate = this.random.chance(0.5),
            scope = [...partyScope, { name: "given", type: argument }];
          this.beginProgram();
          const body = isUpdate ? this.update(returns, scope, depth) : expr.pure(returns, this.expr(returns, scope, depth + 1));
          return [
            choice,
            {
              fields: { x: argument },
              returns,
              consuming: this.random.chance(0.2),
              controllers: (self: (field: string) => Expr) => [self("owner"), self("guest")],
              update: (self: (field: string) => Expr, arg: (field: string) => Expr) =>
                expr.let(
                  [...Object.entries(parties).map(([name, of]) => expr.bind(name, of, self(name))), expr.bind("given", argument, arg("x"))],
                  body,
                ),
            },
          ];
        }),
      ),
    });
    return { module: module.module, programs, minor: this.isKeyed ? "3" : "1" };
  }

  /** Of a type that has one JSON: what may be missing twice is left out. */
  #argument(): Type {
    for (;;) {
      const drawn = this.types.serializable(1);
      if (!/"OPTIONAL"\},"arg":\{"kind":"app","fun":\{"kind":"builtin","builtin":"OPTIONAL"|"Deep"/.test(keyOf(drawn))) return drawn;
    }
  }

  /** Names that programs use before what they name is made. */
  #declare(): void {
    const { world } = this;
    world.record("Key", { p: type.party, k: type.int64, v: type.con(world.id("Either"), type.int64, type.text) });
    world.describe("Item", { owner: type.party, other: type.party, n: type.int64, v: this.#held });
    world.record("BaseView", { n: type.int64, v: this.#held });
    world.record("IfcView", { t: type.text });
    world.record("Touch", { by: type.int64 });
    world.record("Poke", { v: this.#held });
    for (const version of world.hasStock ? ([1, 2] as const) : [])
      this.callables.push({
        owner: `Stock${version}`,
        name: "Read",
        argument: type.con(stockId(version, "Read")),
        gives: type.con(stockId(version, "Kind")),
      });
    if (this.isKeyed) world.describe("Keyed", { owner: type.party, key: type.con(world.id("Key")), v: this.#held });
  }

  #interfaces(): void {
    const { module } = this.world;
    module.interface("Base", {
      view: this.con("BaseView"),
      methods: { num: type.int64 },
      choices: { Touch: this.#interfaceChoice("Base", "Touch", type.int64) },
    });
    module.interface("Ifc", {
      view: this.con("IfcView"),
      methods: { txt: type.text },
      choices: { Poke: this.#interfaceChoice("Ifc", "Poke", this.#held) },
      requires: [this.world.id("Base")],
    });
  }

  #interfaceChoice(owner: "Base" | "Ifc", name: string, gives: Type): TemplateChoice {
    const scope: Scope = [
      { name: "this", type: this.con(owner) },
      { name: "arg", type: this.con(name) },
    ];
    this.beginProgram();
    const choice: TemplateChoice = {
      name,
      consuming: this.random.chance(0.5),
      selfBinder: "self",
      argBinder: { name: "arg", type: this.con(name) },
      returnType: gives,
      controllers: { kind: "signatoryInterface", interface: this.world.id(owner), expr: expr.variable("this") },
      observers: expr.list(type.party),
      authorizers: undefined,
      update: this.update(gives, scope, 1),
    };
    this.callables.push({ owner, name, argument: this.con(name), gives });
    return choice;
  }

  #templates(): void {
    const { module } = this.world,
      isThrowing = this.random.chance(0.1);
    const scopeOf = (template: string): Scope => [{ name: "this", type: this.con(template) }];
    module.template("Item", {
      fields: this.#fieldsOf("Item"),
      signatories: (self) => [self("owner")],
      observers: (self) => [self("other")],
      precondition: (self) =>
        isThrowing
          ? this.expr(type.bool, scopeOf("Item"), 2)
          : expr.apply(expr.applyTypes(expr.builtin("GREATER"), type.int64), self("n"), expr.int64(-400n)),
      implements: [this.#base("Item"), this.#ifc("Item")],
      choices: Object.fromEntries(["Use", "Peek", "Nest"].map((name, depth) => [name, this.#choice("Item", name, depth)])),
    });
    if (!this.isKeyed) return;
    const key = this.world.id("Key");
    module.template("Keyed", {
      fields: this.#fieldsOf("Keyed"),
      signatories: (self) => [self("owner")],
      key: {
        type: this.con("Key"),
        key: expr.field(this.world.id("Keyed"), "key", expr.variable("this")),
        maintainers: expr.lambda({ key: this.con("Key") }, expr.list(type.party, expr.field(key, "p", expr.variable("key")))),
      },
      implements: [this.#base("Keyed")],
      choices: Object.fromEntries(["KeyedUse", "KeyedPeek"].map((name, depth) => [name, this.#choice("Keyed", name, depth)])),
    });
  }

  #fieldsOf(template: string): Readonly<Record<string, Type>> {
    return Object.fromEntries(this.world.dataOf(this.world.id(template))!.parts);
  }

  #choice(owner: "Item" | "Keyed", name: string, depth: number) {
    const by = this.types.serializable(1),
      gives = this.types.serializable(1);
    this.world.describe(name, { by });
    const scope: Scope = [
      ...partyScope.slice(0, 1),
      { name: "this", type: this.con(owner) },
      { name: "arg", type: this.con(name) },
      { name: "self", type: type.contractId(this.con(owner)) },
    ];
    this.beginProgram();
    const body = this.update(gives, scope, depth),
      isWatched = this.random.chance(0.3);
    this.callables.push({ owner, name, argument: this.con(name), gives });
    return {
      fields: { by },
      returns: gives,
      consuming: this.random.chance(0.6),
      controllers: (self: (field: string) => Expr) => [self("owner")],
      observers: (self: (field: string) => Expr) => (isWatched && owner === "Item" ? [self("other")] : []),
      update: (self: (field: string) => Expr) => expr.let([expr.bind("owner", type.party, self("owner"))], body),
    };
  }

  #base(template: string): InterfaceInstance {
    const scope: Scope = [{ name: "this", type: this.con(template) }];
    this.beginProgram();
    return {
      interface: this.world.id("Base"),
      methods: new Map([["num", this.expr(type.int64, scope, 2)]]),
      view: expr.record(this.world.id("BaseView"), { n: this.expr(type.int64, scope, 2), v: this.expr(this.#held, scope, 2) }),
    };
  }
  #ifc(template: string): InterfaceInstance {
    const scope: Scope = [{ name: "this", type: this.con(template) }];
    this.beginProgram();
    return {
      interface: this.world.id("Ifc"),
      methods: new Map([["txt", this.expr(type.text, scope, 2)]]),
      view: expr.record(this.world.id("IfcView"), { t: this.expr(type.text, scope, 2) }),
    };
  }
}
