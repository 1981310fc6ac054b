import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerValue } from "../../src/lf/index.js";
import { ContractId, none, Some, type Value, Variant } from "../../src/lf/running-code.js";
import { submitErrorValue } from "../../src/script/questions/submit-error-value.js";
import type { Asked } from "../../src/script/questions/index.js";
import type { SubmitError } from "../../src/script/submit-error.js";
import {
  create,
  createdBy,
  elements,
  errorOf,
  exact,
  exercise,
  libraryOf,
  keyedId,
  party,
  parts,
  resultsOf,
  scriptSubject,
  submit,
  type Subject,
} from "./harness.js";
import { holdingApi } from "./model.js";

const { model, older } = scriptSubject();
const Iou = model.id("Iou"),
  Plain = model.id("Plain"),
  contract = { contractId: `00${"ab".repeat(32)}`, templateId: Plain };
const record = (...fields: LedgerValue[]): LedgerValue => ({ kind: "record", fields: fields.map((value) => ({ value })) });
const alice: LedgerValue = { kind: "party", value: "alice" };
const key = { templateId: keyedId("Acc"), key: record(alice, { kind: "int64", value: 1n }) };
const metadata = { signatories: ["alice"], observers: [], key: { key: key.key, maintainers: ["alice"] } };
const upgrade = { ...contract, target: Plain, argument: record(alice) };

/** One of each kind. */
const errors: readonly SubmitError[] = [
  { kind: "ContractNotFound", contractIds: ["a", "b"], absence: { kind: "NotFound" } },
  {
    kind: "ContractNotFound",
    contractIds: ["a"],
    absence: { kind: "NotVisible", ...contract, actAs: ["alice"], readAs: [], observers: ["bob"] },
  },
  { kind: "UnsupportedContractId", contractId: "a" },
  { kind: "ContractKeyNotFound", key },
  { kind: "InconsistentContractKey", key },
  { kind: "FetchEmptyContractKeyMaintainers", key },
  { kind: "DuplicateContractKey", key },
  { kind: "UnresolvedPackageName", packageName: "p" },
  { kind: "AuthorizationError", message: "m" },
  { kind: "UserError", message: "m" },
  { kind: "EffectfulRollbackError", message: "m" },
  { kind: "UnknownError", message: "m" },
  { kind: "ContractHashingError", contractId: contract.contractId, templateId: Plain, argument: record(alice), message: "m" },
  { kind: "DisclosedContractKeyHashingError", contractId: contract.contractId, key, givenKeyHash: "h" },
  { kind: "UnhandledException", exception: { templateId: Plain, argument: record(alice) } },
  { kind: "TemplatePreconditionViolated" },
  { kind: "NonComparableValues" },
  { kind: "ContractIdInContractKey" },
  { kind: "CreateEmptyContractKeyMaintainers", templateId: Plain, argument: record(alice) },
  { kind: "WronglyTypedContract", contractId: contract.contractId, expected: Iou, actual: Plain },
  { kind: "ContractDoesNotImplementInterface", ...contract, interfaceId: holdingApi.id("Holding") },
  {
    kind: "ContractDoesNotImplementRequiringInterface",
    ...contract,
    required: holdingApi.id("Holding"),
    requiring: holdingApi.id("Holding"),
  },
  { kind: "ContractIdComparability", contractId: "a" },
  { kind: "ValueNesting", limit: 100 },
  { kind: "LocalVerdictLockedContracts", contracts: [contract] },
  { kind: "LocalVerdictLockedKeys", keys: [key] },
  {
    kind: "UpgradeError",
    problem: {
      kind: "ValidationFailed",
      contractId: contract.contractId,
      templateId: keyedId("Acc"),
      target: keyedId("Acc"),
      packageName: "a",
      targetPackageName: "b",
      original: metadata,
      recomputed: metadata,
    },
    message: "m",
  },
  { kind: "UpgradeError", problem: { kind: "TranslationFailed", ...upgrade, contractId: undefined }, message: "m" },
  { kind: "UpgradeError", problem: { kind: "AuthenticationFailed", ...upgrade }, message: "m" },
  { kind: "FailureStatusError", status: { errorId: "E", category: 9, message: "m", metadata: [["k", "v"]] } },
  { kind: "CryptoError", problem: "MalformedKey", value: "k", message: "m" },
  { kind: "DevError", problem: "ChoiceGuardFailed", message: "m" },
  { kind: "TruncatedError", constructor_: "ContractKeyNotFound", message: "m" },
];

