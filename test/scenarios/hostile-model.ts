/** Templates whose choices would take all time or all memory if they were let. */
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import type { BuiltinName } from "../../src/lf/builtins.js";

const hostile = new ModuleBuilder("Hostile");
const id = (name: string): DefinitionId => hostile.id(name);
const value = (name: string): Expr => expr.value(id(name));
const call = (name: string, ...args: Expr[]): Expr => expr.apply(value(name), ...args);
const variable = expr.variable,
  int = (n: number): Expr => expr.int64(BigInt(n));
const builtin = (name: BuiltinName, ...args: Expr[]): Expr => expr.apply(expr.builtin(name), ...args);
const typed = (name: BuiltinName, types: readonly Type[], ...args: Expr[]): Expr => {
  const fun = expr.applyTypes(expr.builtin(name), ...types);
  return args.length === 0 ? fun : expr.apply(fun, ...args);
};
const { int64, text } = type;

const plus = (left: Expr, right: Expr): Expr => builtin("ADD_INT64", left, right);
const minus = (left: Expr, right: Expr): Expr => builtin("SUB_INT64", left, right);
const append = (left: Expr, right: Expr): Expr => builtin("APPEND_TEXT", left, right);
const ifZero = (number: Expr, yes: Expr, no: Expr): Expr =>
  expr.match(
    typed("EQUAL", [int64], number, int(0)),
    { pattern: { kind: "bool", value: true }, body: yes },
    { pattern: { kind: "default" }, body: no },
  );
const let1 = (name: string, type_: Type, bound: Expr, body: Expr): Expr => expr.let([expr.bind(name, type_, bound)], body);

/** A function of one Int64, `n`. */
const ofInt = (name: string, result: Type, body: Expr): void =>
  void hostile.value(name, type.arrow(int64, result), expr.lambda({ n: int64 }, body));
const n = variable("n"),
  before = minus(n, int(1));

ofInt("loop", int64, call("loop", plus(n, int(1))));
ofInt("ping", int64, call("pong", n));
ofInt("pong", int64, call("ping", n));
ofInt("deep", int64, plus(call("deep", plus(n, int(1))), int(1)));
ofInt("deepTo", int64, ifZero(n, int(0), plus(call("deepTo", before), int(1))));
ofInt("fibonacci", int64, ifZero(n, int(1), ifZero(before, int(1), plus(call("fibonacci", before), call("fibonacci", minus(n, int(2)))))));
hostile.value("double", type.arrow(text, text), expr.lambda({ t: text }, call("double", append(variable("t"), variable("t")))));
hostile.value("grow", type.arrow(text, text), expr.lambda({ t: text }, call("grow", append(variable("t"), expr.text("x")))));
hostile.value("hash", type.arrow(text, text), expr.lambda({ t: text }, call("hash", builtin("SHA256_TEXT", variable("t")))));
hostile.value(
  "cons",
  type.arrow(type.list(int64), int64),
  expr.lambda({ l: type.list(int64) }, call("cons", { kind: "cons", type: int64, front: [int(1)], tail: variable("l") })),
);
hostile.value(
  "doubleList",
  type.arrow(type.list(int64), int64),
  expr.lambda(
    { l: type.list(int64) },
    call(
      "doubleList",
      typed(
        "FOLDR",
        [int64, type.list(int64)],
        expr.lambda({ x: int64, r: type.list(int64) }, { kind: "cons", type: int64, front: [variable("x")], tail: variable("r") }),
        variable("l"),
        variable("l"),
      ),
    ),
  ),
);
const numbers = type.genMap(int64, int64);
hostile.value(
  "fillMap",
  type.arrow(numbers, int64, int64),
  expr.lambda({ m: numbers, n: int64 }, call("fillMap", typed("GENMAP_INSERT", [int64, int64], n, n, variable("m")), plus(n, int(1)))),
);
const words = type.textMap(text);
hostile.value(
  "fillTextMap",
  type.arrow(words, text, int64),
  expr.lambda(
    { m: words, t: text },
    call(
      "fillTextMap",
      typed("TEXTMAP_INSERT", [text], builtin("SHA256_TEXT", variable("t")), variable("t"), variable("m")),
      builtin("SHA256_TEXT", variable("t")),
    ),
  ),
);
hostile.value(
  "lists",
  type.arrow(type.list(type.list(int64)), int64),
  expr.lambda(
    { l: type.list(type.list(int64)) },
    let1(
      "one",
      type.list(int64),
      expr.list(int64, ...Array.from({ length: 1_000 }, (_, i) => int(i))),
      call("lists", { kind: "cons", type: type.list(int64), front: [variable("one")], tail: variable("l") }),
    ),
  ),
);
hostile.value(
  "explode",
  type.arrow(text, int64),
  expr.lambda(
    { t: text },
    let1(
      "parts",
      type.list(text),
      builtin("EXPLODE_TEXT", variable("t")),
      call("explode", append(variable("t"), builtin("IMPLODE_TEXT", variable("parts")))),
    ),
  ),
);
hostile.value(
  "digits",
  type.arrow(type.numeric(10), type.numeric(10)),
  expr.lambda(
    { x: type.numeric(10) },
    call(
      "digits",
      typed(
        "MUL_NUMERIC",
        [
          { kind: "nat", value: 10 },
          { kind: "nat", value: 10 },
          { kind: "nat", value: 10 },
        ],
        expr.numeric(0n, 10),
        variable("x"),
        variable("x"),
      ),
    ),
  ),
);
/** A constant that needs itself. */
hostile.value("self", int64, plus(value("self"), int(1)));
const nested = hostile.variant("Nested", { Leaf: int64, Node: type.con(id("Nested")) });
hostile.value(
  "nest",
  type.arrow(int64, type.con(nested), type.con(nested)),
  expr.lambda(
    { n: int64, x: type.con(nested) },
    ifZero(n, variable("x"), call("nest", before, expr.variant(nested, "Node", variable("x")))),
  ),
);

