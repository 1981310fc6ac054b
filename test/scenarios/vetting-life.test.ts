/**
 * Packages between upload and use: what vetting lets commands do, now and in its time (after the vetting and package suites of the Ledger
 * API's own test tool).
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { AdministeredNode } from "./administration-world.js";
import { prepareReply } from "../external/external-world.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { apiPackage, dars, parts1 } from "./package-model.js";
import { create, exercise, type Json } from "./world.js";

/** Version 1.1.0 has a field more; 1.2.0 takes it away again, which no upgrade may. */
function modelOf(version: string, hasNote: boolean): Uint8Array {
  const main = new ModuleBuilder("M"),
    party = { issuer: type.party, owner: type.party },
    texts = { name: type.text };
  main.template("Asset", {
    fields: { ...party, ...texts, ...(hasNote ? { note: type.optional(type.text) } : {}) },
    signatories: (self) => [self("issuer")],
    choices: {
      Keep: {
        fields: {},
        returns: type.unit,
        consuming: false,
        controllers: (self) => [self("issuer")],
        update: () => expr.pure(type.unit, expr.unit),
      },
    },
  });
  return buildDar(buildPackage({ name: "model", version, modules: [main] }));
}
const asset = "#model:M:Asset",
  model1 = modelOf("1.0.0", false),
  model2 = modelOf("1.1.0", true),
  notAnUpgrade = modelOf("1.2.0", false);

let node: AdministeredNode, alice: string;
beforeEach(async () => {
  node = await AdministeredNode.start();
  [alice] = await node.world.parties("alice");
});
afterEach(() => node.stop());

const stored = async (): Promise<string[]> => (await node.ask("GET", "/v2/packages")).packageIds;
const state = async (): Promise<Json> =>
  (await node.ask("POST", "/v2/package-vetting/list", { packageMetadataFilter: { packageNamePrefixes: ["model"], packageIds: [] } }))
    .vettedPackages[0] ?? { packages: [] };
const vetted = async (): Promise<string[]> => (await state()).packages.map(({ packageVersion }: Json) => packageVersion).sort();
const serial = async (): Promise<number> => (await node.ask("POST", "/v2/package-vetting/list", {})).vettedPackages[0].topologySerial;
const upload = async (dar: Uint8Array, query = ""): Promise<string> => {
  const reply = await node.world.client.post(`/v2/dars${query}`, dar);
  return reply.status === 200 ? "200" : `${reply.status} ${reply.json().code}`;
};
const change = (kind: "Vet" | "Unvet", version: string, more: Json = {}): Json => ({
  changes: [{ operation: { [kind]: { value: { packages: [{ packageName: "model", packageVersion: version }], ...more } } } }],
});
const vetting = (body: Json): Promise<Json> => node.ask("POST", "/v2/package-vetting/update", body);

const assetOf = (more: Json = {}): Json => ({ issuer: alice, owner: alice, name: "gold", ...more });
/** The code of a create that is refused, or the version of the package that it used. */
async function created(more: Json = {}, templateId = asset): Promise<string> {
  const reply = await node.world.submit([alice], [create(templateId, assetOf(more))]);
  if (reply.status !== 200) return reply.json().code;
  const { completionOffset } = reply.json(),
    { transaction } = await node.ask("POST", "/v2/updates/transaction-by-offset", { offset: completionOffset, requestingParties: [alice] });
  const packageId = transaction.events[0].CreatedEvent.templateId.split(":")[0];
  return (
    (await node.ask("POST", "/v2/package-vetting/list", { packageMetadataFilter: { packageIds: [packageId], packageNamePrefixes: [] } }))
      .vettedPackages[0]?.packages[0].packageVersion ?? "unvetted"
  );
}
const ahead = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

test("uploads: of one DAR many times at once is one effect, and the package can be used", async () => {
  const [before, packages] = [await serial(), await stored()];
  assert.deepEqual(
    await Promise.all(Array.from({ length: 12 }, () => upload(model1))),
    Array.from({ length: 12 }, () => "200"),
  );
  assert.equal(await serial(), before + 1);
  const added = (await stored()).filter((id) => !packages.includes(id));
  assert.equal(new Set(added).size, added.length);
  assert.deepEqual(await vetted(), ["1.0.0"]);
  assert.equal(await created(), "1.0.0");
});

test("uploads: two versions at once are both there, in either order", async () => {
  assert.deepEqual(await Promise.all([upload(model2), upload(model1), upload(model2), upload(model1)]), ["200", "200", "200", "200"]);
  assert.deepEqual(await vetted(), ["1.0.0", "1.1.0"]);
  assert.equal(await created(), "1.1.0");
});

test("uploads: without vetting a package is stored, and no command can use it until it is vetted", async () => {
  assert.equal(await upload(model1, "?vetAllPackages=false"), "200");
  assert.deepEqual(await vetted(), []);
  assert.equal(await created(), "JSON_API_PACKAGE_SELECTION_FAILED");
  await vetting(change("Vet", "1.0.0"));
  assert.equal(await created(), "1.0.0");
});

