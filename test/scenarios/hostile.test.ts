/** Models that would take all time or all memory: the command is refused by the name of a limit, and the node goes on. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import { create, eventFormat, exercise, ofInterface, World, type Json } from "./world.js";
import { hostileDar, machineTemplate, pureShapes } from "./hostile-model.js";
import { isOn } from "../support/knobs.js";

/**
 * Shapes that only the clock stops take 15 s each: `LEDGERLINE_HOSTILE_ALL=1` runs those, too, and every shape twice. One of them runs in
 * any case, beside the other commands of several workers.
 */
const runsAll = isOn("LEDGERLINE_HOSTILE_ALL");
const stoppedByTheClock: ReadonlySet<string> = new Set([
  "Hashing",
  "GrowingList",
  "DoublingList",
  "GrowingTextMap",
  "ListOfLists",
  "ComparingTwins",
  "TwinKeys",
  "ThrowWithEndlessMessage",
]);

const rounds = runsAll ? 2 : 1;

let world: World, alice: string, machine: string;
before(async () => {
  world = await World.start([hostileDar]);
  alice = await world.party("alice");
  machine = (await world.create([alice], machineTemplate, { owner: alice })).contractId;
});
after(() => world.stop());

const memoryMb = (): number => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${world.node.child.pid!}/status`, "utf8"))![1]) / 1024;

interface Stopped {
  readonly error: Json;
  readonly ms: number;
}
async function stopped(choice: string, argument: Json = {}): Promise<Stopped> {
  const end = await world.ledgerEnd(),
    began = Date.now();
  const error = await world.refused([alice], [exercise(machineTemplate, machine, choice, argument)]);
  const ms = Date.now() - began;
  assert.ok(JSON.stringify(error).length < errorCharsMax, "an error is short");
  assert.equal(await world.ledgerEnd(), end, "nothing changed");
  await world.create([alice], machineTemplate, { owner: alice });
  return { error, ms };
}

/** Cause, one resource, and the rest. */
const errorCharsMax = limits.errorCauseCharsMax + limits.errorDetailCharsMax + 4_096;

/** The node's own, and what a busy machine may take besides; what is not stopped does not end at all. */
const deadlineMs = limits.interpretDeadlineMs + 60_000;

/** The limit that ended it is named, the answer comes within the deadline, and the next command is done (`stopped` sees to that). */
async function stoppedInTime(
  t: TestContext,
  choice: string,
  argument: Json = {},
  limit = /Max|limit|stopped|defined by itself/,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const { error, ms } = await stopped(choice, argument);
    assert.deepEqual([error.status, error.code], [409, "INTERPRETATION_TIME_EXCEEDED"]);
    assert.match(error.cause, limit);
    assert.ok(ms < deadlineMs, `${ms} ms`);
    t.diagnostic(`${choice}: ${/\w+Max|stack|time|itself/.exec(error.cause)?.[0]} after ${ms} ms, ${memoryMb().toFixed(0)} MB`);
  }
}

describe("hostile models", () => {
  for (const [choice, [what]] of Object.entries(pureShapes)) {
    if (choice === "GrowingNumber") continue;
    const isSkipped = stoppedByTheClock.has(choice) && !runsAll;
    it(`${what}: stopped in time`, { skip: isSkipped ? "takes 15 s; LEDGERLINE_HOSTILE_ALL=1 runs it" : false }, (t) =>
      stoppedInTime(t, choice),
    );
  }

  it("a number that squares itself for ever: an arithmetic error", async () => {
    assert.equal((await stopped("GrowingNumber")).error.code, "DAML_FAILURE");
  });

  const endless: readonly (readonly [what: string, choice: string])[] = [
    ["a map whose keys have 2^60 leaves", "TwinKeys"],
    ["a precondition that never ends", "StoreEndlessEnsure"],
    ["observers that are never known", "StoreEndlessObservers"],
    ["an exception whose message never ends", "ThrowWithEndlessMessage"],
    ["an update that asks for the time for ever", "AskTimeForEver"],
    ["an update that fetches for ever", "FetchForEver"],
    ["an update that throws and catches for ever", "ThrowForEver"],
    ["a million try scopes, each inside the other", "TryInTry"],
    ["try scopes and exercises, each inside the other for ever", "TryAndExercise"],
  ];
  for (const [what, choice] of endless) {
    const isSkipped = stoppedByTheClock.has(choice) && !runsAll;
    it(`${what}: stopped in time`, { skip: isSkipped ? "takes 15 s; LEDGERLINE_HOSTILE_ALL=1 runs it" : false }, (t) =>
      stoppedInTime(t, choice),
    );
  }

  const limited: readonly (readonly [string, string, Json, RegExp])[] = [
    ["a tree of exercises with 2^40 leaves", "Tree", { n: "40" }, /transactionNodesMax/],
    ["a chain of two hundred thousand exercises, each inside the other", "Chain", { n: "200000" }, /transactionNodesMax|stack/],
    ["creates without end", "CreateForEver", {}, /transactionNodesMax/],
    ["a contract whose value has 2^40 leaves that share their parts", "StoreTwins", {}, /transactionBytesMax/],
    ["a result whose value has 2^40 leaves that share their parts", "ReturnTwins", {}, /transactionBytesMax/],
    ["a contract with ten thousand times the same 8 MiB text", "StoreCopies", {}, /transactionBytesMax/],
    ["contracts with 8 MiB texts without end", "StoreHugeTexts", {}, /transactionBytesMax|allocationMax/],
  ];
  for (const [what, choice, argument, limit] of limited) {
    it(`${what}: refused by the name of the limit`, (t) => stoppedInTime(t, choice, argument, limit));
  }

  for (const [choice, n] of [
    ["StoreNested", "101"],
    ["StoreNested", "1000000"],
    ["ReturnNested", "200"],
    ["ReturnNested", "1000000"],
  ] as const) {
    it(`a value nested ${n} deep (${choice}): VALUE_NESTING`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { error } = await stopped(choice, { n });
        assert.deepEqual([error.status, error.code], [400, "VALUE_NESTING"]);
      }
    });
  }

  it("as an argument a value may be nested a hundred deep and no deeper: COMMAND_PREPROCESSING_FAILED", async () => {
    // The contract's record and the leaf are levels too.
    const nested = (levels: number): Json =>
      Array.from({ length: levels - 2 }).reduce<Json>((value) => ({ tag: "Node", value }), { tag: "Leaf", value: "1" });
    const holder = (levels: number) => [create("#hostile:Hostile:Holder", { owner: alice, value: nested(levels) })];
    for (const levels of [46, 100]) await world.transact([alice], holder(levels));
    for (const levels of [101, 110, 200]) assert.equal((await world.refused([alice], holder(levels))).code, "COMMAND_PREPROCESSING_FAILED");
  });

  it("an error message of 8 MiB is told by its beginning", async () => {
    const { error } = await stopped("FailWithHugeText");
    assert.deepEqual([error.code, error.cause.length <= limits.errorCauseCharsMax + 3], ["INTERPRETATION_USER_ERROR", true]);
  });

  it("what is large but within the limits is done: 2^12 exercises, a chain of 5,000, a value nested 90 deep, a text of 8 MiB", async () => {
    for (const [choice, argument] of [
      ["Tree", { n: "12" }],
      ["Chain", { n: "5000" }],
      ["StoreNested", { n: "90" }],
      ["StoreHugeText", {}],
    ] as const) {
      const reply = await world.submit([alice], [exercise(machineTemplate, machine, choice, argument)]);
      assert.equal(reply.status, 200, reply.text);
    }
  });

  it("a stuck command is blamed alone: commands that came with it are done", async () => {
    const end = await world.ledgerEnd();
    const good = () => world.submit([alice], [create(machineTemplate, { owner: alice })]);
    const replies = await Promise.all([
      good(),
      good(),
      world.submit([alice], [exercise(machineTemplate, machine, "Loop")]),
      ...Array.from({ length: 20 }, good),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 409, ...Array.from({ length: 20 }, () => 200)],
    );
    assert.equal(await world.ledgerEnd(), end + 22);
  });

  it("what stopped commands took does not add up", async () => {
    const stopThree = async (): Promise<number> => {
      for (const choice of ["StoreTwins", "GrowingMap", "GrowingText"]) await stopped(choice);
      return memoryMb();
    };
    const first = [await stopThree(), await stopThree()];
    const later = [await stopThree(), await stopThree(), await stopThree()];
    // One heap, one stack that was used to its end, and what the collector has not got round to.
    assert.ok(
      Math.min(...later) < Math.max(...first, 512) + limits.workerYoungGenerationMb,
      `${first.join(", ")}, then ${later.join(", ")} MB`,
    );
    assert.ok(Math.max(...later) < limits.workerOldGenerationMb, `${later.join(", ")} MB`);
  });
});

describe("interface views", () => {
  it("a view that never ends is told as failed, those beside it are shown, and commands go on", async () => {
    const shy = "#hostile:Hostile:Shy";
    for (const text of ["one", "", "two"]) await world.create([alice], shy, { owner: alice, text });
    const reply = await world.client.post("/v2/state/active-contracts?limit=10", {
      activeAtOffset: await world.ledgerEnd(),
      eventFormat: eventFormat({ parties: [alice], filters: [ofInterface("#hostile:Hostile:Shown")] }),
    });
    assert.equal(reply.status, 200, reply.text);
    const views = reply.json().map((entry: Json) => entry.contractEntry.JsActiveContract.createdEvent.interfaceViews[0]);
    assert.deepEqual(
      views.map((view: Json) => view.viewValue?.text ?? view.viewStatus.message.split("(")[0]),
      ["one", "INTERPRETATION_TIME_EXCEEDED", "two"],
    );
    await world.create([alice], machineTemplate, { owner: alice });
  });
});

describe("several workers", () => {
  it("while one worker is stuck, commands go to the others", async (t) => {
    const other = await World.start([hostileDar], ["--memory", "--workers", "2"]);
    t.after(() => other.stop());
    const party = await other.party("alice");
    const contract = (await other.create([party], machineTemplate, { owner: party })).contractId;
    let isStuck = true;
    const stuck = other.submit([party], [exercise(machineTemplate, contract, "Hashing")]).finally(() => {
      isStuck = false;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let index = 0; index < 50; index++) await other.create([party], machineTemplate, { owner: party });
    assert.ok(isStuck, "all were done meanwhile");
    const reply = await stuck;
    assert.deepEqual([reply.status, reply.json().code], [409, "INTERPRETATION_TIME_EXCEEDED"]);
    assert.ok(reply.text.length < errorCharsMax, "an error is short");
    await Promise.all([1, 2].map(() => other.create([party], machineTemplate, { owner: party })));
  });
});
