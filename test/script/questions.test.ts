import assert from "node:assert/strict";
import { test } from "node:test";
import type { DefinitionId } from "../../src/lf/ast.js";
import { AnyValue, ContractId, none, Some, textMapOf, unit, type Value, Variant } from "../../src/lf/running-code.js";
import { secp256k1Bool, secp256k1WithEcdsaBool } from "../../src/lf/runtime/crypto.js";
import { Vetting } from "../../src/script/memory/vetting.js";
import type { ScriptPackages } from "../../src/script/packages.js";
import { questions } from "../../src/script/questions/index.js";
import { left, list, templateRep, tuple } from "../../src/script/values.js";
import {
  create,
  createAndExercise,
  createdBy,
  elements,
  errorOf,
  exact,
  exercise,
  libraryOf,
  party,
  parts,
  resultsOf,
  script,
  scriptSubject,
  stopOf,
  submission,
  submit,
  type Subject,
} from "./harness.js";
import { holdingApi } from "./model.js";

const hexOf = (value: Value): string => (value as ContractId).hex;

/** Alice owes Bob. */
async function iou(subject: Subject, amount = 7): Promise<{ readonly alice: string; readonly bob: string; readonly contractId: string }> {
  const { ask, model } = subject;
  const alice = await party(ask, "alice"),
    bob = await party(ask, "bob");
  return {
    alice,
    bob,
    contractId: createdBy(await submit(ask, { actAs: [alice], commands: [create(model.id("Iou"), alice, bob, amount, none)] })),
  };
}

test("script questions: every question of the library is known, in every version of it", () => {
  const asked = Object.entries(questions)
    .map(([name, { versions }]) => `${name} ${versions.join(",")}`)
    .sort();
  assert.deepEqual(asked, [
    "AllocateParty 1,2",
    "Catch 1",
    "CreateUser 1",
    "DeleteUser 1",
    "FailWithStatus 1",
    "GetTime 1",
    "GetUser 1",
    "GrantUserRights 1",
    "ListAllPackages 1",
    "ListAllUsers 1",
    "ListKnownParties 1",
    "ListUserRights 1",
    "ListVettedPackages 1",
    "QueryACS 1",
    "QueryByKey 1,2",
    "QueryContractId 1",
    "QueryContractKey 1",
    "QueryInterface 1",
    "QueryInterfaceContractId 1",
    "QueryNByKey 1",
    "RevokeUserRights 1",
    "Secp256k1GenerateKeyPair 1",
    "Secp256k1Sign 1",
    "Secp256k1WithEcdsaSign 1",
    "SetTime 1",
    "Sleep 1",
    "Submit 1,2",
    "Throw 1",
    "TryCommands 1",
    "TryFailureStatus 1",
    "UnvetPackages 1",
    "ValidateUserId 1",
    "VetPackages 1",
  ]);
});

test("script questions: one that nobody knows, or a later version, is refused by name", async () => {
  const { ask } = scriptSubject();
  const unknown = await stopOf(ask("Divine", [])),
    later = await stopOf(ask("Submit", [list([])], 9));
  assert.match((unknown as { message: string }).message, /asks Divine, which this runner does not know/);
  assert.match((later as { message: string }).message, /Submit in version 9; this runner knows 1, 2/);
});

test("script submissions: commands give their results, and a tree of what was made", async () => {
  const { ask, model } = scriptSubject(),
    Iou = model.id("Iou");
  const alice = await party(ask, "alice"),
    bob = await party(ask, "bob");
  const answer = await submit(ask, {
    actAs: [alice, bob],
    commands: [create(Iou, alice, bob, 5, none), createAndExercise(Iou, [alice, bob, 6, none], "Look")],
  });
  const [first, second, looked] = resultsOf(answer);
  assert.ok(first instanceof ContractId && second instanceof ContractId);
  assert.equal(looked, 6);
  const roots = elements(parts(parts(answer.value)[1]!)[0]!) as Variant[];
  assert.deepEqual(
    roots.map(({ constructor_ }) => constructor_),
    ["CreatedEvent", "CreatedEvent", "ExercisedEvent"],
  );
  assert.equal(parts(roots[2]!.value)[1], "Look");
});

