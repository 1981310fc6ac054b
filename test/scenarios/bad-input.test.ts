/** What is wrong with a request is said by code and name, nothing changes, and the next command is served. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { limits } from "../../src/config.js";
import { testData } from "../support/paths.js";
import type { Reply } from "../support/node-process.js";
import { create, darOf, exercise, exerciseByKey, ofTemplate, World, type Command, type Json } from "./world.js";

const asset = "#ref-model:M:Asset",
  all = "#ref-model:M:All",
  multi = "#ref-model:M:Multi",
  holding = "#ref-model:M:Holding",
  unknownAsset = `${"ab".repeat(32)}:M:Asset`;
const unknownContract = `00${"ab".repeat(32)}ca121220${"cd".repeat(32)}`;

let world: World, alice: string, bob: string;
before(async () => {
  world = await World.start([darOf("canton", "model1.dar")]);
  [alice, bob] = await world.parties("alice", "bob");
});
after(() => world.stop());

const assetOf = (changes: Readonly<Record<string, unknown>> = {}): Json => ({
  issuer: alice,
  owner: alice,
  name: "gold",
  amount: "1",
  ...changes,
});

const viewOf = (): Json => ({ owner: alice, amount: "1" });

/** Everything that a reader can see of the ledger's state. */
const observe = async (): Promise<Json> => ({
  end: await world.ledgerEnd(),
  active: await world.activeContracts(),
  packages: (await world.client.get("/v2/packages")).json().packageIds.sort(),
  parties: (await world.client.get("/v2/parties")).json().partyDetails.length,
});

interface Refusal {
  readonly status: number;
  readonly code?: string;
  readonly names?: RegExp;
}

/** The request is refused as it should be, leaves no trace, and a good command follows. */
async function refuses(request: () => Promise<Reply>, { status, code, names }: Refusal): Promise<void> {
  const before = await observe();
  const reply = await request();
  assert.equal(reply.status, status, reply.text);
  if (code !== undefined) assert.equal(reply.json().code, code, reply.text);
  if (names !== undefined)
    assert.match(
      code === undefined
        ? reply.text
        : `${reply.json().cause} ${JSON.stringify(reply.json().context)} ${JSON.stringify(reply.json().resources)}`,
      names,
    );
  assert.ok(reply.bytes.length < 8_192, "an error is short");
  assert.doesNotMatch(reply.text, /node_modules|\.js:\d|(?:^|\n|\\n)\s+at .*\(/, "an error shows nothing of the program");
  assert.deepEqual(await observe(), before, "nothing changed");
  const { completionOffset } = await world
    .submit([alice], [create(asset, assetOf())])
    .then((next) => (assert.equal(next.status, 200, next.text), next.json()));
  assert.equal(completionOffset, before.end + 1);
}

const invalidDar = (name: string): Uint8Array => readFileSync(testData("engine", "dars-invalid", `${name}.dar`));
const model2 = (): Uint8Array => darOf("canton", "model2.dar");
const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
};

/** A good DAR with an entry that unpacks to a thousand times its size. */
function bomb(): Uint8Array {
  return zipSync({ ...unzipSync(model2()), "zeros.txt": new Uint8Array(64 * 1024 * 1024) }, { level: 9 });
}
function manyEntries(): Uint8Array {
  const entries = Object.fromEntries(Array.from({ length: limits.darEntriesMax + 1 }, (_, index) => [`entry-${index}`, new Uint8Array(0)]));
  return zipSync({ ...entries, ...unzipSync(model2()) });
}
/** One byte of a package differs from what its name says. */
function damagedPackage(): Uint8Array {
  const entries = unzipSync(model2()),
    [name] = Object.keys(entries).filter((entry) => entry.endsWith(".dalf"));
  return zipSync({ ...entries, [name!]: flipped(entries[name!]!, Math.floor(entries[name!]!.length / 2)) });
}