const valueOf = (subject: Subject, error: SubmitError): Variant =>
  submitErrorValue(error, "as text", { packages: subject.packages, library: libraryOf(subject.packages) } as Asked) as Variant;

test("submit errors: each has its constructor in the newest library, with all fields", () => {
  const subject = scriptSubject();
  for (const error of errors) assert.equal(valueOf(subject, error).constructor_, error.kind);
});

test("submit errors: a contract that does not fit a newer version is told in the fields of each release", () => {
  const failed = errors.find((error) => error.kind === "UpgradeError" && error.problem.kind === "ValidationFailed")!;
  for (const release of ["3.3", "newest", "to come"] as const) {
    const { constructor_, value } = valueOf(scriptSubject({ release }), failed);
    assert.equal(constructor_, "UpgradeError", release);
    assert.equal((parts(value)[0] as Variant).constructor_, "ValidationFailed", release);
  }
});

test("submit errors: what an older library lacks becomes UnknownError, with the text", () => {
  const subject = scriptSubject({ release: "of 2024" });
  const unknown = errors.filter((error) => valueOf(subject, error).constructor_ !== error.kind);
  assert.deepEqual([...new Set(unknown.map(({ kind }) => kind))].sort(), [
    "ContractHashingError",
    "CryptoError",
    "EffectfulRollbackError",
    "FailureStatusError",
    "UnresolvedPackageName",
    "UnsupportedContractId",
    "UpgradeError",
  ]);
  assert.deepEqual(valueOf(subject, unknown[0]!), valueOf(subject, { kind: "UnknownError", message: "as text" }));
});

test("submit errors: a part that cannot be typed takes its constructor with it", () => {
  const subject = scriptSubject();
  assert.equal(
    valueOf(subject, { kind: "CreateEmptyContractKeyMaintainers", templateId: Iou, argument: record(alice) }).constructor_,
    "UnknownError",
  );
});

/** The constructor and its payload's fields, of a submission by Alice that fails. */
const refusedBy = async (subject: Subject, asked: Parameters<typeof submit>[1]): Promise<readonly [string, readonly Value[]]> => {
  const { constructor_, value } = errorOf(await submit(subject.ask, asked));
  return [constructor_, Array.isArray(value) ? parts(value) : []];
};

async function owing(subject: Subject): Promise<string> {
  await party(subject.ask, "alice");
  await party(subject.ask, "bob");
  return createdBy(await submit(subject.ask, { actAs: ["alice"], commands: [create(Iou, "alice", "bob", 1, none)] }));
}

test("submit errors: why a contract cannot be used is told: unknown, not seen, later, archived", async () => {
  const subject = scriptSubject(),
    { ask } = subject,
    contractId = await owing(subject);
  await party(ask, "carol");
  const absence = async (actAs: string, of = contractId): Promise<string> => {
    const [constructor_, [, info]] = await refusedBy(subject, { actAs: [actAs], commands: [exercise(Iou, "Spend", of)] });
    assert.equal(constructor_, "ContractNotFound");
    return ((info as Some).value as Variant).constructor_;
  };
  assert.equal(await absence("carol"), "NotVisible");
  assert.equal(await absence("bob", `00${"cd".repeat(64)}`), "NotFound");
  await ask("SetTime", [-1n]);
  assert.equal(await absence("bob"), "NotEffective");
  await ask("SetTime", [0n]);
  await submit(ask, { actAs: ["bob"], commands: [exercise(Iou, "Spend", contractId)] });
  assert.equal(await absence("bob"), "NotActive");
});

