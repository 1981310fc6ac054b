/**
 * Which packages a command needs vetted, and which versions it is given: those that its transaction uses, not those that they were built
 * with.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { AdministeredNode } from "./administration-world.js";
import { apiPackage, benches1, benches2, dars, parts1, parts2, tools1, tools2 } from "./package-model.js";
import { create, createAndExercise, eventsOf, exercise, type Command, type Json } from "./world.js";

let node: AdministeredNode, alice: string, bob: string;
beforeEach(async () => {
  node = await AdministeredNode.start();
  [alice, bob] = await node.world.parties("alice", "bob");
});
afterEach(() => node.stop());

const upload = (...names: readonly (keyof typeof dars)[]): Promise<unknown> =>
  names.reduce<Promise<unknown>>((before, name) => before.then(() => node.world.upload(dars[name])), Promise.resolve());
const change = (kind: "Vet" | "Unvet", ...packages: readonly { readonly id: string }[]): Promise<Json> =>
  node.ask("POST", "/v2/package-vetting/update", {
    changes: [{ operation: { [kind]: { value: { packages: packages.map(({ id }) => ({ packageId: id })) } } } }],
    updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"],
  });
const unvet = (...packages: readonly { readonly id: string }[]): Promise<Json> => change("Unvet", ...packages);

const bolt = "#parts:Parts:Bolt",
  hand = "#parts:Parts:Hand",
  bench = "#benches:Benches:Bench",
  tool = "#tools:Tools:Tool",
  part = "#parts-api:Api:Part";
const inPackage = (archive: { readonly id: string }, reference: string): string => reference.replace(/^#[^:]+/, archive.id);
const owned = (): Json => ({ owner: alice });
const submit = (commands: readonly Command[], more: Json = {}): Promise<Json> => node.world.transact([alice], commands, more);
const refusal = async (commands: readonly Command[], more: Json = {}): Promise<Json> => {
  const end = await node.world.ledgerEnd(),
    error = await node.world.refused([alice], commands, more);
  assert.equal(await node.world.ledgerEnd(), end, "a command that no packages fit leaves nothing behind");
  return error;
};
/** Of each event the package, and the template in it. */
const usedBy = (transaction: Json): string[] =>
  eventsOf(transaction).map(({ templateId }) => {
    const [packageId, , name] = templateId.split(":");
    const version = Object.entries({ parts1, parts2, tools1, tools2, benches1, benches2 }).find(([, { id }]) => id === packageId);
    return `${version?.[0] ?? packageId} ${name}`;
  });

