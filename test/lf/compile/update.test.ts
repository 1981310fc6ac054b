import assert from "node:assert/strict";
import { test } from "node:test";
import type { DefInterface, DefTemplate, Expr } from "../../../src/lf/ast.js";
import { FatalError } from "../../../src/lf/errors.js";
import { listFromArray } from "../../../src/lf/runtime/list.js";
import { DamlException, type Machine } from "../../../src/lf/runtime/machine.js";
import { ContractId, InterfaceValue, none, type RecordValue, Some, type Value } from "../../../src/lf/value/value.js";
import {
  app,
  block,
  builtin,
  builtinType,
  compile,
  compilePackages,
  con,
  fail,
  id,
  int,
  lambda,
  listOf,
  makePackage,
  pure,
  text,
  val,
  variable,
} from "./sample-package.js";

const refused = (): never => assert.fail("not expected");

/** Notes every effect. */
const recorder = () => {
  const effects: string[] = [];
  const note = <T>(effect: string, result: T): T => {
    effects.push(effect);
    return result;
  };
  const machine: Machine = {
    onLedger: true,
    create: (template, argument) => note(`create ${template.name} ${String(argument)}`, new ContractId("00")),
    createInterface: (interface_, argument) =>
      note(`createInterface ${interface_.name} ${(argument as InterfaceValue).template.name}`, new ContractId("01")),
    fetch: (template, contractId) => note(`fetch ${template.name} ${contractId.hex}`, [1]),
    fetchInterface: refused,
    exercise: (template, choice, contractId, argument) =>
      note(`exercise ${template.name} ${choice} ${contractId.hex} ${String(argument)}`, 5),
    exerciseInterface: refused,
    exerciseByKey: refused,
    fetchByKey: (template, key) => note(`fetchByKey ${template.name} ${String(key)}`, [new ContractId("02"), [1]]),
    lookupByKey: (template, key) => note(`lookupByKey ${template.name} ${String(key)}`, none),
    queryNByKey: (template, n, key) => note(`queryNByKey ${template.name} ${n} ${String(key)}`, none),
    getTime: () => note("getTime", 0n),
    ledgerTimeLt: (time) => note(`ledgerTimeLt ${time}`, true),
    tryCatch: (body, handler) => {
      try {
        return body();
      } catch (error) {
        if (!(error instanceof DamlException)) throw error;
        const update = handler(error.exception);
        return update instanceof Some ? note("caught", (update.value as unknown as (m: Machine) => Value)(machine)) : refused();
      }
    },
  };
  return { machine, effects };
};

const update = (node: Extract<Expr, { kind: "update" }>["update"]): Expr => ({ kind: "update", update: node });
const create = (arg: Expr): Expr => update({ kind: "create", template: id("T"), arg });
const record = (value: Expr): Expr => ({ kind: "recCon", type: { id: id("T"), args: [] }, fields: [{ name: "n", expr: value }] });
const dataTypes = [
  { name: "T", params: [], serializable: true, cons: { kind: "record" as const, fields: [{ name: "n", type: builtinType("INT64") }] } },
];
const getTime = update({ kind: "getTime" });

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof FatalError) return error.error.message;
    throw error;
  }
  return "built";
};

test("update: a block runs its steps in order, as a value and when run at once", () => {
  const steps = block(
    [
      ["a", create(record(int(1n)))],
      ["b", update({ kind: "fetch", template: id("T"), contractId: variable("a") })],
    ],
    pure(variable("b")),
  );
  const { run } = compile({
    dataTypes,
    values: {
      constant: steps,
      called: app(lambda(["x"], steps), int(0n)),
      through: app(val("f"), int(2n)),
      f: lambda(["n"], block([["t", getTime]], create(record(variable("n"))))),
    },
  });
  for (const name of ["constant", "called"]) {
    const { machine, effects } = recorder();
    assert.deepEqual(run(name, machine), [1]);
    assert.deepEqual(effects, ["create T 1", "fetch T 00"]);
  }
  const { machine, effects } = recorder();
  run("through", machine);
  assert.deepEqual(effects, ["getTime", "create T 2"]);
});