test("submit errors: of a contract that is not seen all are told who were shown it, witnesses and divulgees too", async () => {
  const subject = scriptSubject(),
    { ask } = subject,
    contractId = await owing(subject);
  for (const name of ["carol", "dave"]) await party(ask, name);
  const shownTo = async (of: string): Promise<readonly Value[]> => {
    const [, [, info]] = await refusedBy(subject, { actAs: ["dave"], commands: [exercise(Iou, "Spend", of)] });
    return elements(parts(((info as Some).value as Variant).value)[3]!);
  };
  assert.deepEqual(await shownTo(contractId), ["alice", "bob"]);
  const moved = await submit(ask, { actAs: ["bob"], commands: [exercise(Iou, "Transfer", contractId, "carol")] });
  const carols = (resultsOf(moved)[0] as ContractId).hex;
  assert.deepEqual(await shownTo(carols), ["alice", "bob", "carol"], "Bob saw it being made");
  const own = createdBy(await submit(ask, { actAs: ["alice"], commands: [create(Iou, "alice", "alice", 1, none)] }));
  assert.deepEqual(await shownTo(own), ["alice"]);
  const read = exercise(Iou, "Read", carols, new ContractId(own));
  assert.equal((await submit(ask, { actAs: ["carol"], readAs: ["alice"], commands: [read] })).constructor_, "Right");
  assert.deepEqual(await shownTo(own), ["alice", "carol"], "Carol used it");
});

test("submit errors: what a model does wrong is told by kind", async () => {
  const subject = scriptSubject(),
    contractId = await owing(subject);
  const kind = async (command: Value, actAs = ["alice"]): Promise<string> => (await refusedBy(subject, { actAs, commands: [command] }))[0];
  assert.equal(await kind(exercise(Iou, "Spend", contractId)), "AuthorizationError");
  assert.equal(await kind(create(Iou, "alice", "bob", 0, none)), "TemplatePreconditionViolated");
  assert.equal(await kind(exercise(Iou, "Abort", contractId, "enough")), "UserError");
  assert.equal(await kind(exercise(Iou, "Compare", contractId)), "NonComparableValues");
  assert.equal(await kind(exercise(Iou, "Hash", contractId, "not hex")), "CryptoError");
  assert.equal(await kind(exercise(Plain, "Poke", contractId)), "WronglyTypedContract");
  assert.equal(await kind(create(Plain, "nobody"), ["alice"]), "AuthorizationError");
  const [, said] = await refusedBy(subject, { actAs: ["alice"], commands: [create(Plain, "bob")] });
  assert.equal(said[0], `node NodeId(0) (${model.archive.id}:Main:Plain) requires authorizers bob, but only alice were given`);
  assert.equal(await kind(create(Plain, "alice"), ["stranger"]), "UnknownError");
});

test("submit errors: a newer contract that says more than the older version can hold fails to translate", async () => {
  const subject = scriptSubject(),
    { ask } = subject;
  await party(ask, "alice");
  const made = createdBy(await submit(ask, { actAs: ["alice"], commands: [create(Iou, "alice", "alice", 1, new Some("a note"))] }));
  const [constructor_, [problem]] = await refusedBy(subject, {
    actAs: ["alice"],
    commands: [exact(exercise(older.id("Iou"), "Spend", made))],
  });
  assert.deepEqual([constructor_, (problem as Variant).constructor_], ["UpgradeError", "TranslationFailed"]);
});

test("submit errors: parties that nobody allocated are named, those of the model too", async () => {
  const subject = scriptSubject(),
    { ask } = subject;
  await party(ask, "alice");
  const [, [text]] = await refusedBy(subject, { actAs: ["alice"], commands: [create(Iou, "alice", "ghost", 1, none)] });
  assert.match(text as string, /have not been allocated: ghost/);
});

test("submit errors: an argument that the version that runs cannot hold has the node's code, and the field that does not fit", async () => {
  const { ask } = scriptSubject();
  await party(ask, "alice");
  const newer = create(Iou, "alice", "alice", 1, new Some("no field of the older version"));
  const refused = errorOf(await submit(ask, { actAs: ["alice"], commands: [newer], preference: [older.archive.id] }));
  assert.deepEqual(
    [refused.constructor_, parts(refused.value)],
    [
      "UnknownError",
      [
        'COMMAND_PREPROCESSING_FAILED(0, 00000000): An optional contract field ("note") with a value of Some may not be dropped during downgrading.',
      ],
    ],
  );
  const fits = { actAs: ["alice"], commands: [create(Iou, "alice", "alice", 1, none)], preference: [older.archive.id] };
  assert.equal((await submit(ask, fits)).constructor_, "Right");
});