test("script submissions: several at once have an answer each, in order", async () => {
  const subject = scriptSubject(),
    { ask, model } = subject,
    { alice, bob, contractId } = await iou(subject);
  const spend = exercise(model.id("Iou"), "Spend", contractId);
  const answers = elements(
    await ask(
      "Submit",
      [
        list([
          submission({ actAs: [bob], commands: [spend] }),
          submission({ actAs: [bob], commands: [spend] }),
          submission({ actAs: [alice], commands: [] }),
        ]),
      ],
      2,
    ),
  );
  assert.deepEqual(
    answers.map((answer) => (answer as Variant).constructor_),
    ["Right", "Left", "Right"],
  );
});

test("script submissions: of several at once, those behind one that fails are sent all the same", async () => {
  const { ask, model } = scriptSubject(),
    alice = await party(ask, "alice");
  const made = (owner: string): Value =>
    submission({ actAs: [alice], commands: [create(model.id("Plain"), owner)], behaviour: "MustSucceed" });
  const stopped = await stopOf(ask("Submit", [list([made(alice), made("bob"), made("carol"), made(alice)])], 2));
  assert.match((stopped as { message: string }).message, /requires authorizers bob/, "the first failure is told");
  assert.equal(elements(await ask("QueryACS", [list([alice]), templateRep(model.id("Plain"))])).length, 2);
});

test("script submissions: a failure that was to be a success ends the script, and the other way round", async () => {
  const subject = scriptSubject(),
    { ask, model } = subject,
    { alice, bob, contractId } = await iou(subject);
  const refused = await stopOf(
    submit(ask, { actAs: [alice], commands: [exercise(model.id("Iou"), "Spend", contractId)], behaviour: "MustSucceed" }),
  );
  assert.ok(refused.kind === "question");
  assert.deepEqual(refused.submission?.().authority, { required: ["bob"], given: ["alice"], missing: ["bob"] });
  const accepted = await stopOf(
    submit(ask, { actAs: [bob], commands: [exercise(model.id("Iou"), "Spend", contractId)], behaviour: "MustFail" }),
  );
  assert.equal((accepted as { message: string }).message, "Expected submit to fail but it succeeded");
});

test("script queries: contracts are seen by their stakeholders while they are active", async () => {
  const subject = scriptSubject(),
    { ask, model } = subject,
    Iou = model.id("Iou"),
    { alice, bob, contractId } = await iou(subject);
  const carol = await party(ask, "carol");
  const seen = async (who: string): Promise<readonly string[]> =>
    elements(await ask("QueryACS", [list([who]), templateRep(Iou)])).map((pair) => hexOf(parts(pair)[0]!));
  assert.deepEqual([await seen(alice), await seen(bob), await seen(carol)], [[contractId], [contractId], []]);
  assert.ok((await ask("QueryContractId", [list([carol]), templateRep(Iou), new ContractId(contractId)])) === none);
  await submit(ask, { actAs: [bob], commands: [exercise(Iou, "Spend", contractId)] });
  assert.deepEqual(await seen(bob), []);
});

test("script queries: by id a contract of an older version answers as the version that is asked for", async () => {
  const { ask, model, older } = scriptSubject();
  const alice = await party(ask, "alice");
  const contractId = createdBy(await submit(ask, { actAs: [alice], commands: [exact(create(older.id("Iou"), alice, alice, 5))] }));
  const found = (await ask("QueryContractId", [list([alice]), templateRep(model.id("Iou")), new ContractId(contractId)])) as Some;
  const payload = (parts(parts(found.value)[0]!)[0] as unknown as { value: readonly Value[] }).value;
  assert.deepEqual([payload.length, payload[3]], [4, none]);
});

test("script queries: the contracts of a template are those of the version that is asked for", async () => {
  const { ask, model, older } = scriptSubject();
  const alice = await party(ask, "alice");
  const of = async (id: DefinitionId, ...more: Value[]): Promise<string> =>
    createdBy(await submit(ask, { actAs: [alice], commands: [exact(create(id, alice, alice, 5, ...more))] }));
  const made = [await of(older.id("Iou")), await of(model.id("Iou"), new Some("no field of the older version"))];
  const found = async (id: DefinitionId): Promise<readonly string[]> =>
    elements(await ask("QueryACS", [list([alice]), templateRep(id)])).map((pair) => hexOf(parts(pair)[0]!));
  assert.deepEqual([await found(older.id("Iou")), await found(model.id("Iou"))], [[made[0]], [made[1]]]);
});