test("update: building evaluates the arguments and the first step of a block, and nothing of what may fail or is embedded", () => {
  const values = {
    pure: pure(fail("x")),
    create: create(record(fail("x"))),
    first: block([["a", create(record(fail("x")))]], pure(int(1n))),
    second: block([["a", getTime]], create(record(fail("x")))),
    embed: update({ kind: "embed", type: con("T"), expr: fail("x") }),
    try: update({ kind: "tryCatch", returnType: con("T"), body: fail("x"), binder: "e", handler: fail("y") }),
    createInterface: update({ kind: "createInterface", interface: id("I"), arg: fail("x") }),
    exercise: update({ kind: "exercise", template: id("T"), choice: "C", contractId: fail("id"), arg: fail("argument") }),
    byKey: update({ kind: "exerciseByKey", template: id("T"), choice: "C", key: fail("key"), arg: fail("argument") }),
    time: update({ kind: "ledgerTimeLt", time: fail("x") }),
  };
  const { call } = compile({ dataTypes, values });
  const built = Object.fromEntries(Object.keys(values).map((name) => [name, messageOf(() => call(name)).replace("User abort: ", "")]));
  assert.deepEqual(built, {
    pure: "x",
    create: "x",
    first: "x",
    second: "built",
    embed: "built",
    try: "built",
    createInterface: "built",
    exercise: "argument",
    byKey: "argument",
    time: "x",
  });
});

test("update: running at once evaluates in the order of build, then run", () => {
  const { run } = compile({
    dataTypes,
    values: {
      late: block(
        [
          ["a", getTime],
          ["b", create(record(fail("x")))],
        ],
        pure(int(1n)),
      ),
    },
  });
  const { machine, effects } = recorder();
  assert.equal(
    messageOf(() => run("late", machine)),
    "User abort: x",
  );
  assert.deepEqual(effects, ["getTime"]);
});

test("update: a recursion in tail position runs as a loop", () => {
  const countdown = lambda(["n"], {
    kind: "case",
    scrutinee: app(builtin("EQUAL", builtinType("INT64")), variable("n"), int(0n)),
    alternatives: [
      { pattern: { kind: "bool", value: true }, body: pure(int(7n)) },
      {
        pattern: { kind: "default" },
        body: block([["t", pure(int(0n))]], app(val("countdown"), app(builtin("SUB_INT64"), variable("n"), int(1n)))),
      },
    ],
  });
  const { run } = compile({ values: { countdown, start: block([["x", pure(int(0n))]], app(val("countdown"), int(300_000n))) } });
  assert.equal(run("start", recorder().machine), 7);
});

test("update: an exception runs the handler's update with the exception", () => {
  const thrown: Expr = { kind: "throw", returnType: con("T"), exceptionType: con("T"), exception: record(int(9n)) };
  const handler: Expr = {
    kind: "some",
    type: con("T"),
    value: pure({ kind: "fromAnyException", type: con("T"), expr: variable("e") }),
  };
  const { run } = compile({
    dataTypes,
    values: {
      caught: update({
        kind: "tryCatch",
        returnType: con("T"),
        body: block([["a", create(record(int(1n)))]], thrown),
        binder: "e",
        handler,
      }),
    },
  });
  const { machine, effects } = recorder();
  assert.deepEqual(run("caught", machine), new Some([9]));
  assert.deepEqual(effects, ["create T 1", "caught"]);
});

test("update: by-key updates are functions of the key, alone or as values", () => {
  const fetchByKey = update({ kind: "fetchByKey", template: id("T") });
  const query = update({ kind: "queryNByKey", template: id("T") });
  const { run } = compile({
    values: {
      applied: app(fetchByKey, text("k")),
      passed: app(lambda(["f"], app(variable("f"), text("k"))), fetchByKey),
      queried: app(app(query, int(3n)), text("k")),
      curried: app(lambda(["f"], app(app(variable("f"), int(3n)), text("k"))), query),
    },
  });
  const { machine, effects } = recorder();
  for (const name of ["applied", "passed", "queried", "curried"]) run(name, machine);
  assert.deepEqual(effects, ["fetchByKey T k", "fetchByKey T k", "queryNByKey T 3 k", "queryNByKey T 3 k"]);
});

// Templates and interfaces

const party = (name: string): Expr => ({ kind: "lit", value: { kind: "text", value: name } });
const field = (record_: Expr): Expr => ({ kind: "recProj", type: { id: id("T"), args: [] }, field: "n", record: record_ });

