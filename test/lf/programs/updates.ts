/** Seeded well-typed updates: contracts made, fetched and used by id, key and interface, exceptions caught, and what was done rolled back. */
import type { Binding, Expr, Type } from "../../../src/lf/ast.js";
import { anyException, contractId, list, optional, text, update as updateOf } from "../../../src/lf/type-forms.js";
import { expr, type } from "../../support/lf-builder.js";
import { tuple2 } from "../ledger-oracle/world.js";
import { spine } from "../validation/value-shape.js";
import { applied, ExpressionGenerator, type Scope, type Variable, visible } from "./expressions.js";
import { isSame } from "./types.js";

const { int64, bool } = type;

/** Something that is done, and what it gives. */
interface Action {
  readonly gives: Type;
  readonly does: Expr;
}

/** A choice that updates may ask for, with the types of its argument's fields and of its result. */
export interface Callable {
  readonly owner: string;
  readonly name: string;
  readonly argument: Type;
  readonly gives: Type;
}

const stocks = ["Stock1", "Stock2"];

export class UpdateGenerator extends ExpressionGenerator {
  /** Those that come later are not asked for by those that come before, so that nothing goes on for ever. */
  protected readonly callables: Callable[] = [];

  get #stocks(): readonly string[] {
    return this.world.hasStock ? stocks : [];
  }

  override construct(of: Type, scope: Scope, depth: number): Expr {
    const { head, args } = spine(of);
    return depth > 1 && head.kind === "builtin" && head.builtin === "UPDATE"
      ? this.update(args[0]!, scope, depth - 1)
      : super.construct(of, scope, depth);
  }

  /** Interfaces have values by way of a template. */
  protected override other(of: Type, scope: Scope, depth: number): Expr {
    const name = of.kind === "con" ? of.id.name : "";
    if (name !== "Base" && name !== "Ifc") return super.other(of, scope, depth);
    const template = name === "Base" && this.isKeyed && this.random.chance(0.4) ? "Keyed" : "Item";
    return this.toInterface(name, template, this.payload(template, scope, depth - 1));
  }

  con(name: string): Type {
    return type.con(this.world.id(name));
  }
  toInterface(interface_: "Base" | "Ifc", template: string, value: Expr): Expr {
    return { kind: "toInterface", interface: this.world.id(interface_), template: this.world.id(template), expr: value };
  }

  /** What a contract is made of, mostly so that it can be made. */
  payload(template: string, scope: Scope, depth: number): Expr {
    const { id, parts } = this.world.dataOf(this.world.id(template))!,
      fixed: Readonly<Record<string, () => Expr>> = {
        owner: () => this.#party(scope, ["owner", "owner", "owner", "guest", "stranger"]),
        other: () => this.#party(scope, ["owner", "guest", "guest", "stranger"]),
        key: () => this.#key(scope, depth),
      };
    return expr.record(
      id,
      Object.fromEntries(
        parts.map(([name, of]) => [
          name,
          this.random.chance(0.97) && fixed[name] !== undefined ? fixed[name]() : this.expr(of, scope, depth),
        ]),
      ),
    );
  }

  #party(scope: Scope, names: readonly string[]): Expr {
    const known = names.filter((name) => scope.some((each) => each.name === name));
    return known.length === 0 ? this.expr(type.party, scope, 1) : expr.variable(this.random.one(known));
  }

  /** One of few. */
  #key(scope: Scope, depth: number): Expr {
    const { random } = this;
    if (random.chance(0.1)) return this.expr(this.con("Key"), scope, depth);
    const either = this.world.id("Either"),
      args = [int64, text] as const;
    return expr.record(this.world.id("Key"), {
      p: this.#party(scope, ["owner", "owner", "owner", "guest"]),
      k: this.edges.int64In(0, 1),
      v: random.chance(0.5)
        ? expr.variant(either, "Lft", this.edges.int64In(0, 1), ...args)
        : expr.variant(either, "Rgt", expr.text(random.one(["", "é"])), ...args),
    });
  }

  // Updates

  update(of: Type, scope: Scope, depth: number): Expr {
    const { random } = this,
      pure = (): Expr => expr.pure(of, this.expr(of, scope, depth));
    if (depth <= 0) return pure();
    switch (random.below(12)) {
      case 0:
        return pure();
      case 1:
        return this.match(random.one([bool, optional(this.types.any(1))]), scope, depth, (...more) =>
          this.update(of, [...scope, ...more], depth - 1),
        );
      case 2:
        return this.#held(of, scope, depth);
      case 3:
        return this.#folded(of, scope, depth);
      case 4:
        return this.#tryCatch(of, scope, depth);
      case 5:
        return expr.update({ kind: "embed", type: of, expr: this.expr(updateOf(of), scope, depth - 1) });
      default:
        return this.#block(of, scope, depth);
    }
  }

  #block(of: Type, scope: Scope, depth: number): Expr {
    const bindings: Binding[] = [];
    let inner = scope;
    for (let left = 1 + this.random.below(5); left > 0; left--) {
      const action = this.#action(inner, depth - 1);
      if (action === undefined) continue;
      const bound = this.bind(action.gives);
      bindings.push(expr.bind(bound.name, bound.type, action.does));
      inner = [...inner, bound];
    }
    const last = this.random.chance(0.3) ? this.update(of, inner, depth - 1) : expr.pure(of, this.expr(of, inner, depth));
    return bindings.length === 0 ? last : expr.block(bindings, last);
  }

  /** An update that is a value first, and done twice. */
  #held(of: Type, scope: Scope, depth: number): Expr {
    const [held, once, twice] = [this.bind(updateOf(of)), { name: "once", type: of }, { name: "twice", type: of }];
    return expr.let(
      [expr.bind(held.name, held.type, this.update(of, scope, depth - 1))],
      expr.block(
        [once, twice].map(({ name }) => expr.bind(name, of, expr.variable(held.name))),
        expr.pure(of, this.expr(of, [...scope, held, once, twice], depth - 1)),
      ),
    );
  }

  /** One after the other, for each of a list. */
  #folded(of: Type, scope: Scope, depth: number): Expr {
    const element = this.types.any(0),
      [before, each, value] = [this.bind(updateOf(of)), { name: "each", type: element }, this.bind(of)];
    const step = expr.block(
      [expr.bind(value.name, of, expr.variable(before.name))],
      this.update(of, [...scope, before, each, value], Math.min(2, depth - 1)),
    );
    return expr.apply(
      applied("FOLDL", element, updateOf(of)),
      expr.lambda({ [before.name]: before.type, each: element }, step),
      expr.pure(of, this.expr(of, scope, 1)),
      this.expr(list(element), scope, 2),
    );
  }

  #tryCatch(of: Type, scope: Scope, depth: number): Expr {
    const caught = this.bind(anyException),
      handled = updateOf(of);
    const handler = (...more: readonly Variable[]): Expr => {
      const inner = [...scope, caught, ...more];
      return this.random.chance(0.25) ? expr.none(handled) : expr.some(handled, this.update(of, inner, depth - 2));
    };
    const asked = type.con(this.random.one(this.world.exceptions)),
      found = this.bind(asked);
    return expr.update({
      kind: "tryCatch",
      returnType: of,
      body: this.update(of, scope, depth - 1),
      binder: caught.name,
      handler: this.random.chance(0.5)
        ? handler()
        : expr.match(
            { kind: "fromAnyException", type: asked, expr: expr.variable(caught.name) },
            { pattern: { kind: "some", body: found.name }, body: handler(found) },
            { pattern: { kind: "none" }, body: handler() },
          ),
    });
  }

  // Actions

  #action(scope: Scope, depth: number): Action | undefined {
    const drawn = (): Type => this.types.any(1);
    switch (this.random.below(this.isKeyed ? 16 : 11)) {
      case 0:
      case 1:
        return this.#create(this.random.one(["Item", "Item", ...this.#stocks]), scope, depth);
      case 2:
        return this.#createInterface(scope, depth);
      case 3:
        return this.#fetch(scope);
      case 4:
      case 5:
        return this.#exercise(scope, depth);
      case 6:
      case 7:
        return this.#look(scope, depth);
      case 8: {
        const gives = drawn();
        return { gives, does: this.#tryCatch(gives, scope, depth) };
      }
      case 9:
        return { gives: bool, does: this.#time() };
      case 10: {
        const gives = drawn();
        return { gives, does: this.update(gives, scope, depth) };
      }
      case 11:
      case 12:
        return this.#create("Keyed", scope, depth);
      default:
        return this.#id("Keyed", scope) === undefined && this.random.chance(0.8)
          ? this.#create("Keyed", scope, depth)
          : this.#byKey(scope, depth);
    }
  }

  #create(template: string, scope: Scope, depth: number): Action {
    return { gives: contractId(this.con(template)), does: expr.create(this.world.id(template), this.payload(template, scope, depth)) };
  }

  #createInterface(scope: Scope, depth: number): Action {
    const name = this.random.one(["Base", "Ifc"] as const);
    return {
      gives: contractId(this.con(name)),
      does: expr.update({ kind: "createInterface", interface: this.world.id(name), arg: this.expr(this.con(name), scope, depth) }),
    };
  }

  /** The id of a contract, perhaps of another kind than it is taken for. */
  #id(as: string, scope: Scope): Expr | undefined {
    const ids = visible(scope).flatMap(({ name, type: of }) => {
      const { head, args } = spine(of);
      return head.kind === "builtin" && head.builtin === "CONTRACT_ID" ? [{ name, of: args[0]! }] : [];
    });
    const wanted = this.con(as),
      implements_ = stocks.includes(as) ? stocks : as === "Base" ? ["Item", "Keyed", "Ifc", "Base"] : as === "Ifc" ? ["Item", "Ifc"] : [as];
    const right = ids.filter(({ of }) => implements_.some((name) => isSame(of, this.con(name)))),
      from = right.length === 0 || this.random.chance(0.05) ? ids : right;
    if (from.length === 0) return undefined;
    const { name, of } = this.random.one(from);
    return isSame(of, wanted) ? expr.variable(name) : expr.apply(applied("COERCE_CONTRACT_ID", of, wanted), expr.variable(name));
  }

  #fetch(scope: Scope): Action | undefined {
    const name = this.random.one(["Item", ...this.#stocks, ...(this.isKeyed ? ["Keyed"] : []), "Base", "Ifc"]),
      id = this.#id(name, scope);
    if (id === undefined) return undefined;
    const does = name === "Base" || name === "Ifc" ? this.#fetchInterface(name, id) : expr.fetch(this.world.id(name), id);
    return { gives: this.con(name), does };
  }
  #fetchInterface(name: string, id: Expr): Expr {
    return expr.update({ kind: "fetchInterface", interface: this.world.id(name), contractId: id });
  }

  #exercise(scope: Scope, depth: number): Action | undefined {
    if (this.callables.length === 0) return undefined;
    const { owner, name, argument, gives } = this.random.one(this.callables),
      id = this.#id(owner, scope);
    if (id === undefined) return undefined;
    const arg = this.expr(argument, scope, depth);
    const does =
      owner === "Base" || owner === "Ifc"
        ? expr.update({ kind: "exerciseInterface", interface: this.world.id(owner), choice: name, contractId: id, arg })
        : expr.exercise(this.world.id(owner), name, id, arg);
    return { gives, does };
  }

  /** What can be asked of the value of an interface. */
  #look(scope: Scope, depth: number): Action {
    const interface_ = this.random.one(["Base", "Ifc"] as const),
      id = this.world.id(interface_),
      value = this.expr(this.con(interface_), scope, depth),
      required = this.world.id("Base"),
      requiring = this.world.id("Ifc");
    const pure = (gives: Type, looked: Expr): Action => ({ gives, does: expr.pure(gives, looked) });
    switch (this.random.below(9)) {
      case 0:
        return pure(type.con(this.world.id("BaseView")), {
          kind: "viewInterface",
          interface: required,
          expr: this.expr(this.con("Base"), scope, depth),
        });
      case 1:
        return pure(list(type.party), {
          kind: this.random.one(["signatoryInterface", "observerInterface"] as const),
          interface: id,
          expr: value,
        });
      case 2:
        return pure({ kind: "builtin", builtin: "TYPE_REP" }, { kind: "interfaceTemplateTypeRep", interface: id, expr: value });
      case 3: {
        const template = this.isKeyed && interface_ === "Base" && this.random.chance(0.5) ? "Keyed" : "Item";
        return pure(optional(this.con(template)), { kind: "fromInterface", interface: id, template: this.world.id(template), expr: value });
      }
      case 4:
        return pure(this.con("Base"), { kind: "toRequiredInterface", required, requiring, expr: this.expr(this.con("Ifc"), scope, depth) });
      case 5:
        return pure(optional(this.con("Ifc")), {
          kind: "fromRequiredInterface",
          required,
          requiring,
          expr: this.expr(this.con("Base"), scope, depth),
        });
      case 6: {
        const contract = this.#id("Base", scope);
        if (contract === undefined) return pure(this.con(interface_), value);
        const looked = this.expr(this.con("Base"), scope, depth);
        if (this.random.chance(0.5))
          return pure(this.con("Ifc"), { kind: "unsafeFromRequiredInterface", required, requiring, contractId: contract, expr: looked });
        return this.isKeyed // it is of no version that has keys
          ? pure(this.con("Base"), looked)
          : pure(this.con("Item"), {
              kind: "unsafeFromInterface",
              interface: required,
              template: this.world.id("Item"),
              contractId: contract,
              expr: looked,
            });
      }
      default:
        return interface_ === "Base"
          ? pure(int64, { kind: "callInterface", interface: id, method: "num", expr: value })
          : pure(text, { kind: "callInterface", interface: id, method: "txt", expr: value });
    }
  }

  /** Nodes have clocks of their own: only what every clock says is told of the time. */
  #time(): Expr {
    const { edges } = this;
    if (this.random.chance(0.4)) return expr.update({ kind: "ledgerTimeLt", time: edges.timestamp() });
    return expr.block(
      [expr.bind("now", type.timestamp, expr.update({ kind: "getTime" }))],
      expr.pure(bool, expr.apply(applied("LESS", type.timestamp), expr.variable("now"), edges.timestamp())),
    );
  }

  #byKey(scope: Scope, depth: number): Action {
    const template = this.world.id("Keyed"),
      key = this.#key(scope, depth),
      found = type.con(tuple2, contractId(this.con("Keyed")), this.con("Keyed"));
    const chosen = this.callables.filter(({ owner }) => owner === "Keyed");
    switch (this.random.below(chosen.length === 0 ? 2 : 3)) {
      case 0: {
        const { name } = this.bind(found);
        return {
          gives: contractId(this.con("Keyed")),
          does: expr.block(
            [expr.bind(name, found, expr.apply(expr.update({ kind: "fetchByKey", template }), key))],
            expr.pure(
              contractId(this.con("Keyed")),
              expr.field(tuple2, "_1", expr.variable(name), contractId(this.con("Keyed")), this.con("Keyed")),
            ),
          ),
        };
      }
      case 1:
        return {
          gives: optional(list(found)),
          does: expr.apply(expr.update({ kind: "queryNByKey", template }), this.edges.int64In(1, 4), key),
        };
      default: {
        const { name, gives } = this.random.one(chosen);
        return {
          gives,
          does: expr.update({ kind: "exerciseByKey", template, choice: name, key, arg: this.expr(this.con(name), scope, depth) }),
        };
      }
    }
  }
}