test("validation: what an upload would refuse is refused, and what it would take is not taken", async () => {
  assert.equal((await node.world.client.post("/v2/dars/validate", model1)).status, 200);
  assert.deepEqual([await vetted(), await created()], [[], "PACKAGE_NAMES_NOT_FOUND"]);
  assert.equal(await upload(model2), "200");
  assert.equal((await node.world.client.post("/v2/dars/validate", notAnUpgrade)).json().code, "NOT_VALID_UPGRADE_PACKAGE");
  assert.equal(await upload(notAnUpgrade), "400 NOT_VALID_UPGRADE_PACKAGE");
  assert.deepEqual(await vetted(), ["1.1.0"]);
});

test("windows: before and after its time a package is as if unvetted, within it commands take it", async () => {
  assert.equal(await upload(model1), "200");
  for (const window of [
    { newValidFromInclusive: ahead(3_600) },
    { newValidUntilExclusive: ahead(-1) },
    { newValidFromInclusive: ahead(3_600), newValidUntilExclusive: ahead(7_200) },
  ]) {
    await vetting(change("Vet", "1.0.0", window));
    assert.equal(await created(), "JSON_API_PACKAGE_SELECTION_FAILED", JSON.stringify(window));
  }
  await vetting(change("Vet", "1.0.0", { newValidFromInclusive: ahead(-60), newValidUntilExclusive: ahead(3_600) }));
  assert.equal(await created(), "1.0.0");
});

test("windows: by name the newest version of this moment is taken, and its new field with it", async () => {
  assert.deepEqual([await upload(model1), await upload(model2)], ["200", "200"]);
  assert.equal(await created({ note: "new" }), "1.1.0");
  await vetting(change("Vet", "1.1.0", { newValidUntilExclusive: ahead(-1) }));
  assert.equal(await created(), "1.0.0");
  assert.equal(await created({ note: "new" }), "INVALID_ARGUMENT");
  await vetting(change("Vet", "1.1.0", { newValidFromInclusive: ahead(-60) }));
  assert.equal(await created({ note: "new" }), "1.1.0");
});

test("windows: what is vetted when a command comes is chosen, and has to be vetted at the ledger time that it asks for", async () => {
  assert.deepEqual([await upload(model1), await upload(model2)], ["200", "200"]);
  const command = create(asset, assetOf()),
    later = { minLedgerTimeRel: { seconds: 20 } };
  const codes = async (): Promise<readonly string[]> => {
    const minLedgerTime = { time: { MinLedgerTimeRel: { value: later.minLedgerTimeRel } } },
      prepared = await prepareReply(node.world, [alice], [command], { minLedgerTime });
    return [(await node.world.refused([alice], [command], later)).code, prepared.status === 200 ? "200" : prepared.json().code];
  };
  const both = (code: string): readonly string[] => [code, code];
  await vetting(change("Vet", "1.1.0", { newValidUntilExclusive: ahead(10) }));
  assert.deepEqual(await codes(), both("NO_SYNCHRONIZER_FOR_SUBMISSION"), "though the older one would be vetted then, too");
  await vetting(change("Unvet", "1.1.0"));
  await vetting(change("Vet", "1.0.0", { newValidFromInclusive: ahead(10) }));
  assert.deepEqual(await codes(), both("JSON_API_PACKAGE_SELECTION_FAILED"));
});

test("unvetting: of a package with active contracts is possible; they rest until it is vetted again", async () => {
  assert.equal(await upload(model1), "200");
  const { contractId } = await node.world.create([alice], asset, assetOf());
  await vetting(change("Unvet", "1.0.0"));
  const keep = exercise(asset, contractId, "Keep");
  assert.notEqual((await node.world.submit([alice], [keep])).status, 200);
  assert.equal((await node.world.activeContracts({ parties: [alice] })).length, 1);
  await vetting(change("Vet", "1.0.0"));
  assert.equal((await node.world.submit([alice], [keep])).status, 200);
});

test("dependencies: a package is vetted without them and stays so when they go, as from protocol version 35 on", async () => {
  const change = (kind: "Vet" | "Unvet", { id }: { readonly id: string }): Json => ({
    changes: [{ operation: { [kind]: { value: { packages: [{ packageId: id }] } } } }],
  });
  assert.equal(await upload(dars.parts1, "?vetAllPackages=false"), "200");
  const areVetted = async (): Promise<readonly boolean[]> => {
    const { vettedPackages } = await node.ask("POST", "/v2/package-vetting/list", {}),
      ids: readonly string[] = vettedPackages[0].packages.map(({ packageId }: Json) => packageId);
    return [parts1, apiPackage].map(({ id }) => ids.includes(id));
  };
  await vetting(change("Vet", parts1));
  assert.deepEqual(await areVetted(), [true, false]);
  await vetting(change("Vet", apiPackage));
  assert.deepEqual(await areVetted(), [true, true]);
  await vetting(change("Unvet", apiPackage));
  assert.deepEqual(await areVetted(), [true, false]);
});
