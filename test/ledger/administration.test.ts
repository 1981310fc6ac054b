import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { closeFixture, drain, failure, openFixture, packageId, startLedger, submission, success, summaryOf } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const request = (hint: string) => ({ hint, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" });

describe("parties", () => {
  it("a hint gets the node's fingerprint, no hint a name of its own, and a second time is refused", async (t) => {
    const { ledger } = await startLedger(t);
    const [, namespace] = ledger.participantId.split("::");
    assert.match(ledger.participantId, /^ledgerline::1220[0-9a-f]{64}$/);
    assert.equal(success(await ledger.allocateParty(request("erin"))).party, `erin::${namespace}`);
    assert.match(success(await ledger.allocateParty(request(""))).party, /^party-[0-9a-f-]{36}::1220/);
    assert.equal(failure(await ledger.allocateParty(request("erin"))).code, "INVALID_ARGUMENT");
    const twins = await Promise.all([ledger.allocateParty(request("twin")), ledger.allocateParty(request("twin"))]);
    assert.equal(twins.filter((result) => result.ok).length, 1);
  });

  it("bad hints and synchronizers have their codes", async (t) => {
    const { ledger } = await startLedger(t);
    const cases: [object, string][] = [
      [{ hint: "not ok !" }, "INVALID_ARGUMENT"],
      [{ hint: "a::b" }, "INVALID_ARGUMENT"],
      [{ hint: "a".repeat(300) }, "INVALID_ARGUMENT"],
      [{ synchronizerId: "nope" }, "INVALID_FIELD"],
      [{ synchronizerId: `nope::1220${"ab".repeat(32)}` }, "NOT_CONNECTED_TO_SYNCHRONIZER"],
      [{ identityProviderId: "no-such" }, "INVALID_ARGUMENT"],
      [{ userId: "no-such" }, "USER_NOT_FOUND"],
    ];
    for (const [change, code] of cases)
      assert.equal(failure(await ledger.allocateParty({ ...request("frank"), ...change })).code, code, JSON.stringify(change));
  });

  it("lists come in order, in pages, by prefix; parties of another identity provider are blank", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const list = (change: object = {}) =>
      ledger.listParties({ pageSize: 0, pageToken: "", filterParty: "", identityProviderId: "", ...change });
    const all = success(list()).parties.map((details) => details.party);
    assert.deepEqual(all, [...Object.values(parties), ledger.participantId].sort());
    const first = success(list({ pageSize: 2 })),
      second = success(list({ pageSize: 2, pageToken: first.nextPageToken }));
    assert.deepEqual(
      [...first.parties, ...second.parties].map((details) => details.party),
      all.slice(0, 4),
    );
    assert.deepEqual(
      success(list({ filterParty: "bob" })).parties.map((details) => details.party),
      [parties["bob"]],
    );
    assert.ok(
      success(list({ identityProviderId: "other" })).parties.every((details) => !details.isLocal && details.resourceVersion === ""),
    );
    for (const change of [{ pageSize: -1 }, { pageSize: 10_001 }, { pageToken: "zz!!" }])
      assert.equal(failure(list(change)).code, "INVALID_ARGUMENT");
  });
});

describe("packages", () => {
  const payload = Buffer.from("package bytes");
  const second = summaryOf({
    packageId: "b".repeat(64),
    version: "1.1.0",
    templates: ["M:Asset", "M:New"],
    implements: { "M:New": [`${"b".repeat(64)}:M:Holding`] },
  });

  it("an upload is stored and vetted at once, survives a restart, and the same again changes nothing", async (t) => {
    const folder = temporaryFolder(),
      fixture = await openFixture(folder),
      { ledger, interpreter } = fixture;
    interpreter.dar = { ok: { mainPackageId: second.packageId, packages: [{ summary: second, payload }] } };
    const options = { vetAllPackages: true, synchronizerId: "" };
    for (let times = 0; times < 2; times++) success(await ledger.uploadDar(Buffer.from("dar"), options));
    assert.deepEqual([...ledger.listPackages()].sort(), [packageId, second.packageId].sort());
    assert.deepEqual(success(ledger.readPackage(second.packageId)), payload);
    await closeFixture(fixture);
    const again = await openFixture(folder, { interpreter });
    t.after(() => closeFixture(again));
    assert.deepEqual(again.ledger.packageSummary(second.packageId), second);
  });

  it("a DAR whose packages are all stored is known by its bytes and not read again, whether they are vetted or not", async (t) => {
    const { ledger, interpreter } = await startLedger(t),
      first = summaryOf({ packageId: "d".repeat(64), name: "known" });
    interpreter.dar = { ok: { mainPackageId: first.packageId, packages: [{ summary: first, payload }] } };
    success(await ledger.validateDar(Buffer.from("known"), { synchronizerId: "" }));
    for (const vetAllPackages of [false, true, true])
      success(await ledger.uploadDar(Buffer.from("known"), { vetAllPackages, synchronizerId: "" }));
    success(await ledger.validateDar(Buffer.from("known"), { synchronizerId: "" }));
    assert.equal(interpreter.darsRead, 2); // validated, which stores nothing; then uploaded
    assert.deepEqual(
      success(
        ledger.listVettedPackages({
          packageIds: [first.packageId],
          namePrefixes: [],
          participantIds: [],
          synchronizerIds: [],
          pageSize: 0,
          pageToken: new Uint8Array(),
        }),
      ).states.flatMap(({ packages }) => packages.map((each) => each.packageId)),
      [first.packageId],
    );
    success(await ledger.uploadDar(Buffer.from("known too"), { vetAllPackages: true, synchronizerId: "" }));
    assert.equal(interpreter.darsRead, 3);
  });

  it("the same name and version with other contents is not vetted, nor is a bad upgrade; validation stores nothing", async (t) => {
    const { ledger, interpreter } = await startLedger(t, {
      checkUpgrade: async (pairs) =>
        pairs.some(({ newer }) => newer.packageId === second.packageId)
          ? { code: "NOT_VALID_UPGRADE_PACKAGE", cause: "no", category: 8, context: {}, resources: [], definiteAnswer: false }
          : undefined,
    });
    const twin = summaryOf({ packageId: "c".repeat(64) }),
      options = { vetAllPackages: true, synchronizerId: "" };
    interpreter.dar = { ok: { mainPackageId: twin.packageId, packages: [{ summary: twin, payload }] } };
    assert.equal(failure(await ledger.validateDar(Buffer.from("dar"), { synchronizerId: "" })).code, "KNOWN_PACKAGE_VERSION");
    assert.equal(ledger.isPackageKnown(twin.packageId), false);
    interpreter.dar = { ok: { mainPackageId: second.packageId, packages: [{ summary: second, payload }] } };
    assert.equal(failure(await ledger.uploadDar(Buffer.from("dar"), options)).code, "NOT_VALID_UPGRADE_PACKAGE");
    assert.equal(ledger.isPackageKnown(second.packageId), true);
  });

  it("a package uploaded while a stream runs extends its filters by name and interface", async (t) => {
    const fixture = await startLedger(t),
      { ledger, interpreter } = fixture,
      { alice } = fixture.parties as { alice: string };
    const format = {
      filtersByParty: {
        [alice]: {
          cumulative: [
            {
              kind: "interface" as const,
              interfaceId: "#test-model:M:Holding",
              includeInterfaceView: false,
              includeCreatedEventBlob: false,
            },
          ],
        },
      },
      filtersForAnyParty: undefined,
      verbose: true,
    };
    const stream = ledger.openUpdates({
      beginExclusive: ledger.ledgerEnd(),
      endInclusive: undefined,
      format: {
        includeTransactions: { eventFormat: format, shape: "acsDelta" },
        includeReassignments: undefined,
        includeTopologyEvents: undefined,
      },
      form: "update",
      descending: false,
    });
    success(await ledger.submit(submission([alice], [{ create: "before", template: "M:New", signatories: [alice] }])));
    assert.deepEqual(await drain(stream), []);
    interpreter.dar = {
      ok: { mainPackageId: second.packageId, packages: [{ summary: { ...second, interfaces: ["M:Holding"] }, payload }] },
    };
    success(await ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId: "" }));
    const after = success(await ledger.submit(submission([alice], [{ create: "after", template: "M:New", signatories: [alice] }])));
    assert.deepEqual(
      (await drain(stream)).map((one) => one.update.Transaction.value.offset),
      [after.completionOffset],
    );
  });

  it("unknown and malformed ids and synchronizers have their codes", async (t) => {
    const { ledger } = await startLedger(t);
    assert.equal(failure(ledger.readPackage("ab".repeat(32))).code, "PACKAGE_NOT_FOUND");
    assert.equal(failure(ledger.readPackage("not a package id!")).code, "INVALID_ARGUMENT");
    const upload = async (synchronizerId: string) =>
      failure(await ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId })).code;
    assert.equal(await upload("bad"), "PROTO_DESERIALIZATION_FAILURE");
    assert.equal(await upload(`other::1220${"ab".repeat(32)}`), "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER");
    assert.equal(await upload(""), "INVALID_DAR");
  });

  it("an upload that vets nothing is taken for any synchronizer's name, if it is one", async (t) => {
    const { ledger, interpreter } = await startLedger(t),
      summary = summaryOf({ packageId: "cd".repeat(32), name: "stored" });
    interpreter.dar = { ok: { mainPackageId: summary.packageId, packages: [{ summary, payload: Buffer.from("a package") }] } };
    const upload = (synchronizerId: string) => ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: false, synchronizerId });
    assert.equal(failure(await upload("bad")).code, "PROTO_DESERIALIZATION_FAILURE");
    assert.equal(ledger.isPackageKnown(summary.packageId), false);
    success(await upload(`other::1220${"ab".repeat(32)}`));
    assert.ok(ledger.isPackageKnown(summary.packageId));
  });
});