describe("bad DARs", () => {
  const cases: readonly (readonly [string, () => Uint8Array, Refusal])[] = [
    [
      "an empty file",
      () => new Uint8Array(0),
      { status: 400, code: "INVALID_DAR", names: /^Dar file is corrupt \{.*"throwable":"the file is not a zip archive"/ },
    ],
    ["what is no zip archive", () => Buffer.from("this is not a DAR"), { status: 400, code: "INVALID_DAR", names: /is not a zip/ }],
    ["a zip archive without a manifest", () => invalidDar("mal-no-manifest"), { status: 400, code: "INVALID_DAR", names: /MANIFEST/ }],
    [
      "a manifest that names a missing entry",
      () => invalidDar("mal-missing-entry"),
      { status: 400, code: "INVALID_ZIP_ENTRY", names: /^Dar zip file is corrupt \{.*"name":/ },
    ],
    ["a truncated file", () => model2().subarray(0, 1_000), { status: 400, code: "DAR_PARSE_ERROR" }],
    ["a truncated package", () => invalidDar("mal-truncated-payload"), { status: 400, code: "DAR_PARSE_ERROR" }],
    ["a package with a changed byte", damagedPackage, { status: 400, code: "DAR_PARSE_ERROR", names: /[0-9a-f]{64}/ }],
    ["a package with a wrong hash", () => invalidDar("mal-wrong-hash"), { status: 400, code: "DAR_PARSE_ERROR", names: /[0-9a-f]{64}/ }],
    ["an entry that unpacks to a thousand times its size", bomb, { status: 400, code: "ZIP_BOMB", names: /zeros\.txt/ }],
    ["more entries than any DAR has", manyEntries, { status: 400, code: "ZIP_BOMB", names: /10000/ }],
    ["Daml-LF 1", () => invalidDar("mal-lf1"), { status: 400, code: "ALLOWED_LANGUAGE_VERSIONS", names: /1\.15/ }],
    ["a version of Daml-LF 2 that does not exist", () => invalidDar("mal-minor-4"), { status: 400, names: /2\.4|version/ }],
    [
      "a package that refers to another which is not there",
      () => invalidDar("mal-missing-dependency"),
      { status: 400, code: "DAR_DEPENDENCIES_NOT_VALID", names: /[0-9a-f]{64}/ },
    ],
    [
      "a stable package left out, though the node has it",
      () => readFileSync(testData("canton", "model2.dar")),
      { status: 400, code: "DAR_DEPENDENCIES_NOT_VALID", names: /9e70a8b3/ },
    ],
    [
      "an ill-typed package",
      () => invalidDar("bad-choice-body-type"),
      { status: 400, code: "DAR_VALIDATION_ERROR", names: /^Package validation failed\. \{.*"validationError":/ },
    ],
  ];
  for (const [what, bytes, refusal] of cases) {
    it(`${what}: refused on upload`, () => refuses(() => world.client.post("/v2/dars", bytes()), refusal));
    it(`${what}: refused on validation`, () => refuses(() => world.client.post("/v2/dars/validate", bytes()), refusal));
  }

  it("a package that is no upgrade of its older version: refused and not vetted, and commands go on with the older one", async () => {
    const vetted = async (): Promise<Json> => (await world.client.post("/v2/package-vetting/list", {})).json().vettedPackages[0].packages;
    const before = await vetted();
    await refuses(() => world.client.post("/v2/dars/validate", darOf("canton", "model3bad.dar")), {
      status: 400,
      code: "NOT_VALID_UPGRADE_PACKAGE",
      names: /[0-9a-f]{64}/,
    });
    const reply = await world.client.post("/v2/dars", darOf("canton", "model3bad.dar"));
    assert.deepEqual([reply.status, reply.json().code], [400, "NOT_VALID_UPGRADE_PACKAGE"]);
    const {
      cause,
      context: { upgradeError, newPackage, oldPackage },
    } = reply.json();
    assert.match(
      upgradeError,
      /^template M:Asset no longer implements interface M:Holding of ref-model 1\.0\.0 \(package [0-9a-f]{64}\); M:Holding of ref-model 1\.2\.0 .* is another one\.$/,
    );
    assert.deepEqual(
      [newPackage, oldPackage].map((label) => label.replace(/[0-9a-f]{64}/, "ID")),
      ["ID (ref-model v1.2.0)", "ID (ref-model v1.0.0)"],
    );
    assert.equal(cause, `Upgrade checks indicate that ${newPackage} cannot be an upgrade of ${oldPackage}. Reason: ${upgradeError}`);
    assert.deepEqual(await vetted(), before);
    await world.create([alice], asset, assetOf());
  });

  it("a body above the limit of DARs is 413", () =>
    refuses(() => world.client.post("/v2/dars", new Uint8Array(limits.darBytesMax + 1)), { status: 413 }));

  it("reading bad DARs does not leave memory behind", async () => {
    const dar = bomb();
    for (let index = 0; index < 3; index++) assert.equal((await world.client.post("/v2/dars", dar)).json().code, "ZIP_BOMB");
    const anonymous = memoryOf(world.node.child.pid!);
    for (let index = 0; index < 10; index++) assert.equal((await world.client.post("/v2/dars", dar)).json().code, "ZIP_BOMB");
    assert.ok(memoryOf(world.node.child.pid!) < anonymous + 100, `from ${anonymous} to ${memoryOf(world.node.child.pid!)} MB`);
  });
});

const memoryOf = (pid: number): number => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

describe("bad commands", () => {
  const submit =
    (commands: () => readonly Command[], changes: () => Json = () => ({})) =>
    () =>
      world.submit([alice], commands(), changes());
  let contract = "",
    archived = "";
  before(async () => {
    contract = (await world.create([alice], asset, assetOf())).contractId;
    archived = (await world.create([alice], asset, assetOf())).contractId;
    await world.transact([alice], [exercise(asset, archived, "Archive")]);
  });

  const allOf = (changes: Json): Json => ({ ...wholeValue(), ...changes });
  const cases: readonly (readonly [string, () => Promise<Reply>, Refusal])[] = [
    [
      "an unknown package name",
      submit(() => [create("#nope:M:Asset", assetOf())]),
      { status: 404, code: "PACKAGE_NAMES_NOT_FOUND", names: /nope/ },
    ],
    [
      "a package name that no package can have, beside one that is unknown",
      submit(() => [create("#nope:M:Asset", assetOf()), create("###Malformed:M:Asset", assetOf())]),
      { status: 400, code: "INVALID_ARGUMENT", names: /package-id or package-name formats: .* "##Malformed"/ },
    ],
    [
      "a package id that no package can have",
      submit(() => [exercise("!#odd:M:Asset", contract, "Archive")]),
      { status: 400, code: "INVALID_ARGUMENT", names: /package-id or package-name formats: .* "!#odd"/ },
    ],
    [
      "no package",
      submit(() => [create(":M:Asset", assetOf())]),
      { status: 400, code: "INVALID_ARGUMENT", names: /package-id or package-name formats: .* is empty/ },
    ],
    [
      "no module",
      submit(() => [create("#ref-model::Asset", assetOf())]),
      { status: 400, code: "INVALID_ARGUMENT", names: /name is empty/ },
    ],
    [
      "no template",
      submit(() => [create("#ref-model:M:", assetOf())]),
      { status: 400, names: /Invalid identifier format \(#ref-model:M:\)/ },
    ],
    [
      "an unknown package id",
      submit(() => [create(unknownAsset, assetOf())]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /abab.*M:Asset/ },
    ],
    [
      "a package name where an id is expected",
      submit(() => [create("ref-model:M:Asset", assetOf())]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /a package name is written #ref-model/ },
    ],
    [
      "an unknown module",
      submit(() => [create("#ref-model:Nope:Asset", assetOf())]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /Nope:Asset/ },
    ],
    [
      "an unknown template",
      submit(() => [create("#ref-model:M:Nope", assetOf())]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /M:Nope/ },
    ],
    [
      "an interface that is created, with its view",
      submit(() => [create(holding, viewOf())]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /M:Holding is an interface, not a template/ },
    ],
    [
      "an interface that is created without a field of its view, by which it is read first",
      submit(() => [create(holding, { ...viewOf(), amount: undefined })]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /amount/ },
    ],
    [
      "a data type that is no template",
      submit(() => [create("#ref-model:M:Addr", assetOf())]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /M:Addr/ },
    ],
    [
      "a template id that is none",
      submit(() => [create("nonsense", assetOf())]),
      { status: 400, names: /\(Invalid identifier format \(nonsense\) .* at 'commands\[0\]\.CreateCommand\.templateId'\)$/ },
    ],
    [
      "an unknown template that is exercised on",
      submit(() => [exercise("#ref-model:M:Nope", contract, "Archive")]),
      { status: 400, code: "INVALID_ARGUMENT", names: /Invalid template:[0-9a-f]{64}:M:Nope or choice:Archive\b/ },
    ],
    [
      "a template that cannot be named so",
      submit(() => [create("#ref-model:M:As set", assetOf())]),
      { status: 400, code: "INVALID_ARGUMENT", names: /As set/ },
    ],
    [
      "an unknown choice",
      submit(() => [exercise(asset, contract, "Nope")]),
      { status: 400, code: "INVALID_ARGUMENT", names: /arguments: Invalid template:[0-9a-f]{64}:M:Asset or choice:Nope\b/ },
    ],
    [
      "a choice that cannot be named so, of a package id that is unknown",
      submit(() => [exercise(unknownAsset, contract, "No choice")]),
      { status: 400, code: "INVALID_ARGUMENT", names: /No choice/ },
    ],
    [
      "such a choice, by key",
      submit(() => [exerciseByKey(unknownAsset, "key", "No choice")]),
      { status: 400, code: "INVALID_ARGUMENT", names: /No choice/ },
    ],
    [
      "a choice that may be named so, of a package id that is unknown",
      submit(() => [exercise(unknownAsset, contract, "Nope")]),
      { status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND", names: /abab.*M:Asset/ },
    ],
    [
      "an unknown field",
      submit(() => [create(asset, assetOf({ colour: "red" }))]),
      { status: 400, code: "INVALID_ARGUMENT", names: /colour/ },
    ],
    [
      "a missing field",
      submit(() => [create(asset, assetOf({ amount: undefined }))]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /amount/ },
    ],
    [
      "an unknown party that acts",
      () => world.submit(["nobody::1220ab"], [create(asset, assetOf())]),
      { status: 404, code: "UNKNOWN_INFORMEES", names: /nobody/ },
    ],
    [
      "an unknown party that would observe",
      submit(() => [create(asset, assetOf({ owner: `nobody::1220${"ab".repeat(32)}` }))]),
      { status: 404, code: "UNKNOWN_INFORMEES", names: /nobody/ },
    ],
    ["a number where text is expected", submit(() => [create(asset, assetOf({ name: 5 }))]), { status: 400, names: /name/ }],
    ["text where a record is expected, at depth", submit(() => [create(all, allOf({ rec: "street" }))]), { status: 400, names: /rec/ }],
    ["a wrong type inside a list inside a record", submit(() => [create(all, allOf({ lo: ["x", 5] }))]), { status: 400, names: /lo/ }],
    ["a wrong type inside a map's value", submit(() => [create(all, allOf({ tm: { a: [] } }))]), { status: 400, names: /tm/ }],
    [
      "an unknown constructor of a variant",
      submit(() => [create(all, allOf({ v: { tag: "Triangle", value: "1" } }))]),
      { status: 400, names: /variant tag \\?"Triangle/ },
    ],
    [
      "a number above Int64",
      submit(() => [create(asset, assetOf({ amount: "9223372036854775808" }))]),
      { status: 400, code: "INVALID_ARGUMENT", names: /9223372036854775808/ },
    ],
    [
      "a number below Int64",
      submit(() => [create(asset, assetOf({ amount: "-9223372036854775809" }))]),
      { status: 400, code: "INVALID_ARGUMENT", names: /-9223372036854775809/ },
    ],
    [
      "a numeric with too many digits after the point",
      submit(() => [create(all, allOf({ n: "1.12345678901" }))]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /Cannot represent 1\.12345678901 as \(Numeric 10\)/ },
    ],
    [
      "a numeric with too many digits before the point",
      submit(() => [create(all, allOf({ n: "99999999999999999999999999999" }))]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /Out-of-bounds \(Numeric 10\) 99999999999999999999999999999/ },
    ],
    [
      "text with a null character",
      submit(() => [create(asset, assetOf({ name: "a\u0000b" }))]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED" },
    ],
    [
      "a contract that does not exist",
      submit(() => [exercise(asset, unknownContract, "Archive")]),
      { status: 404, code: "CONTRACT_NOT_FOUND", names: new RegExp(unknownContract) },
    ],
    ["a contract id that is none", submit(() => [exercise(asset, "zzz", "Archive")]), { status: 400, code: "INVALID_FIELD", names: /zzz/ }],
    [
      "an archived contract",
      submit(() => [exercise(asset, archived, "GetAmount")]),
      { status: 404, code: "CONTRACT_NOT_FOUND", names: /00[0-9a-f]{64}/ },
    ],
    [
      "a contract used up twice in one transaction",
      submit(() => [exercise(asset, contract, "Archive"), exercise(asset, contract, "Archive")]),
      {
        status: 404,
        code: "CONTRACT_NOT_ACTIVE",
        names:
          /^CONTRACT_NOT_ACTIVE\(11,[0-9a-f]{8}\): Interpretation error: Error: Update failed due to fetch of an inactive contract 00[0-9a-f]{136} \(M:Asset@[0-9a-f]{8}\)\.\nThe contract had been consumed in sub-transaction #NodeId\(0\): /,
      },
    ],
    [
      "a contract id without the part that a ledger adds",
      submit(() => [exercise(asset, contract.slice(0, 66), "Archive")]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /Illegal Contract ID "00[0-9a-f]{64}"/ },
    ],
    [
      "such a contract id beside a wrong argument, which is told first",
      submit(() => [exercise(asset, contract.slice(0, 66), "Boom", { msg: 5 })]),
      { status: 400, names: /msg/ },
    ],
    [
      "such an id inside a value",
      submit(() => [create(all, allOf({ oc: contract.slice(0, 66) }))]),
      { status: 400, code: "COMMAND_PREPROCESSING_FAILED", names: /oc: Illegal Contract ID "00[0-9a-f]{64}"/ },
    ],
    [
      "a contract of another template",
      submit(() => [exercise(multi, contract, "Archive")]),
      { status: 400, code: "WRONGLY_TYPED_CONTRACT", names: /wrongly typed contract id 00[0-9a-f]{136}\n.*M:Asset/ },
    ],
    [
      "a missing authoriser",
      submit(() => [create(asset, assetOf({ issuer: bob }))]),
      { status: 400, code: "DAML_AUTHORIZATION_ERROR", names: /bob::/ },
    ],
    [
      "a contract without a signatory",
      submit(() => [create(multi, { sigs: [], obs: [alice] })]),
      { status: 400, code: "DAML_AUTHORIZATION_ERROR", names: /M:Multi/ },
    ],
    [
      "a failing ensure",
      submit(() => [create(asset, assetOf({ amount: "-1" }))]),
      { status: 400, code: "TEMPLATE_PRECONDITION_VIOLATED", names: /M:Asset/ },
    ],
    [
      "an error of the model",
      submit(() => [exercise(asset, contract, "Boom", { msg: "kaboom" })]),
      { status: 400, code: "INTERPRETATION_USER_ERROR", names: /kaboom/ },
    ],
    [
      "a division by zero",
      submit(() => [exercise(asset, contract, "Div", { by: "0" })]),
      { status: 400, code: "DAML_FAILURE", names: /DIV_INT64/ },
    ],
    [
      "the second of two commands",
      submit(() => [create(asset, assetOf()), create(asset, assetOf({ amount: "-1" }))]),
      { status: 400, code: "TEMPLATE_PRECONDITION_VIOLATED" },
    ],
    ["no commands", submit(() => []), { status: 400, code: "MISSING_FIELD", names: /commands/ }],
    [
      "no command id",
      submit(
        () => [create(asset, assetOf())],
        () => ({ commandId: "" }),
      ),
      { status: 400, code: "MISSING_FIELD", names: /command_id/ },
    ],
    ["nobody that acts", () => world.submit([], [create(asset, assetOf())]), { status: 400, code: "MISSING_FIELD", names: /act/ }],
    [
      "another synchronizer",
      submit(
        () => [create(asset, assetOf())],
        () => ({ synchronizerId: `other::1220${"ab".repeat(32)}` }),
      ),
      { status: 400, code: "INVALID_PRESCRIBED_SYNCHRONIZER_ID", names: /^Cannot submit transaction to prescribed synchronizer `other::/ },
    ],
    [
      "a disclosed contract of an empty template id",
      submit(
        () => [create(asset, assetOf())],
        () => ({ disclosedContracts: [{ contractId: contract, templateId: "", createdEventBlob: "AAAA", synchronizerId: "" }] }),
      ),
      { status: 400, names: /disclosedContracts\[0\]\.templateId/ },
    ],
    [
      "a disclosed contract that is no contract",
      submit(
        () => [create(asset, assetOf())],
        () => ({ disclosedContracts: [{ contractId: contract, createdEventBlob: "AAAA", synchronizerId: "" }] }),
      ),
      { status: 400, code: "INVALID_ARGUMENT", names: /disclosed contract event payload: DecodeError\(/ },
    ],
    ["a body that is no JSON", () => world.client.post("/v2/commands/submit-and-wait", "{"), { status: 400 }],
    [
      "half of a surrogate pair in a value",
      submit(() => [create(asset, assetOf({ name: "gold\ud83d" }))]),
      { status: 400, names: /commands\[0\]\.CreateCommand\.createArguments\.name/ },
    ],
    [
      "half of a surrogate pair in a key of a map",
      submit(() => [create(all, allOf({ tm: { "\udc00": "1" } }))]),
      { status: 400, names: /in the name of a member of .*createArguments\.tm/ },
    ],
    [
      "half of a surrogate pair in an annotation",
      () => world.client.post("/v2/users", { user: { id: "anybody", metadata: { annotations: { note: "\udfff" } } }, rights: [] }),
      { status: 400, names: /user\.metadata\.annotations\.note/ },
    ],
    [
      "a body of another shape",
      () => world.client.post("/v2/commands/submit-and-wait", { actAs: alice }),
      { status: 400, names: /commands/ },
    ],
    ["a body nested without end", () => world.client.post("/v2/commands/submit-and-wait", "[".repeat(1_000_000)), { status: 400 }],
    [
      "a value nested too deep",
      () =>
        world.client.post(
          "/v2/commands/submit-and-wait",
          JSON.stringify(world.commands([alice], [create(all, allOf({ ooi: "here" }))])).replace(
            '"here"',
            "[".repeat(limits.jsonDepthMax) + "]".repeat(limits.jsonDepthMax),
          ),
        ),
      { status: 400 },
    ],
    [
      "a body above the limit",
      () => world.client.post("/v2/commands/submit-and-wait", " ".repeat(limits.bodyBytesMax + 1)),
      { status: 413 },
    ],
  ];
  for (const [what, request, refusal] of cases) it(`${what}: refused`, () => refuses(request, refusal));

  it("what is refused by submit-and-wait is refused by async submit at once, and leaves no completion", async () => {
    const end = await world.ledgerEnd();
    const bad: readonly (readonly [readonly Command[], number, string])[] = [
      [[create("#ref-model:M:Nope", {})], 404, "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
      [[exercise(asset, archived, "Archive")], 404, "CONTRACT_NOT_FOUND"],
      [[create(asset, assetOf({ amount: "-1" }))], 400, "TEMPLATE_PRECONDITION_VIOLATED"],
    ];
    for (const [commands, status, code] of bad) {
      const reply = await world.client.post("/v2/commands/async/submit", world.commands([alice], commands));
      assert.deepEqual([reply.status, reply.json().code], [status, code]);
    }
    assert.deepEqual([await world.ledgerEnd(), await world.completions([alice], end)], [end, []]);
  });
});

describe("large commands", () => {
  it("ten thousand entries in a list and in maps, and twelve thousand five hundred commands, are taken", async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => String(index));
    const large = {
      ...wholeValue(),
      l: numbers,
      tm: Object.fromEntries(numbers.map((number) => [number, "1"])),
      gm: numbers.map((number) => [number, "a"]),
    };
    const { contractId } = await world.create([alice], asset, assetOf());
    for (const commands of [
      [create(all, large)],
      numbers.slice(0, 6_250).flatMap(() => [exercise(asset, contractId, "GetAmount"), exercise(asset, contractId, "GetAmount")]),
    ]) {
      const reply = await world.submit([alice], commands);
      assert.equal(reply.status, 200, reply.text);
    }
    const [whole] = await world.activeContracts({ parties: [alice], filters: [ofTemplate(all)] });
    assert.deepEqual(
      [whole.createArgument.l.length, Object.keys(whole.createArgument.tm).length, whole.createArgument.gm.length],
      [10_000, 10_000, 10_000],
    );
  });
});

const wholeValue = (): Json => ({
  p: alice,
  i: "1",
  n: "1.0",
  n0: "1",
  t: "text",
  b: true,
  d: "2026-01-01",
  ts: "2026-01-01T00:00:00Z",
  u: {},
  oi: "1",
  ooi: [],
  l: ["1"],
  tm: { a: "1" },
  gm: [["1", "a"]],
  gmr: [],
  rec: { street: "s", zip: null },
  v: { tag: "Circle", value: "1" },
  e: "Red",
  pr: { fst: "1", snd: "a" },
  oc: null,
  lo: ["a", null],
});

describe("requests that name no user, where no token does", () => {
  const named = /user_id.*"userId"/;
  it("a submission, its completions and a reassignment say which field to send", async () => {
    for (const [path, body] of [
      ["/v2/commands/submit-and-wait", { ...world.commands([alice], [create(asset, assetOf())]), userId: undefined }],
      ["/v2/commands/submit-and-wait", { ...world.commands([alice], [create(asset, assetOf())]), userId: "" }],
      ["/v2/commands/async/submit", { ...world.commands([alice], [create(asset, assetOf())]), userId: "" }],
      ["/v2/commands/completions", { parties: [alice], beginExclusive: 0 }],
      [
        "/v2/interactive-submission/prepare",
        { ...world.commands([alice], [create(asset, assetOf())]), userId: "", synchronizerId: "", packageIdSelectionPreference: [] },
      ],
      [
        "/v2/commands/async/submit-reassignment",
        { reassignmentCommands: { submitter: alice, commandId: "c", submissionId: "", workflowId: "", commands: [] } },
      ],
    ] as const) {
      const reply = await world.client.post(path, body);
      assert.deepEqual([reply.status, reply.json().code, reply.json().context.field_name], [400, "MISSING_FIELD", "user_id"], path);
      assert.match(reply.json().cause, named);
    }
  });
});

describe("requests without a body", () => {
  it("are refused alike, before and after an upload without one", async () => {
    const without = async (): Promise<string> =>
      (await world.client.request("POST", "/v2/parties", undefined, { "content-type": "application/json" })).text;
    const before = await without();
    assert.match(before, /a JSON body is expected/);
    assert.equal((await world.client.request("POST", "/v2/dars", undefined, { "content-type": "application/octet-stream" })).status, 400);
    assert.equal(await without(), before);
  });
});

describe("names that cannot be, of those who ask and of what they ask for", () => {
  const badParties = ["x!", "", "p".repeat(5_000)],
    wildcard = { cumulative: [] };
  const formatFor = (party: string): Json => ({ filtersByParty: { [party]: wildcard }, verbose: false });
  const filtered = (templateId: string): Json => {
    const identifierFilter = { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } };
    return { filtersByParty: { [alice]: { cumulative: [{ identifierFilter }] } }, verbose: false };
  };
  const transaction = (eventFormat: Json): Json => ({ eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" });
  /** Each way to read or to be answered in a format. */
  const inFormat = (eventFormat: Json): readonly (readonly [path: string, body: Json])[] => [
    ["/v2/state/active-contracts", { activeAtOffset: 1, eventFormat }],
    ["/v2/updates", { beginExclusive: 0, endInclusive: 1, updateFormat: { includeTransactions: transaction(eventFormat) } }],
    ["/v2/events/events-by-contract-id", { contractId: unknownContract, eventFormat }],
    [
      "/v2/commands/submit-and-wait-for-transaction",
      { commands: world.commands([alice], [create(asset, assetOf())]), transactionFormat: transaction(eventFormat) },
    ],
  ];

  it("a party in a format is refused before anything is read or done", async () => {
    for (const party of badParties)
      for (const [path, body] of inFormat(formatFor(party)))
        await refuses(() => world.client.post(path, body), { status: 400, code: "INVALID_ARGUMENT", names: /Daml-LF Party/ });
  });

  it("so is the name of a package, a module or a template", async () => {
    for (const [id, names] of [
      ["#ref!:M:Asset", /package reference/],
      ["#ref-model:M!:Asset", /module_name/],
      ["#ref-model:M:1", /entity_name/],
    ] as const)
      for (const [path, body] of inFormat(filtered(id)))
        await refuses(() => world.client.post(path, body), { status: 400, code: "INVALID_FIELD", names });
  });

  it("so are the parties and the user of completions, and parties that are looked up", async () => {
    const completions = (userId: string, party: string) => (): Promise<Reply> =>
      world.client.post("/v2/commands/completions", { userId, parties: [party], beginExclusive: 0 });
    await refuses(completions("me", "x!"), { status: 400, code: "INVALID_ARGUMENT", names: /Daml-LF Party/ });
    await refuses(completions("a b", alice), { status: 400, code: "INVALID_FIELD", names: /user_id/ });
    await refuses(() => world.client.get("/v2/parties/x!"), { status: 400, code: "INVALID_ARGUMENT", names: /Daml-LF Party/ });
    for (const filter of ["x!", "p".repeat(186)])
      await refuses(() => world.client.get(`/v2/parties?filter-party=${filter}`), {
        status: 400,
        code: "INVALID_FIELD",
        names: /filterString/,
      });
  });

  it("so is who acts, or reads along", async () => {
    for (const party of badParties)
      for (const parties of [{ actAs: [party] }, { actAs: [alice, party] }, { readAs: [party] }])
        await refuses(() => world.submit([alice], [create(asset, assetOf())], parties), {
          status: 400,
          code: "INVALID_ARGUMENT",
          names: /Daml-LF Party/,
        });
  });
});
