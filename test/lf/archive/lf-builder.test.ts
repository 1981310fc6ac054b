import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import { loadDar, stablePackageIds, summarizePackage } from "../../../src/lf/archive/index.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";

const archiveId = { packageId: stablePackageIds["DA.Internal.Template"], module: "DA.Internal.Template", name: "Archive" };

function holdingApi() {
  const api = new ModuleBuilder("Api");
  const view = api.record("View", { amount: type.int64 });
  const holding = api.interface("Holding", { view: type.con(view), methods: { amount: type.int64 } });
  return { api, view, holding };
}

function iouModule() {
  const main = new ModuleBuilder("Main");
  const id = main.id("Iou");
  main.template("Iou", {
    fields: { issuer: type.party, owner: type.party, amount: type.numeric(10) },
    signatories: (self) => [self("issuer")],
    observers: (self) => [self("owner")],
    choices: {
      Transfer: {
        fields: { newOwner: type.party },
        returns: type.contractId(type.con(id)),
        controllers: (self) => [self("owner")],
        update: (self, arg) => expr.create(id, expr.record(id, { issuer: self("issuer"), owner: arg("newOwner"), amount: self("amount") })),
      },
      Ping: {
        fields: {},
        returns: type.unit,
        consuming: false,
        controllers: (self) => [self("owner")],
        update: () => expr.pure(type.unit, expr.unit),
      },
    },
  });
  main.value("archived", type.con(archiveId), expr.record(archiveId, {}));
  return main;
}

test("lf-builder: a built DAR loads, with the stable packages that it needs and no others", () => {
  const loaded = loadDar(buildDar(buildPackage({ name: "iou", version: "1.0.0", modules: [iouModule()] })), limits);
  assert.ok(!isFailure(loaded), loaded.error?.message);
  const { packages, main } = loaded.ok!;
  assert.deepEqual(
    packages.map((loadedPackage) => loadedPackage.package.id),
    [archiveId.packageId, main],
  );
  const summary = summarizePackage(packages[1]!.package);
  assert.deepEqual(summary, {
    packageId: main,
    name: "iou",
    version: "1.0.0",
    lfVersion: "2.1",
    isUtility: false,
    dependencies: [archiveId.packageId],
    templates: ["Main:Iou"],
    interfaces: [],
    implements: {},
  });
  const transfer = packages[1]!.package.modules.get("Main")!.templates.get("Iou")!.choices.get("Transfer")!;
  assert.equal(transfer.consuming, true);
  assert.equal(transfer.update.kind, "update");
});

test("lf-builder: packages can depend on each other, and summaries name implemented interfaces", () => {
  const { api, view, holding } = holdingApi();
  const apiPackage = buildPackage({ name: "api", version: "1.0.0", modules: [api] });
  const inApi = (id: typeof holding) => ({ ...id, packageId: apiPackage.id });
  const main = new ModuleBuilder("Main");
  const one = expr.int64(1n);
  main.template("Coin", {
    fields: { owner: type.party },
    signatories: (self) => [self("owner")],
    implements: [{ interface: inApi(holding), methods: new Map([["amount", one]]), view: expr.record(inApi(view), { amount: one }) }],
  });
  const mainPackage = buildPackage({ name: "coin", version: "1.0.0", modules: [main] });
  const loaded = loadDar(buildDar(mainPackage, [apiPackage]), limits);
  assert.ok(!isFailure(loaded), loaded.error?.message);
  assert.deepEqual(summarizePackage(loaded.ok!.packages[1]!.package).implements, { "Main:Coin": [`${apiPackage.id}:Api:Holding`] });
  assert.equal(loadDar(buildDar(mainPackage), limits).error?.code, "DAR_DEPENDENCIES_NOT_VALID");
});

test("lf-builder: a reference to what does not exist is refused at load", () => {
  const main = new ModuleBuilder("Main");
  main.value("f", type.int64, expr.value(main.id("missing")));
  const loaded = loadDar(buildDar(buildPackage({ name: "dangling", version: "1.0.0", modules: [main] })), limits);
  assert.equal(loaded.error?.code, "DAR_VALIDATION_ERROR");
  assert.match(loaded.error!.message, /Main:missing/);
});