test("script queries: interfaces give views, by the preferred version of the template", async () => {
  const subject = scriptSubject(),
    { ask } = subject,
    { bob, contractId } = await iou(subject);
  const Holding = templateRep(holdingApi.id("Holding"));
  const [found] = elements(await ask("QueryInterface", [list([bob]), Holding]));
  assert.equal(hexOf(parts(found!)[0]!), contractId);
  assert.deepEqual((parts(found!)[1] as Some).value, [bob]);
  const one = (await ask("QueryInterfaceContractId", [list([bob]), Holding, new ContractId(contractId)])) as Some;
  assert.deepEqual(one.value, [bob]);
});

test("script queries: a contract that the preferred version cannot hold fails queries through an interface", async () => {
  const { ask, model } = scriptSubject(),
    alice = await party(ask, "alice"),
    Holding = templateRep(holdingApi.id("Holding"));
  const newer = create(model.id("Iou"), alice, alice, 5, new Some("no field of the older version"));
  const contractId = new ContractId(createdBy(await submit(ask, { actAs: [alice], commands: [newer] })));
  await ask("UnvetPackages", [list([tuple("model", "2.0.0")]), none]);
  for (const [name, more] of [["QueryInterface", []] as const, ["QueryInterfaceContractId", [contractId]] as const])
    assert.equal(((await stopOf(ask(name, [list([alice]), Holding, ...more]))) as { class_: string }).class_, "ConverterException", name);
});

test("script disclosures: who is shown a contract can use it", async () => {
  const subject = scriptSubject(),
    { ask, model } = subject,
    Iou = model.id("Iou"),
    { alice, contractId } = await iou(subject);
  const carol = await party(ask, "carol");
  const mine = createdBy(await submit(ask, { actAs: [alice], commands: [create(Iou, alice, carol, 1, none)] }));
  const [, rep, blob] = parts(
    ((await ask("QueryContractId", [list([alice]), templateRep(Iou), new ContractId(contractId)])) as Some).value,
  );
  const both = { actAs: [carol, alice], commands: [exercise(Iou, "Both", mine, new ContractId(contractId))] };
  const reading = { ...both, actAs: [carol] };
  assert.equal((await submit(ask, reading)).constructor_, "Left");
  const disclosed = { ...both, disclosures: [tuple(rep!, new ContractId(contractId), blob!)] };
  assert.equal((await submit(ask, disclosed)).constructor_, "Right");
});

test("script time: stands still until it is set, in any direction", async () => {
  const { ask } = scriptSubject();
  assert.equal(await ask("GetTime", []), 0n);
  for (const time of [5_000_000n, -1n]) {
    await ask("SetTime", [time]);
    assert.equal(await ask("GetTime", []), time);
  }
});

test("script time: a sleep of a year is refused at once, a short one is slept", async () => {
  const { ask } = scriptSubject();
  assert.equal(await ask("Sleep", [tuple(1000)]), unit);
  const stopped = await stopOf(ask("Sleep", [tuple(365 * 24 * 3600 * 1e6)]));
  assert.match((stopped as { message: string }).message, /wanted to sleep for 31536000 s, which is longer than it may take: 60 s/);
});

test("script parties: are called by their hint, or by name and a number of their own", async () => {
  const { ask } = scriptSubject();
  assert.equal(await ask("AllocateParty", ["", "alice", none]), "alice");
  assert.match((await ask("AllocateParty", ["bob", "", list([])], 2)) as string, /^bob-/);
  assert.match((await ask("AllocateParty", ["", "", none])) as string, /^party-/);
  assert.match(((await stopOf(ask("AllocateParty", ["", "alice", none]))) as { message: string }).message, /already exists: alice/);
  assert.match(((await stopOf(ask("AllocateParty", ["a", "b", none]))) as { message: string }).message, /cannot be different from id hint/);
  assert.match(((await stopOf(ask("AllocateParty", ["", "a/b", none]))) as { message: string }).message, /Invalid party name: a\/b/);
  const known = elements(await ask("ListKnownParties", [none]));
  assert.equal(known.length, 3);
  assert.deepEqual(known[0], ["alice", true]);
});

