import assert from "node:assert/strict";
import { test } from "node:test";
import { listFromArray, none, Some, unit, type Value, Variant } from "../../src/lf/running-code.js";
import { failureText } from "../../src/script/report/failure.js";
import { describeFailure } from "../../src/script/describe-failure.js";
import { ScriptStop } from "../../src/script/stop.js";
import { tuple } from "../../src/script/values.js";
import { create, party, scriptSubject, stopOf, submit } from "./harness.js";

const nil = listFromArray([]);

/** A script that asks for the time again and again. */
const forever = (): Value => {
  const again = (): Value => new Variant(1, "Free", tuple(tuple("GetTime", 1, tuple(), nil, again)));
  return tuple(again, unit);
};

test("script runs: one that asks without end is stopped when its time is over", async () => {
  const { run } = scriptSubject({ timeLimitMs: 50 });
  const stopped = await stopOf(run.run("become failures", forever));
  assert.ok(stopped.kind === "limit");
  assert.match(stopped.message, /took more than 50 ms and was stopped/);
});

test("script runs: one that may take any time does not sleep for a year either", async () => {
  const { ask } = scriptSubject({ timeLimitMs: Infinity });
  const stopped = await stopOf(ask("Sleep", [tuple(31_536_000_000_000n)]));
  assert.deepEqual(stopped, {
    kind: "limit",
    message: "The script wanted to sleep for 31536000 s, which is longer than any may sleep: 86400 s.",
  });
  assert.equal(await ask("Sleep", [tuple(1_000n)]), unit);
});

test("script runs: an exception in the rest of a script is caught like one before the first question", async () => {
  const { ask, packages } = scriptSubject();
  const failing = (after: boolean): Value => {
    const fail = (): Value => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const question = new Variant(1, "Free", tuple(tuple("GetTime", 1, tuple(), nil, fail)));
    return tuple(after ? () => question : fail, unit);
  };
  for (const after of [false, true]) {
    const stopped = await stopOf(ask("TryCommands", [failing(after)]));
    assert.equal(stopped.kind, "limit", "a stack that is used up ends the script and not the runner");
  }
  assert.ok(packages.main.name === "model");
});

test("script runs: a value that no ledger can hold fails the question that brings it", async () => {
  const { ask, model } = scriptSubject(),
    alice = await party(ask, "alice");
  const stopped = await stopOf(submit(ask, { actAs: [alice], commands: [create(model.id("Iou"), alice, alice, 1, new Some("\u0000"))] }));
  assert.ok(stopped.kind === "question");
  assert.equal(stopped.class_, "ConverterException");
});

test("script runs: equal seeds give equal contract ids, and another script gives others", async () => {
  const made = async (): Promise<string> => {
    const { ask, model, ledger } = scriptSubject(),
      alice = await party(ask, "alice");
    await submit(ask, { actAs: [alice], commands: [create(model.id("Iou"), alice, alice, 1, none)] });
    return [...ledger.contracts.allActive()][0]!.instance.contractId;
  };
  assert.equal(await made(), await made());
});

test("script failures: an assertion shows the two values that it compared", () => {
  const compared = (message: string) =>
    describeFailure(
      new ScriptStop({ kind: "failureStatus", status: { errorId: "E", category: 9, message, metadata: [] } }),
      [],
      (text) => text,
    ).compared;
  assert.deepEqual(compared("Iou {amount = 1} /= Iou {amount = 2}"), ["Iou {amount = 1}", "Iou {amount = 2}"]);
  assert.deepEqual(compared("User abort: Failure, expected Some 1 == Some 2"), ["Some 1", "Some 2"]);
  assert.equal(compared("the money is gone"), undefined);
});

test("script failures: long values that were compared show where they part", () => {
  const long = (amount: number): string =>
    `Account with ${'note = "a long one"; '.repeat(8)}amount = ${amount}; owner = 'alice'; custodian = 'bank of somewhere'`;
  const failure = describeFailure(
    new ScriptStop({ kind: "failureStatus", status: { errorId: "E", category: 9, message: `${long(10)} /= ${long(11)}`, metadata: [] } }),
    [],
    (text) => text,
  );
  const text = failureText(
    { script: { module: "M", name: "s" }, failure, trace: [], ledger: undefined },
    { isOwn: () => true, line: () => undefined },
  );
  assert.match(
    text,
    /\n {2}they part at \.\.\.ote = "a long one"; amount = 10; owner = 'alice'; custodian \.\.\.\n {12}and \.\.\.ote = "a long one"; amount = 11; owner = 'alice'; custodian \.\.\.\n/,
  );
});
