/** What `tryCommands` tells of a submission: the reference's names and words, which scripts compare (its TryCommands.daml). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { none, type Value, type Variant } from "../../src/lf/running-code.js";
import { list } from "../../src/script/values.js";
import {
  type Ask,
  create,
  createAndExercise,
  createdBy,
  exercise,
  model,
  parts,
  party,
  script,
  scriptSubject,
  submission,
  type SubmissionToAsk,
  submit,
} from "./harness.js";

const Iou = model.id("Iou"),
  Plain = model.id("Plain"),
  shownIou = `Main:Iou@${model.archive.id.slice(0, 8)}`;

async function tried(ask: Ask, asked: Omit<SubmissionToAsk, "behaviour">): Promise<readonly [class_: string, text: string]> {
  const submitted = script("Submit", [list([submission({ ...asked, behaviour: "MustSucceed" })])], 2);
  const answer = (await ask("TryCommands", [submitted])) as Variant;
  assert.equal(answer.constructor_, "Left");
  const [question, class_, text] = parts(answer.value) as readonly string[];
  assert.equal(question, "Submit");
  return [class_!, text!];
}

async function subjectWithParties(): Promise<Ask> {
  const { ask } = scriptSubject();
  for (const name of ["alice", "bob"]) await party(ask, name);
  return ask;
}

test("tryCommands: who lacks authority is told by node, in the reference's words", async () => {
  const ask = await subjectWithParties();
  assert.deepEqual(await tried(ask, { actAs: ["alice"], commands: [create(Plain, "bob")] }), [
    "FailedAuthorization",
    `Error: node NodeId(0) (${model.archive.id}:Main:Plain) requires authorizers bob, but only alice were given`,
  ]);
  const spend = createAndExercise(Iou, ["alice", "bob", 1, none], "Spend");
  assert.deepEqual(await tried(ask, { actAs: ["alice"], commands: [spend] }), [
    "FailedAuthorization",
    `Error: node NodeId(1) (${model.archive.id}:Main:Iou) requires authorizers bob, but only alice were given`,
  ]);
});

test("tryCommands: an archived contract is told with the transaction that archived it, one that is not seen with who sees it", async () => {
  const ask = await subjectWithParties(),
    made = create(Iou, "alice", "alice", 1, none);
  const two = await submit(ask, { actAs: ["alice"], commands: [made, made] }),
    spent = createdBy(two, 0),
    own = createdBy(two, 1);
  await submit(ask, { actAs: ["alice"], commands: [exercise(Iou, "Spend", spent)] });
  assert.deepEqual(await tried(ask, { actAs: ["alice"], commands: [exercise(Iou, "Spend", spent)] }), [
    "ContractNotActive",
    `Script failed due to a fetch of a consumed contract ${spent} (${shownIou}).\nThe contract had been consumed in transaction #1:0`,
  ]);
  assert.deepEqual(await tried(ask, { actAs: ["bob"], commands: [exercise(Iou, "Spend", own)] }), [
    "ContractNotVisible",
    [
      `Script failed due to the failure to fetch the contract ${own} (${shownIou}).`,
      "The contract had not been disclosed to the reading parties: actAs: {'bob'} readAs: {}.",
      "The contract had been disclosed to: 'alice'.",
    ].join("\n"),
  ]);
  await ask("SetTime", [-1n]);
  assert.deepEqual(await tried(ask, { actAs: ["alice"], commands: [exercise(Iou, "Spend", own)] }), [
    "ContractNotEffective",
    `Script failed due to a fetch of an inactive contract ${own} (${shownIou}). that becomes effective at 1970-01-01T00:00:00Z`,
  ]);
  const unknown = `00${"cd".repeat(64)}`;
  assert.deepEqual(await tried(ask, { actAs: ["alice"], commands: [exercise(Iou, "Spend", unknown)] }), [
    "Internal",
    `CRASH: contract ${unknown} not found `,
  ]);
});

test("tryCommands: a failure of the engine has the name of its class in the reference", async () => {
  const ask = await subjectWithParties();
  const refused = (command: Value) => tried(ask, { actAs: ["alice"], commands: [command] });
  const made = ["alice", "alice", 1, none] as const;
  assert.deepEqual(await refused(createAndExercise(Iou, made, "Abort", "boom")), ["UserError", "Error: User abort: boom"]);
  // The reference's is a Scala object, whose class ends in a dollar.
  assert.deepEqual(await refused(createAndExercise(Iou, made, "Compare")), ["NonComparableValues$", "Error: functions are not comparable"]);
  assert.equal((await refused(create(Iou, "alice", "alice", 0, none)))[0], "TemplatePreconditionViolated");
  assert.equal((await refused(createAndExercise(Iou, made, "Hash", "zz")))[0], "Crypto");
  assert.deepEqual(await tried(ask, { actAs: ["carol"], commands: [create(Plain, "carol")] }), [
    "PartiesNotAllocated",
    "Error: Tried to submit a command for parties that have not been allocated: 'carol'",
  ]);
});

test("tryCommands: a party that there is already, and one that cannot be, are told so", async () => {
  const ask = await subjectWithParties();
  const allocated = async (name: string) =>
    parts(((await ask("TryCommands", [script("AllocateParty", ["", name, none])])) as Variant).value) as readonly string[];
  assert.deepEqual(await allocated("alice"), [
    "AllocateParty",
    "PartyAlreadyExists",
    "Error: Tried to allocate a party that already exists: alice",
  ]);
  const [, class_, text] = await allocated("al/ice");
  assert.equal(class_, "InvalidPartyName");
  assert.match(text!, /^Error: Invalid party: /);
});