test("script users: are created once, hold rights, and are deleted", async () => {
  const { ask, packages } = scriptSubject();
  const right = (kind: string, payload: Value = unit): Value => libraryOf(packages).variant("UserRight", kind, payload)!;
  const userId = tuple("u1"),
    user = tuple(userId, new Some("alice"));
  const actAs = right("CanActAs", "alice"),
    admin = right("ParticipantAdmin");
  assert.ok((await ask("CreateUser", [user, list([actAs]), none])) instanceof Some);
  assert.equal(await ask("CreateUser", [user, list([]), none]), none);
  assert.deepEqual(((await ask("GetUser", [userId, none])) as Some).value, user);
  assert.deepEqual(elements(((await ask("GrantUserRights", [userId, list([actAs, admin]), none])) as Some).value), [admin]);
  assert.deepEqual(elements(((await ask("RevokeUserRights", [userId, list([actAs]), none])) as Some).value), [actAs]);
  assert.deepEqual(elements(((await ask("ListUserRights", [userId, none])) as Some).value), [admin]);
  assert.equal(elements(await ask("ListAllUsers", [none])).length, 1);
  assert.ok((await ask("DeleteUser", [userId, none])) instanceof Some);
  assert.equal(await ask("ListUserRights", [userId, none]), none);
  assert.equal(await ask("ValidateUserId", ["ok"]), none);
  assert.match(((await ask("ValidateUserId", ["not ok"])) as Some).value as string, /does not match regex/);
});

test("script packages: what is not vetted resolves no more, until it is vetted again", async () => {
  const { ask, model } = scriptSubject();
  const alice = await party(ask, "alice"),
    Plain = model.id("Plain");
  const versions = list([tuple("model", "1.0.0"), tuple("model", "2.0.0")]);
  for (const unvetted of [list([tuple("model", "2.0.0")]), versions]) {
    await ask("UnvetPackages", [unvetted, none]);
    // A version that is vetted does not stand in for one that a command names.
    for (const command of [create(Plain, alice), exact(create(Plain, alice))]) {
      const refused = errorOf(await submit(ask, { actAs: [alice], commands: [command] }));
      assert.deepEqual([refused.constructor_, parts(refused.value)], ["UnknownError", ["package model-2.0.0 is not vetted"]]);
    }
  }
  const vetted = elements(await ask("ListVettedPackages", [])).length,
    all = elements(await ask("ListAllPackages", [])).length;
  assert.equal(all - vetted, 2);
  await ask("VetPackages", [versions, none]);
  assert.equal((await submit(ask, { actAs: [alice], commands: [create(Plain, alice)] })).constructor_, "Right");
  assert.match(
    ((await stopOf(ask("VetPackages", [list([tuple("nope", "1.0.0")]), none]))) as { message: string }).message,
    /Unknown package nope-1.0.0/,
  );
});

test("script packages: two of one name and version are listed once", () => {
  const twins = ["a", "b"].map((id) => ({ id, name: "daml-prim", version: "0.0.0" }));
  const vetting = new Vetting({ all: twins } as unknown as ScriptPackages);
  for (const listed of [vetting.all(), vetting.vetted()]) assert.deepEqual(listed, [{ name: "daml-prim", version: "0.0.0" }]);
});

test("script packages: a submission may prefer another version than the highest", async () => {
  const { ask, model, older, ledger } = scriptSubject();
  const alice = await party(ask, "alice");
  await submit(ask, { actAs: [alice], commands: [create(model.id("Plain"), alice)], preference: [older.archive.id] });
  assert.deepEqual(
    [...ledger.contracts.allActive()].map(({ instance }) => instance.templateId.packageId),
    [older.archive.id],
  );
});