const template = (implementing: boolean): DefTemplate => ({
  name: "T",
  param: "this",
  precondition: undefined,
  signatories: listOf(party("Alice")),
  observers: { kind: "nil", type: con("T") },
  key: { type: con("T"), key: field(variable("this")), maintainers: lambda(["k"], listOf(variable("k"))) },
  choices: new Map([
    [
      "C",
      {
        name: "C",
        consuming: true,
        selfBinder: "self",
        argBinder: { name: "arg", type: builtinType("INT64") },
        returnType: builtinType("INT64"),
        controllers: listOf(party("Bob")),
        observers: { kind: "nil", type: con("T") },
        authorizers: undefined,
        update: block(
          [["a", update({ kind: "fetch", template: id("T"), contractId: variable("self") })]],
          pure(app(builtin("ADD_INT64"), field(variable("this")), variable("arg"))),
        ),
      },
    ],
  ]),
  implements: implementing
    ? [
        {
          interface: id("I"),
          methods: new Map([["m", app(builtin("MUL_INT64"), int(2n), field(variable("this")))]]),
          view: field(variable("this")),
        },
      ]
    : [],
});
const interface_: DefInterface = {
  name: "I",
  param: "this",
  methods: new Map([["m", builtinType("INT64")]]),
  choices: new Map(),
  view: con("T"),
  requires: [],
};

test("template: its parts and choices are compiled with the payload in scope", () => {
  const { packages } = compile({ dataTypes, templates: [template(false)] });
  const compiled = packages.template(id("T"))!;
  assert.deepEqual(compiled.signatories([1]), listFromArray(["Alice"]));
  assert.equal(compiled.precondition([1]), true);
  assert.deepEqual(compiled.key!.maintainers(compiled.key!.key([4])), listFromArray([4]));
  const choice = compiled.choice("C")!;
  assert.deepEqual([choice.observers([1], 2), choice.authorizers], [listFromArray([]), undefined]);
  const { machine, effects } = recorder();
  assert.equal(choice.run(machine, new ContractId("0a"), [1], 2), 3);
  assert.deepEqual(effects, ["fetch T 0a"]);
  assert.equal(compiled.choice("D"), undefined);
  assert.equal(packages.template(id("U")), undefined);
});

test("interface: values dispatch by their template; another version of it is brought over, another template is not", () => {
  const interfaceExpr = (kind: "callInterface" | "viewInterface" | "fromInterface", expr: Expr): Expr => {
    if (kind === "callInterface") return { kind, interface: id("I"), method: "m", expr };
    return kind === "viewInterface" ? { kind, interface: id("I"), expr } : { kind, interface: id("I"), template: id("T"), expr };
  };
  const values = {
    call: lambda(["i"], interfaceExpr("callInterface", variable("i"))),
    view: lambda(["i"], interfaceExpr("viewInterface", variable("i"))),
    back: lambda(["i"], interfaceExpr("fromInterface", variable("i"))),
    unsafe: lambda(["c", "i"], {
      kind: "unsafeFromInterface",
      interface: id("I"),
      template: id("T"),
      contractId: variable("c"),
      expr: variable("i"),
    }),
    required: lambda(["i"], { kind: "fromRequiredInterface", required: id("I"), requiring: id("J"), expr: variable("i") }),
    made: lambda(["r"], { kind: "toInterface", interface: id("I"), template: id("T"), expr: variable("r") }),
  } satisfies Record<string, Expr>;
  const main = makePackage({ dataTypes, values, templates: [template(true)], interfaces: [interface_] });
  const older = makePackage({ dataTypes, templates: [template(true)] }, "p1", "sample");
  const stranger = makePackage({ dataTypes, templates: [template(true)] }, "p2", "stranger");
  const { call } = compilePackages([main, older, stranger], {
    retype: (to, from, payload: RecordValue) => [...payload, `${from.packageId}>${to.packageId}`],
  });
  const own = call("made", [3]) as InterfaceValue;
  assert.deepEqual(own, new InterfaceValue(id("T"), [3]));
  assert.deepEqual([call("call", own), call("view", own), call("back", own)], [6, 3, new Some([3])]);
  assert.deepEqual(call("back", new InterfaceValue(id("T", "p1"), [3])), new Some([3, "p1>p0"]));
  assert.equal(call("back", new InterfaceValue(id("T", "p2"), [3])), none);
  assert.equal(call("required", own), none);
  assert.match(
    messageOf(() => call("unsafe", new ContractId("00"), new InterfaceValue(id("T", "p1"), [3]))),
    /p1:M:T/,
  );
});