/** Twice what it was given, n times over: 2^n leaves in n records. */
const twin = hostile.variant("Twin", { One: int64, Two: type.con(id("Pair")) });
hostile.record("Pair", { left: type.con(id("Twin")), right: type.con(id("Twin")) });
hostile.value(
  "twins",
  type.arrow(int64, type.con(twin), type.con(twin)),
  expr.lambda(
    { n: int64, x: type.con(twin) },
    ifZero(
      n,
      variable("x"),
      call("twins", before, expr.variant(twin, "Two", expr.record(id("Pair"), { left: variable("x"), right: variable("x") }))),
    ),
  ),
);
const twins = (depth: number): Expr => call("twins", int(depth), expr.variant(twin, "One", int(0)));
const copies = type.list(text);
hostile.value(
  "copies",
  type.arrow(int64, text, copies, copies),
  expr.lambda(
    { n: int64, t: text, l: copies },
    ifZero(
      n,
      variable("l"),
      call("copies", before, variable("t"), { kind: "cons", type: text, front: [variable("t")], tail: variable("l") }),
    ),
  ),
);

/** By a name of a choice, an expression that does not end well; what it would give is thrown away. */
export const pureShapes: Readonly<Record<string, readonly [what: string, evaluated: Expr, result: Type]>> = {
  Loop: ["a loop that never ends", call("loop", int(0)), int64],
  MutualLoop: ["two functions that call each other for ever", call("ping", int(0)), int64],
  Deep: ["a recursion without end", call("deep", int(0)), int64],
  VeryDeep: ["a recursion of a hundred million calls", call("deepTo", int(100_000_000)), int64],
  Fibonacci: ["a recursion with too many branches", call("fibonacci", int(60)), int64],
  DoublingText: ["a text that doubles for ever", call("double", expr.text("x")), text],
  GrowingText: ["a text that grows by a character for ever", call("grow", expr.text("")), text],
  Hashing: ["hashing without end", call("hash", expr.text("x")), text],
  GrowingList: ["a list that grows for ever", call("cons", expr.list(int64)), int64],
  DoublingList: ["a list that is walked for ever", call("doubleList", expr.list(int64, int(1), int(2))), int64],
  GrowingMap: ["a map that grows for ever", call("fillMap", typed("GENMAP_EMPTY", [int64, int64]), int(0)), int64],
  GrowingTextMap: ["a text map that grows for ever", call("fillTextMap", typed("TEXTMAP_EMPTY", [text]), expr.text("x")), int64],
  ListOfLists: ["a list of lists that grows for ever", call("lists", expr.list(type.list(int64))), int64],
  ExplodingText: ["a text that is taken to pieces and doubled", call("explode", expr.text("x")), int64],
  GrowingNumber: ["a number that squares itself for ever", call("digits", expr.numeric(20_000_000_000n, 10)), type.numeric(10)],
  ComparingTwins: ["a comparison of values with 2^60 leaves", typed("EQUAL", [type.con(twin)], twins(60), twins(60)), type.bool],
  SelfConstant: ["a constant that needs itself", value("self"), int64],
};