test("script packages: a preferred version that is not vetted fails even a submission that only tries", async () => {
  const { ask, model } = scriptSubject(),
    alice = await party(ask, "alice");
  await ask("UnvetPackages", [list([tuple("model", "2.0.0")]), none]);
  const stopped = await stopOf(
    submit(ask, { actAs: [alice], commands: [create(model.id("Plain"), alice)], preference: [model.archive.id], behaviour: "Try" }),
  );
  assert.ok(stopped.kind === "question");
  assert.deepEqual(
    [stopped.class_, stopped.message, stopped.referenceText],
    [
      "IllegalArgumentException",
      "The preferred package model-2.0.0 is not vetted.",
      `Package ${model.archive.id} does not support Upgrades.`,
    ],
  );
});

test("script exceptions: a failure status can be caught, by its fields", async () => {
  const { ask } = scriptSubject();
  const status = tuple("NO", 9n, "not today", textMapOf([["when", "tomorrow"]]));
  const caught = (await ask("TryFailureStatus", [() => script("FailWithStatus", [status]), unit])) as Variant;
  assert.equal(caught.constructor_, "Left");
  assert.deepEqual(parts(caught.value).slice(0, 3), ["NO", 9n, "not today"]);
  const passed = (await ask("TryFailureStatus", [() => script("GetTime", []), unit])) as Variant;
  assert.deepEqual(passed, new Variant(1, "Right", 0n));
});

test("script exceptions: Catch sees exceptions but no failed question, TryCommands the other way round", async () => {
  const { ask } = scriptSubject();
  const exception = new AnyValue({ kind: "con", id: { packageId: "p", module: "M", name: "E" } }, []);
  assert.deepEqual(await ask("Catch", [() => script("Throw", [exception]), unit]), left(exception));
  const stuck = await stopOf(ask("Catch", [() => script("AllocateParty", ["a", "b", none]), unit]));
  assert.equal(stuck.kind, "question");
  const tried = (await ask("TryCommands", [script("VetPackages", [list([tuple("nope", "1.0.0")]), none])])) as Variant;
  assert.deepEqual(parts(tried.value), ["VetPackages", "IllegalArgumentException", "Unknown package ReadablePackageId(nope,1.0.0)"]);
  // What no ledger is asked is no failed question to it.
  for (const senseless of [script("AllocateParty", ["a", "b", none]), script("Divine", [])])
    assert.equal((await stopOf(ask("TryCommands", [senseless]))).kind, "question");
});

test("script exceptions: the library's own have texts although they have no message function", async () => {
  const { ask } = scriptSubject();
  const thrown = (name: string, payload: Value): Value =>
    new AnyValue({ kind: "con", id: { packageId: "p", module: "Daml.Script.Internal.Questions.UserManagement", name } }, payload);
  const messages: string[] = [];
  for (const exception of [
    thrown("UserNotFound", tuple(tuple("u"))),
    thrown("UserAlreadyExists", tuple(tuple("u"))),
    thrown("InvalidUserId", tuple("bad")),
  ]) {
    const stopped = await stopOf(ask("Throw", [exception]));
    messages.push(stopped.kind === "failureStatus" ? stopped.status.message : stopped.kind);
  }
  assert.deepEqual(messages, ["User not found: u", "User already exists: u", "bad"]);
});

test("script keys: what a script signs, a model can verify", async () => {
  const { ask } = scriptSubject();
  const [privateKey, publicKey] = parts(await ask("Secp256k1GenerateKeyPair", [])) as readonly string[];
  const message = "abcd",
    digest = "11".repeat(32);
  assert.equal(secp256k1Bool((await ask("Secp256k1Sign", [privateKey!, message])) as string, message, publicKey!), true);
  assert.equal(secp256k1WithEcdsaBool((await ask("Secp256k1WithEcdsaSign", [privateKey!, digest])) as string, digest, publicKey!), true);
  const why = async (key: string, text: string): Promise<string> =>
    ((await stopOf(ask("Secp256k1Sign", [key, text]))) as { message: string }).message;
  assert.match(await why("00", message), /not a secp256k1 key/);
  for (const text of ["ABCD", "abc", "zz"]) assert.equal(await why(privateKey!, text), `cannot parse HexString ${text}`);
});