describe("what has to be vetted", () => {
  beforeEach(() => upload("parts1"));

  it("the package of a created template has to be, the one of an interface that it implements has not", async () => {
    await unvet(apiPackage);
    assert.deepEqual(usedBy(await submit([create(bolt, owned())])), ["parts1 Bolt"]);
    await unvet(parts1);
    assert.deepEqual(
      [(await refusal([create(bolt, owned())])).code, (await refusal([create(inPackage(parts1, bolt), owned())])).code],
      ["JSON_API_PACKAGE_SELECTION_FAILED", "NO_SYNCHRONIZER_FOR_SUBMISSION"],
    );
  });

  it("a choice of an interface needs the interface's package, by name and by id", async () => {
    const { contractId } = await node.world.create([alice], bolt, owned()),
      touch = (id: string): Command => exercise(id, contractId, "Touch", { by: alice });
    assert.deepEqual(usedBy(await submit([touch(part)])), ["parts1 Bolt"]);
    await unvet(apiPackage);
    assert.equal((await refusal([touch(part)])).code, "JSON_API_PACKAGE_SELECTION_FAILED");
    const byId = await refusal([touch(inPackage(apiPackage, part))]);
    assert.equal(byId.code, "UNRESOLVED_PACKAGE_NAME");
    assert.match(byId.cause, new RegExp(`'parts' v1.0.0 .* was built with 'parts-api' v1.0.0 \\(${apiPackage.id}\\), which is not vetted`));
    const onlyTry = await refusal([touch(inPackage(apiPackage, part))], { tapsMaxPasses: 1 });
    assert.equal(onlyTry.code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    assert.match(onlyTry.cause, new RegExp(apiPackage.id));
    await change("Vet", apiPackage);
    assert.deepEqual(usedBy(await submit([touch(inPackage(apiPackage, part))])), ["parts1 Bolt"]);
  });

  for (const choice of ["TouchPart", "FetchPart"]) {
    it(`below a choice too: ${choice} needs the interface's package`, async () => {
      const { contractId } = await node.world.create([alice], bolt, owned()),
        run = (id: string): Command => createAndExercise(id, owned(), choice, { part: contractId });
      await submit([run(hand)]);
      await unvet(apiPackage);
      const byName = await refusal([run(hand)]);
      assert.equal(byName.code, "PACKAGE_SELECTION_FAILED");
      assert.match(byName.cause, /'parts'.*parts-api/s);
      assert.equal((await refusal([run(inPackage(parts1, hand))])).code, "UNRESOLVED_PACKAGE_NAME");
    });
  }

  it("a disclosed contract may come from a package that is not vetted any more, if it is used by a version that is", async () => {
    const { contractId, createdEventBlob, templateId } = await node.world.create([alice], bolt, owned());
    const disclosed = { disclosedContracts: [{ contractId, createdEventBlob, templateId, synchronizerId: "" }] };
    const touchFor = (by: string): Promise<Json> => node.world.transact([by], [exercise(part, contractId, "Touch", { by })], disclosed);
    await upload("parts2");
    await unvet(parts1);
    assert.deepEqual(usedBy(await touchFor(bob)), ["parts2 Bolt"]);
    await unvet(parts2);
    assert.equal(
      (await node.world.refused([bob], [exercise(part, contractId, "Touch", { by: bob })], disclosed)).code,
      "UNRESOLVED_PACKAGE_NAME",
    );
  });

  it("a disclosed contract that nothing uses needs nothing", async () => {
    const { contractId, createdEventBlob, templateId } = await node.world.create([alice], bolt, owned());
    await upload("benches1");
    await unvet(parts1);
    assert.deepEqual(
      usedBy(
        await submit([create(bench, owned())], { disclosedContracts: [{ contractId, createdEventBlob, templateId, synchronizerId: "" }] }),
      ),
      ["benches1 Bench"],
    );
  });
});

describe("which version a name is given", () => {
  beforeEach(() => upload("benches1", "benches2"));

  it("the newest one that is vetted, also where a package that it was built with is not", async () => {
    await unvet(tools2);
    assert.deepEqual(usedBy(await submit([create(bench, owned())])), ["benches2 Bench"]);
    await unvet(benches2);
    assert.deepEqual(usedBy(await submit([create(bench, owned())])), ["benches1 Bench"]);
  });

  it("an older one where the transaction would use what the newest was built with, and that is not vetted", async () => {
    assert.deepEqual(usedBy(await submit([createAndExercise(bench, owned(), "MakeTool")])), [
      "benches2 Bench",
      "benches2 Bench",
      "tools2 Tool",
    ]);
    await unvet(tools2);
    assert.deepEqual(usedBy(await submit([createAndExercise(bench, owned(), "MakeTool")])), [
      "benches1 Bench",
      "benches1 Bench",
      "tools1 Tool",
    ]);
  });

  it("one whose own packages fit the other names of the command", async () => {
    await unvet(tools2);
    assert.deepEqual(usedBy(await submit([create(bench, owned()), create(tool, owned())])), ["benches1 Bench", "tools1 Tool"]);
  });

  it("none where no version can do: the answer names the package that is missing", async () => {
    await unvet(tools1, tools2);
    const error = await refusal([createAndExercise(bench, owned(), "MakeTool")]);
    assert.equal(error.code, "PACKAGE_SELECTION_FAILED");
    assert.match(error.cause, /'benches'/);
    assert.match(error.cause, new RegExp(`${tools2.id}|${tools1.id}|'tools'`));
    assert.deepEqual(usedBy(await submit([create(bench, owned())])), ["benches2 Bench"]);
  });

  it("and so it is for a command that is only prepared", async () => {
    const command = createAndExercise(bench, owned(), "MakeTool");
    const prepare = (): Promise<Json> =>
      node.world.client.post(
        "/v2/interactive-submission/prepare",
        node.world.commands([alice], [command], { synchronizerId: "", packageIdSelectionPreference: [] }),
      );
    await unvet(tools2);
    const prepared = await prepare();
    assert.equal(prepared.status, 200, prepared.text);
    const bytes = Buffer.from(prepared.json().preparedTransaction, "base64").toString("latin1");
    assert.deepEqual(
      [tools1, tools2].map(({ id }) => bytes.includes(id)),
      [true, false],
    );
    await unvet(tools1);
    const refused = await prepare();
    assert.deepEqual([refused.status, refused.json().code], [400, "PACKAGE_SELECTION_FAILED"]);
  });

  it("an older one that has no such choice is found to have none when the command runs", async () => {
    await upload("benches3");
    const commands = [createAndExercise(bench, owned(), "Look"), createAndExercise(bench, owned(), "MakeTool")];
    await submit(commands);
    await unvet(tools2);
    assert.deepEqual(usedBy(await submit(commands.slice(0, 1))).length, 2);
    assert.equal((await refusal(commands)).code, "COMMAND_PREPROCESSING_FAILED");
  });

  it("no second one where the command asks for a single try", async () => {
    await unvet(tools2);
    const error = await refusal([createAndExercise(bench, owned(), "MakeTool")], { tapsMaxPasses: 1 });
    assert.equal(error.code, "NO_SYNCHRONIZER_FOR_SUBMISSION");
    assert.match(error.cause, new RegExp(tools2.id));
  });

  it("a package id is what it is: no other version stands in for it", async () => {
    assert.deepEqual(usedBy(await submit([create(inPackage(benches1, bench), owned())])), ["benches1 Bench"]);
    await unvet(benches2, tools2);
    const [absent, below] = [
      await refusal([create(inPackage(benches2, bench), owned())]),
      await refusal([createAndExercise(inPackage(benches2, bench), owned(), "MakeTool")]),
    ];
    assert.deepEqual([absent.code, below.code], ["NO_SYNCHRONIZER_FOR_SUBMISSION", "NO_SYNCHRONIZER_FOR_SUBMISSION"]);
    assert.match(absent.cause, new RegExp(benches2.id));
    assert.deepEqual([absent.traceId, Object.keys(absent.context).sort()], [null, ["category", "definite_answer"]]);
  });

  it("the one that the command prefers, and no other where that is not vetted", async () => {
    const preferring = (archive: { readonly id: string }): Json => ({ packageIdSelectionPreference: [archive.id] });
    assert.deepEqual(usedBy(await submit([create(bench, owned())], preferring(benches1))), ["benches1 Bench"]);
    await unvet(benches1);
    const error = await refusal([create(bench, owned())], preferring(benches1));
    assert.equal(error.code, "JSON_API_PACKAGE_SELECTION_FAILED");
    assert.match(error.cause, new RegExp(benches1.id));
  });

  it("of several preferred ones of a name the last one for the values, so that it has to be vetted; then they are refused", async () => {
    const [first, last] = [benches1.id, benches2.id],
      preferring = async (ids: readonly string[], more: Json = {}): Promise<readonly string[]> => {
        const command = node.world.commands([alice], [create(bench, owned())], { packageIdSelectionPreference: ids, ...more }),
          prepared = await node.world.client.post("/v2/interactive-submission/prepare", { ...command, synchronizerId: "" }),
          { code } = await refusal([create(bench, owned())], { packageIdSelectionPreference: ids, ...more });
        return [code, prepared.json().code];
      };
    assert.deepEqual(await preferring([first, last]), ["INVALID_ARGUMENT", "INVALID_ARGUMENT"]);
    await unvet(benches2);
    const notVetted = "JSON_API_PACKAGE_SELECTION_FAILED";
    assert.deepEqual(await preferring([first, last]), [notVetted, notVetted]);
    assert.deepEqual(await preferring([first, last, first]), [notVetted, notVetted]);
    assert.deepEqual(await preferring([last, first]), ["INVALID_ARGUMENT", "INVALID_ARGUMENT"]);
    assert.deepEqual(await preferring([last], { commandId: "" }), [notVetted, notVetted]);
  });

  it("a preference for a name that the command does not use changes nothing", async () => {
    await unvet(tools1);
    assert.deepEqual(usedBy(await submit([create(bench, owned())], { packageIdSelectionPreference: [tools1.id] })), ["benches2 Bench"]);
  });

  it("a preference counts below interfaces too, where no command names the package", async () => {
    await upload("parts1");
    const { contractId } = await node.world.create([alice], bolt, owned()),
      touch = exercise(part, contractId, "Touch", { by: alice });
    await upload("parts2");
    assert.deepEqual(usedBy(await submit([touch])), ["parts2 Bolt"]);
    assert.deepEqual(usedBy(await submit([touch], { packageIdSelectionPreference: [parts1.id] })), ["parts1 Bolt"]);
    await unvet(parts1);
    assert.equal((await refusal([touch], { packageIdSelectionPreference: [parts1.id] })).code, "UNRESOLVED_PACKAGE_NAME");
  });

  it("what is preferred for parties is what their commands would be given", async () => {
    await unvet(tools2);
    const best = async (...names: readonly string[]): Promise<string[]> => {
      const { packageReferences } = await node.ask("POST", "/v2/interactive-submission/preferred-packages", {
        packageVettingRequirements: names.map((packageName) => ({ packageName, parties: [alice] })),
      });
      return packageReferences.map(({ packageName, packageVersion }: Json) => `${packageName} ${packageVersion}`);
    };
    assert.deepEqual([await best("benches"), await best("benches", "tools")], [["benches 1.1.0"], ["benches 1.0.0", "tools 1.0.0"]]);
  });

  it("names of packages that have only helpers in them are known as well", async () => {
    const helpers = "ghc-stdlib-DA-Internal-Any",
      query = new URLSearchParams({ parties: alice, "package-name": helpers }).toString();
    const { packagePreference } = await node.ask("GET", `/v2/interactive-submission/preferred-package-version?${query}`);
    assert.equal(packagePreference.packageReference.packageName, helpers);
    assert.equal((await refusal([create(`#${helpers}:X:Y`, {})])).code, "TEMPLATES_OR_INTERFACES_NOT_FOUND");
  });
});