const done = expr.pure(type.unit, expr.unit);
const owned = (self: (field: string) => Expr): Expr[] => [self("owner")];
const choice = (
  returns: Type,
  update: (self: (field: string) => Expr) => Expr,
  fields: Readonly<Record<string, Type>> = {},
  consuming = false,
) => ({
  fields,
  returns,
  consuming,
  controllers: owned,
  update: (self: (field: string) => Expr, arg: (field: string) => Expr) => update((name) => (name in fields ? arg(name) : self(name))),
});
const argument = (name: string, fields: Readonly<Record<string, Expr>> = {}): Expr => expr.record(id(name), fields);
const itself = variable("self");
const created = (): Expr =>
  expr.create(id("Machine"), expr.record(id("Machine"), { owner: expr.field(id("Machine"), "owner", variable("this")) }));
const then = (type_: Type, first: Expr, second: Expr): Expr => expr.block([expr.bind("before", type_, first)], second);
const machine = type.contractId(type.con(id("Machine")));

hostile.template("Holder", { fields: { owner: type.party, value: type.con(nested) }, signatories: owned });
hostile.template("TwinHolder", { fields: { owner: type.party, value: type.con(twin) }, signatories: owned });
hostile.template("TextsHolder", { fields: { owner: type.party, values: copies }, signatories: owned });
hostile.template("Texts", { fields: { owner: type.party, text: type.text }, signatories: owned });

/** What a template says of its contracts, or of a choice, and a message that is never done. */
hostile.template("EndlessEnsure", {
  fields: { owner: type.party },
  signatories: owned,
  precondition: () => typed("EQUAL", [int64], call("loop", int(0)), int(0)),
});
hostile.template("EndlessObservers", {
  fields: { owner: type.party },
  signatories: owned,
  observers: (self) => [let1("wasted", int64, call("ping", int(0)), self("owner"))],
});
const endless = hostile.exception("EndlessMessage", { n: int64 }, () => call("hash", expr.text("x")));
const throwing = (result: Type): Expr => ({
  kind: "throw",
  returnType: result,
  exceptionType: type.con(endless),
  exception: expr.record(endless, { n: int(1) }),
});
const catching = (body: Expr, handled: Expr): Expr =>
  expr.update({ kind: "tryCatch", returnType: type.unit, body, binder: "e", handler: expr.some(type.update(type.unit), handled) });
const again = (name: string): Expr => expr.exercise(id("Machine"), name, itself, argument(name));
/** Updates that call themselves. */
const unitUpdate = type.update(type.unit);
hostile.value(
  "askTime",
  type.arrow(int64, unitUpdate),
  expr.lambda({ n: int64 }, then(type.timestamp, expr.update({ kind: "getTime" }), call("askTime", n))),
);
hostile.value(
  "fetchAll",
  type.arrow(machine, unitUpdate),
  expr.lambda({ c: machine }, then(type.con(id("Machine")), expr.fetch(id("Machine"), variable("c")), call("fetchAll", variable("c")))),
);
hostile.value(
  "throwAll",
  type.arrow(int64, unitUpdate),
  expr.lambda({ n: int64 }, then(type.unit, catching(throwing(unitUpdate), done), call("throwAll", n))),
);
hostile.value(
  "tries",
  type.arrow(int64, unitUpdate),
  expr.lambda({ n: int64 }, ifZero(n, throwing(unitUpdate), catching(call("tries", before), throwing(unitUpdate)))),
);
const twinMap = type.genMap(type.con(twin), int64);
hostile.value(
  "fillTwins",
  type.arrow(twinMap, int64, int64),
  expr.lambda(
    { m: twinMap, n: int64 },
    call("fillTwins", typed("GENMAP_INSERT", [type.con(twin), int64], twins(60), n, variable("m")), plus(n, int(1))),
  ),
);

hostile.template("Machine", {
  fields: { owner: type.party },
  signatories: owned,
  choices: {
    TwinKeys: choice(type.unit, () =>
      let1("wasted", int64, call("fillTwins", typed("GENMAP_EMPTY", [type.con(twin), int64]), int(0)), done),
    ),
    StoreEndlessEnsure: choice(type.contractId(type.con(id("EndlessEnsure"))), (self) =>
      expr.create(id("EndlessEnsure"), expr.record(id("EndlessEnsure"), { owner: self("owner") })),
    ),
    StoreEndlessObservers: choice(type.contractId(type.con(id("EndlessObservers"))), (self) =>
      expr.create(id("EndlessObservers"), expr.record(id("EndlessObservers"), { owner: self("owner") })),
    ),
    ThrowWithEndlessMessage: choice(type.unit, () => throwing(unitUpdate)),
    AskTimeForEver: choice(type.unit, () => call("askTime", int(0))),
    FetchForEver: choice(type.unit, () => call("fetchAll", itself)),
    ThrowForEver: choice(type.unit, () => call("throwAll", int(0))),
    TryInTry: choice(type.unit, () => call("tries", int(1_000_000))),
    TryAndExercise: choice(type.unit, () => catching(again("TryAndExercise"), done)),
    ...Object.fromEntries(
      Object.entries(pureShapes).map(([name, [, evaluated, result]]) => [
        name,
        choice(type.unit, () => let1("wasted", result, evaluated, done)),
      ]),
    ),
    /** A tree of exercises with 2^n leaves. */
    Tree: choice(
      type.unit,
      (self) =>
        ifZero(
          self("n"),
          done,
          then(
            type.unit,
            expr.exercise(id("Machine"), "Tree", itself, argument("Tree", { n: minus(self("n"), int(1)) })),
            expr.exercise(id("Machine"), "Tree", itself, argument("Tree", { n: minus(self("n"), int(1)) })),
          ),
        ),
      { n: int64 },
    ),
    /** A chain of exercises, each inside the other. */
    Chain: choice(
      type.unit,
      (self) => ifZero(self("n"), done, expr.exercise(id("Machine"), "Chain", itself, argument("Chain", { n: minus(self("n"), int(1)) }))),
      { n: int64 },
    ),
    CreateForEver: choice(type.unit, () =>
      then(machine, created(), expr.exercise(id("Machine"), "CreateForEver", itself, argument("CreateForEver"))),
    ),
    /** Stores a value nested n deep. */
    StoreNested: choice(
      type.contractId(type.con(id("Holder"))),
      (self) =>
        expr.create(
          id("Holder"),
          expr.record(id("Holder"), { owner: self("owner"), value: call("nest", self("n"), expr.variant(nested, "Leaf", int(0))) }),
        ),
      { n: int64 },
    ),
    ReturnNested: choice(
      type.con(nested),
      (self) => expr.pure(type.con(nested), call("nest", self("n"), expr.variant(nested, "Leaf", int(0)))),
      { n: int64 },
    ),
    /** Values that are small in memory, because their parts are shared, and huge when they are written down. */
    StoreTwins: choice(type.contractId(type.con(id("TwinHolder"))), (self) =>
      expr.create(id("TwinHolder"), expr.record(id("TwinHolder"), { owner: self("owner"), value: twins(40) })),
    ),
    ReturnTwins: choice(type.con(twin), () => expr.pure(type.con(twin), twins(40))),
    StoreCopies: choice(type.contractId(type.con(id("TextsHolder"))), (self) =>
      let1(
        "huge",
        text,
        hugeText(),
        expr.create(
          id("TextsHolder"),
          expr.record(id("TextsHolder"), { owner: self("owner"), values: call("copies", int(10_000), variable("huge"), expr.list(text)) }),
        ),
      ),
    ),
    /** Many contracts, each as large as one may be. */
    StoreHugeTexts: choice(type.unit, (self) =>
      then(
        type.contractId(type.con(id("Texts"))),
        expr.create(id("Texts"), expr.record(id("Texts"), { owner: self("owner"), text: hugeText() })),
        expr.exercise(id("Machine"), "StoreHugeTexts", itself, argument("StoreHugeTexts")),
      ),
    ),
    FailWithHugeText: choice(type.unit, () => expr.apply(expr.applyTypes(expr.builtin("ERROR"), type.update(type.unit)), hugeText())),
    StoreHugeText: choice(type.contractId(type.con(id("Texts"))), (self) =>
      expr.create(id("Texts"), expr.record(id("Texts"), { owner: self("owner"), text: hugeText() })),
    ),
  },
});

/** 8 MiB by repeated doubling. */
function hugeText(): Expr {
  const steps = Array.from({ length: 19 }, (_, index) => index + 1);
  const doubled = steps.reduceRight<Expr>(
    (body, step) => let1(`t${step}`, text, append(variable(`t${step - 1}`), variable(`t${step - 1}`)), body),
    variable(`t${steps.length}`),
  );
  return let1("t0", text, expr.text("0123456789abcdef"), doubled);
}

/** A view that shows the text, or never ends where there is none. */
const shownView = hostile.record("ShownView", { text });
const shown = hostile.interface("Shown", { view: type.con(shownView) });
const shownText = (): Expr => expr.field(id("Shy"), "text", variable("this"));
hostile.template("Shy", {
  fields: { owner: type.party, text },
  signatories: owned,
  implements: [
    {
      interface: shown,
      methods: new Map(),
      view: expr.record(shownView, {
        text: expr.match(
          typed("EQUAL", [text], shownText(), expr.text("")),
          { pattern: { kind: "bool", value: true }, body: call("hash", expr.text("x")) },
          { pattern: { kind: "default" }, body: shownText() },
        ),
      }),
    },
  ],
});

export const hostileDar = buildDar(buildPackage({ name: "hostile", version: "1.0.0", modules: [hostile] }));
export const machineTemplate = "#hostile:Hostile:Machine";
