/** What is vetted and how it changes, over a real ledger (after the vetting suite of the Ledger API's own test tool). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { isFailure, ok } from "../../src/base/result.js";
import { ledgerError, type PackageSummary } from "../../src/ledger/index.js";
import type { PackageReference, VettingChange, VettingUpdate } from "../../src/ledger/packages/vetting.js";
import type { VettingListing } from "../../src/ledger/packages/vetting-listing.js";
import type { LedgerOptions } from "../ledger/create-ledger.js";
import { closeFixture, failure, openFixture, packageId as base, startLedger, success, summaryOf, type Fixture } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";

const id = (letter: string): string => letter.repeat(64);
const dep = summaryOf({ packageId: id("d"), name: "vetting-dep" });
const main1 = summaryOf({ packageId: id("1"), name: "vetting-main", dependencies: [dep.packageId] });
const main2 = summaryOf({ packageId: id("2"), name: "vetting-main", version: "2.0.0", dependencies: [dep.packageId] });
const split = summaryOf({ packageId: id("3"), name: "vetting-main", version: "2.0.0" });
const alt = summaryOf({ packageId: id("a"), name: "alt" });

const by = (fields: Partial<PackageReference>): PackageReference => ({ packageId: "", name: "", version: "", ...fields });
const byId = (summary: PackageSummary): PackageReference => by({ packageId: summary.packageId });
const vet = (...packages: readonly PackageReference[]): VettingChange => ({
  kind: "vet",
  packages,
  validFrom: undefined,
  validUntil: undefined,
});
const unvet = (...packages: readonly PackageReference[]): VettingChange => ({ kind: "unvet", packages });
const update = (changes: readonly (VettingChange | undefined)[], more: Partial<VettingUpdate> = {}): VettingUpdate => ({
  changes,
  dryRun: false,
  synchronizerId: "",
  expectedSerial: "any",
  allowIncompatibleUpgrades: false,
  ...more,
});
const nowhere = new Uint8Array();
const listing = (more: Partial<VettingListing> = {}): VettingListing => ({
  packageIds: [],
  namePrefixes: [],
  participantIds: [],
  synchronizerIds: [],
  pageSize: 0,
  pageToken: nowhere,
  ...more,
});

async function upload(
  { ledger, interpreter }: Pick<Fixture, "ledger" | "interpreter">,
  summaries: readonly PackageSummary[],
  vetAllPackages: boolean,
): Promise<void> {
  interpreter.dar = ok({
    mainPackageId: summaries[0]!.packageId,
    packages: summaries.map((summary) => ({ summary, payload: Buffer.from(summary.packageId) })),
  });
  success(
    await ledger.uploadDar(Buffer.from(`a DAR of ${summaries.map(({ packageId }) => packageId).join()}`), {
      vetAllPackages,
      synchronizerId: "",
    }),
  );
}

/** All of the test's packages stored, none of them vetted. */
async function stored(t: TestContext, options: Partial<Omit<LedgerOptions, "interpreter" | "clock" | "store">> = {}): Promise<Fixture> {
  const fixture = await startLedger(t, options);
  for (const summary of [dep, main1, main2, split, alt]) await upload(fixture, [summary], false);
  return fixture;
}

function vettedIn({ ledger }: Pick<Fixture, "ledger">, more: Partial<VettingListing> = {}): readonly string[] {
  const [state] = success(ledger.listVettedPackages(listing(more))).states;
  return (state?.packages ?? [])
    .map(({ packageId }) => packageId)
    .filter((packageId) => packageId !== base)
    .sort();
}
const serialOf = ({ ledger }: Pick<Fixture, "ledger">): number => success(ledger.listVettedPackages(listing())).states[0]?.serial ?? 0;
const idsOf = (...summaries: readonly PackageSummary[]): readonly string[] => summaries.map(({ packageId }) => packageId).sort();

test("vetting: what an upload does not vet is not listed, and what it vets is, dependencies included", async (t) => {
  const fixture = await startLedger(t);
  await upload(fixture, [alt], false);
  assert.deepEqual(vettedIn(fixture), []);
  await upload(fixture, [main2, dep], true);
  assert.deepEqual(vettedIn(fixture), idsOf(main2, dep));
  assert.equal(serialOf(fixture), 2);
  await upload(fixture, [main2, dep], true);
  assert.equal(serialOf(fixture), 2, "the same again is no change");
});

test("vetting: a list is filtered by package ids or name prefixes, and by participant and synchronizer", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  success(await ledger.updateVettedPackages(update([vet(byId(dep), byId(main1), byId(main2))])));
  assert.deepEqual(vettedIn(fixture, { namePrefixes: ["vetting-dep"] }), idsOf(dep));
  assert.deepEqual(vettedIn(fixture, { namePrefixes: ["vetting-"] }), idsOf(dep, main1, main2));
  assert.deepEqual(vettedIn(fixture, { packageIds: [dep.packageId] }), idsOf(dep));
  assert.deepEqual(vettedIn(fixture, { packageIds: [dep.packageId], namePrefixes: ["vetting-main"] }), idsOf(dep, main1, main2));
  assert.deepEqual(vettedIn(fixture, { packageIds: [alt.packageId] }), []);
  assert.deepEqual(
    vettedIn(fixture, { participantIds: [ledger.participantId], synchronizerIds: [ledger.synchronizerId] }),
    idsOf(dep, main1, main2),
  );
  assert.deepEqual(vettedIn(fixture, { participantIds: ["other::1220ab"] }), []);
});

test("vetting: a list of a synchronizer that the node does not know is refused, unless its page ends before", async (t) => {
  const { ledger } = await stored(t),
    [known, unknown] = [ledger.synchronizerId, "zz::1220ab"];
  for (const more of [{}, { synchronizerIds: [known, unknown] }, { participantIds: ["other::1220ab"] }])
    assert.equal(failure(ledger.listVettedPackages(listing({ synchronizerIds: [unknown], ...more }))).code, "TOPOLOGY_STORE_NOT_FOUND");
  assert.equal(success(ledger.listVettedPackages(listing({ synchronizerIds: [unknown, known], pageSize: 1 }))).states.length, 1);
});

test("vetting: behind the only state is an empty page; strange tokens, sizes and ids are refused", async (t) => {
  const { ledger } = await stored(t);
  const first = success(ledger.listVettedPackages(listing({ pageSize: 1 })));
  assert.equal(first.states.length, 1);
  assert.ok(first.nextPageToken.length > 0);
  assert.deepEqual(success(ledger.listVettedPackages(listing({ pageToken: first.nextPageToken }))), { states: [], nextPageToken: nowhere });
  assert.deepEqual(success(ledger.listVettedPackages(listing({ namePrefixes: ["nothing"] }))), { states: [], nextPageToken: nowhere });
  for (const more of [
    { pageToken: Buffer.from("zzz") },
    { pageToken: first.nextPageToken, namePrefixes: ["vetting-"] },
    { pageSize: -1 },
    { pageSize: 101 },
    { packageIds: ["no id!"] },
    { synchronizerIds: ["y"] },
    { participantIds: ["x"] },
  ]) {
    assert.equal(failure(ledger.listVettedPackages(listing(more))).code, "PROTO_DESERIALIZATION_FAILURE", JSON.stringify(more));
  }
  const both = failure(ledger.listVettedPackages(listing({ pageToken: Buffer.from("zzz"), pageSize: -1 })));
  assert.match(both.context["reason"]!, /page_token/, "the token is looked at before the size");
});

test("vetting: packages are vetted by id, by name and version, and by all three, and unvetted likewise", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const first = success(await ledger.updateVettedPackages(update([vet(byId(dep), by({ name: "vetting-main", version: "1.0.0" }))])));
  assert.deepEqual([first.past?.packages.length, first.next.packages.length], [1, 3]);
  success(await ledger.updateVettedPackages(update([vet(by({ packageId: main2.packageId, name: "vetting-main", version: "2.0.0" }))])));
  assert.deepEqual(vettedIn(fixture), idsOf(dep, main1, main2));
  success(await ledger.updateVettedPackages(update([unvet(by({ name: "vetting-main" }))])));
  assert.deepEqual(vettedIn(fixture), idsOf(dep), "unvetting by name takes all versions");
  success(await ledger.updateVettedPackages(update([unvet(by({ name: "never-heard-of" }))])));
  success(await ledger.updateVettedPackages(update([unvet(byId(dep))])));
  assert.deepEqual(vettedIn(fixture), []);
});

test("vetting: what was built with others is vetted without them and stays so when they go, but has to fit its other versions", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const code = async (changes: readonly VettingChange[], more: Partial<VettingUpdate> = {}): Promise<string> => {
    const [dry, wet] = [
      await ledger.updateVettedPackages(update(changes, { ...more, dryRun: true })),
      await ledger.updateVettedPackages(update(changes, more)),
    ];
    assert.deepEqual([isFailure(dry), dry.error], [isFailure(wet), wet.error], "a dry run tells the same");
    return isFailure(wet) ? wet.error.code : "ok";
  };
  assert.equal(await code([vet(byId(main1))]), "ok");
  assert.equal(await code([vet(byId(dep))]), "ok");
  assert.equal(await code([unvet(byId(dep))]), "ok");
  assert.equal(await code([vet(byId(main2), byId(split))]), "KNOWN_PACKAGE_VERSION");
  assert.equal(await code([vet(byId(main2), byId(split))], { allowIncompatibleUpgrades: true }), "ok");
  assert.deepEqual(vettedIn(fixture), idsOf(main1, main2, split));
});

test("vetting: references that fit no package, several, or are incomplete are refused, and nothing of the update holds", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const cases: readonly (readonly [PackageReference, string])[] = [
    [by({ packageId: id("f") }), "UNRESOLVED_VETTING_REFERENCE"],
    [by({ name: "nonexistent" }), "UNRESOLVED_VETTING_REFERENCE"],
    [by({ name: "vetting-main", version: "3.0.0" }), "UNRESOLVED_VETTING_REFERENCE"],
    [by({ packageId: main2.packageId, name: "other", version: "2.0.0" }), "UNRESOLVED_VETTING_REFERENCE"],
    [by({ packageId: main2.packageId, name: "vetting-main", version: "3.0.0" }), "UNRESOLVED_VETTING_REFERENCE"],
    [by({ name: "vetting-main" }), "AMBIGUOUS_VETTING_REFERENCE"],
    [by({ name: "vetting-main", version: "2.0.0" }), "AMBIGUOUS_VETTING_REFERENCE"],
    [by({}), "PROTO_DESERIALIZATION_FAILURE"],
    [by({ version: "1.0.0" }), "PROTO_DESERIALIZATION_FAILURE"],
    [by({ packageId: main2.packageId, name: "vetting-main" }), "PROTO_DESERIALIZATION_FAILURE"],
    [by({ packageId: "no id!" }), "PROTO_DESERIALIZATION_FAILURE"],
  ];
  for (const [reference, code] of cases)
    assert.equal(
      failure(await ledger.updateVettedPackages(update([vet(byId(alt)), vet(reference)]))).code,
      code,
      JSON.stringify(reference),
    );
  assert.equal(failure(await ledger.updateVettedPackages(update([undefined]))).code, "PROTO_DESERIALIZATION_FAILURE");
  assert.deepEqual(vettedIn(fixture), []);
  assert.equal(serialOf(fixture), 1);
});

test("vetting: changes apply in order, the last of a package holds", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  success(await ledger.updateVettedPackages(update([vet(byId(alt), byId(dep)), unvet(byId(alt))])));
  assert.deepEqual(vettedIn(fixture), idsOf(dep));
});

test("vetting: the serial grows by one with each change, and an expected one must be the current", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const attempt = (expectedSerial: VettingUpdate["expectedSerial"], dryRun = false) =>
    ledger.updateVettedPackages(update([vet(byId(dep))], { expectedSerial, dryRun }));
  for (const wrong of [2, 77, "none"] as const)
    for (const dryRun of [false, true]) assert.equal(failure(await attempt(wrong, dryRun)).code, "TOPOLOGY_SERIAL_MISMATCH");
  assert.equal(failure(await attempt(0)).code, "PROTO_DESERIALIZATION_FAILURE");
  const { past, next } = success(await attempt(1));
  assert.deepEqual([past?.serial, next.serial], [1, 2]);
  assert.equal(success(await attempt(2)).next.serial, 2, "no change, no new serial");
  assert.equal(success(await ledger.updateVettedPackages(update([]))).next.serial, 2);
});

test("vetting: a period that does not end later than it begins is refused, and found by no dry run", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const during = (validFrom: bigint | undefined, validUntil: bigint | undefined, dryRun = false) =>
    ledger.updateVettedPackages(update([vet(byId(alt)), { kind: "vet", packages: [byId(dep)], validFrom, validUntil }], { dryRun }));
  for (const end of [4n, 5n]) {
    const { code, category, cause, context } = failure(await during(5n, end));
    assert.deepEqual([code, category, context], ["TOPOLOGY_INVALID_MAPPING", 8, { description: cause }]);
    success(await during(5n, end, true));
  }
  assert.deepEqual([vettedIn(fixture), serialOf(fixture)], [[], 1], "nothing of the update holds");
  success(await during(5n, 6n));
  success(await during(undefined, 1n));
});

test("vetting: of updates that expect the same serial one wins", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const attempts = [dep, alt, split].map((summary) => ledger.updateVettedPackages(update([vet(byId(summary))], { expectedSerial: 1 })));
  const outcomes = (await Promise.all(attempts)).map((result) => result.error?.code ?? "ok");
  assert.deepEqual(outcomes, ["ok", "TOPOLOGY_SERIAL_MISMATCH", "TOPOLOGY_SERIAL_MISMATCH"]);
  assert.equal(vettedIn(fixture).length, 1);
});

test("vetting: a dry run answers what would be and changes nothing", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const { past, next } = success(await ledger.updateVettedPackages(update([vet(byId(dep))], { dryRun: true })));
  assert.deepEqual([past?.packages.length, next.packages.length, next.serial], [1, 2, 2]);
  assert.deepEqual([vettedIn(fixture), serialOf(fixture)], [[], 1]);
});

test("vetting: windows are written, overwritten, and taken away by an upload", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture;
  const windowOf = (): unknown =>
    success(ledger.listVettedPackages(listing({ packageIds: [dep.packageId] }))).states[0]?.packages[0]?.vetting;
  for (const [validFrom, validUntil] of [
    [1n, 2n],
    [undefined, 3n],
    [4n, undefined],
    [undefined, undefined],
    [5n, 6n],
  ] as const) {
    success(await ledger.updateVettedPackages(update([{ kind: "vet", packages: [byId(dep)], validFrom, validUntil }])));
    assert.deepEqual(windowOf(), { validFrom, validUntil });
  }
  await upload(fixture, [dep], true);
  assert.deepEqual(windowOf(), { validFrom: undefined, validUntil: undefined });
});

test("vetting: a second package of the same name and version, and a bad upgrade, are refused unless forced", async (t) => {
  const notAnUpgrade = ledgerError("NOT_VALID_UPGRADE_PACKAGE", "no");
  const seen: string[] = [];
  const fixture = await stored(t, {
    checkUpgrade: async (pairs) => {
      seen.push(pairs.map(({ older, newer }) => `${older.packageId[0]} to ${newer.packageId[0]}`).join());
      return pairs.some(({ newer }) => newer === main2) ? notAnUpgrade : undefined;
    },
  });
  const { ledger } = fixture;
  seen.length = 0;
  success(await ledger.updateVettedPackages(update([vet(byId(dep), byId(main1))])));
  for (const dryRun of [true, false])
    assert.equal(failure(await ledger.updateVettedPackages(update([vet(byId(main2))], { dryRun }))).code, "NOT_VALID_UPGRADE_PACKAGE");
  assert.deepEqual(seen, ["", "1 to 2", "1 to 2"]);
  success(await ledger.updateVettedPackages(update([vet(byId(main2))], { allowIncompatibleUpgrades: true })));
  assert.equal(failure(await ledger.updateVettedPackages(update([vet(byId(split))]))).code, "KNOWN_PACKAGE_VERSION");
  success(await ledger.updateVettedPackages(update([unvet(byId(main2)), vet(byId(split))])));
  assert.deepEqual(vettedIn(fixture), idsOf(dep, main1, split));
});

test("vetting: what is new is held against everything that is vetted with it, for whatever time, and so is what it needs", async (t) => {
  const seen: string[] = [];
  const fixture = await stored(t, {
    checkUpgrade: async (pairs) => {
      seen.push(pairs.map(({ older, newer }) => `${older.packageId[0]} to ${newer.packageId[0]}`).join());
      return undefined;
    },
  });
  const { ledger } = fixture,
    code = async (...changes: readonly VettingChange[]): Promise<string | undefined> => {
      const updated = await ledger.updateVettedPackages(update(changes));
      return isFailure(updated) ? updated.error.code : undefined;
    };
  assert.equal(await code(vet(byId(dep))), undefined);
  assert.equal(await code(vet(byId(main2), byId(split))), "KNOWN_PACKAGE_VERSION", "of two new ones");
  assert.equal(await code({ kind: "vet", packages: [byId(main2)], validFrom: undefined, validUntil: 1n }), undefined);
  assert.equal(await code(vet(byId(split))), "KNOWN_PACKAGE_VERSION", "of one whose time is over");
  seen.length = 0;
  assert.equal(await code(vet(byId(main1))), undefined);
  const user = summaryOf({ packageId: id("e"), name: "user", dependencies: [main2.packageId] });
  await upload(fixture, [user, main2, dep], true);
  assert.deepEqual(seen, ["1 to 2", "1 to 2"], "also for one that only uses them");
});

test("vetting: only utility packages and those of early releases may be called as standard libraries are", async (t) => {
  const fixture = await startLedger(t),
    { ledger } = fixture;
  const early = "1fb4f5d8c38cf7a36c291a9ced114819240caa79e4383de8eebcf58af4970b77",
    stdlib = (packageId: string, isUtility = false) => summaryOf({ packageId, name: "daml-stdlib", isUtility });
  for (const summary of [stdlib(id("b")), stdlib(early), stdlib(id("c"), true)]) await upload(fixture, [summary], false);
  success(await ledger.updateVettedPackages(update([vet(by({ packageId: early }), by({ packageId: id("c") }))])));
  const refused = failure(await ledger.updateVettedPackages(update([vet(by({ packageId: id("b") }))])));
  assert.deepEqual(
    [refused.code, refused.context["packageToBeVetted"]],
    ["DAML_PRIM_NOT_UTILITY_PACKAGE", `${id("b")} (daml-stdlib v1.0.0)`],
  );
});

test("vetting: packages that have only helpers in them are found by name, too", async (t) => {
  const fixture = await startLedger(t),
    helpers = summaryOf({ packageId: id("f"), name: "helpers", isUtility: true });
  await upload(fixture, [helpers], false);
  const vettedBy = async (change: VettingChange): Promise<boolean> =>
    success(await fixture.ledger.updateVettedPackages(update([change]))).next.packages.some(({ name }) => name === "helpers");
  assert.equal(await vettedBy(vet(by({ name: "helpers", version: "1.0.0" }))), true);
  assert.equal(await vettedBy(unvet(by({ name: "helpers" }))), false);
});

test("vetting: a name or a version that is none is malformed, also where packages are unvetted", async (t) => {
  const { ledger } = await stored(t);
  for (const reference of [by({ name: "no name!" }), by({ name: "alt", version: "1.x" }), by({ name: "alt", version: "1.01" })])
    for (const change of [vet(reference), unvet(reference)])
      assert.equal(failure(await ledger.updateVettedPackages(update([change]))).code, "PROTO_DESERIALIZATION_FAILURE");
});

test("vetting: synchronizers that are malformed or not connected are refused", async (t) => {
  const { ledger } = await stored(t);
  assert.equal(
    failure(await ledger.updateVettedPackages(update([vet(byId(dep))], { synchronizerId: "y" }))).code,
    "PROTO_DESERIALIZATION_FAILURE",
  );
  assert.equal(
    failure(await ledger.updateVettedPackages(update([vet(byId(dep))], { synchronizerId: "other::1220ab" }))).code,
    "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER",
  );
  success(await ledger.updateVettedPackages(update([vet(byId(dep))], { synchronizerId: ledger.synchronizerId })));
});

test("vetting: state, windows and serial survive a restart", async (t) => {
  const folder = temporaryFolder(),
    before = await openFixture(folder);
  await upload(before, [dep], false);
  success(await before.ledger.updateVettedPackages(update([{ kind: "vet", packages: [byId(dep)], validFrom: 5n, validUntil: undefined }])));
  const expected = success(before.ledger.listVettedPackages(listing())).states;
  await closeFixture(before);
  const after = await openFixture(folder);
  t.after(() => closeFixture(after));
  assert.deepEqual(
    success(after.ledger.listVettedPackages(listing())).states.map(({ serial }) => serial),
    [2],
  );
  assert.deepEqual(new Set(success(after.ledger.listVettedPackages(listing())).states[0]?.packages), new Set(expected[0]?.packages));
});

/** Before and after all times that Daml has. */
const noTimes = [-62_135_596_800_000_001n, 253_402_300_800_000_000n];

test("vetting: a bound that is no time in Daml cannot be decoded", async (t) => {
  const { ledger } = await stored(t);
  for (const time of noTimes)
    for (const bounds of [
      { validFrom: time, validUntil: undefined },
      { validFrom: undefined, validUntil: time },
    ])
      assert.equal(
        failure(await ledger.updateVettedPackages(update([{ kind: "vet", packages: [byId(dep)], ...bounds }]))).code,
        "PROTO_DESERIALIZATION_FAILURE",
      );
});

test("preferred packages: the newest version that is vetted at the time, one for each name in order", async (t) => {
  const fixture = await stored(t),
    { ledger, clock } = fixture,
    { alice } = fixture.parties as { alice: string };
  success(
    await ledger.updateVettedPackages(
      update([vet(byId(dep), byId(main1)), { kind: "vet", packages: [byId(main2)], validFrom: clock.now + 1_000n, validUntil: undefined }]),
    ),
  );
  const prefer = (names: readonly string[], more: object = {}) =>
    ledger.preferredPackages({
      requirements: names.map((packageName) => ({ parties: [alice], packageName })),
      synchronizerId: "",
      vettingValidAt: undefined,
      ...more,
    });
  const versions = (result: ReturnType<typeof prefer>): readonly string[] =>
    success(result).packages.map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual(versions(prefer(["vetting-main", "vetting-dep"])), ["vetting-main 1.0.0", "vetting-dep 1.0.0"]);
  assert.deepEqual(versions(prefer(["vetting-main"], { vettingValidAt: clock.now + 1_000n })), ["vetting-main 2.0.0"]);
  clock.now += 1_000n;
  assert.deepEqual(versions(prefer(["vetting-main"])), ["vetting-main 2.0.0"]);
  for (const vettingValidAt of noTimes) assert.equal(failure(prefer(["vetting-main"], { vettingValidAt })).code, "INVALID_FIELD");
  assert.deepEqual(versions(prefer(["vetting-main"], { synchronizerId: ledger.synchronizerId })), ["vetting-main 2.0.0"]);
});

test("preferred packages: what is missing, unknown, repeated or not vetted has its code", async (t) => {
  const fixture = await stored(t),
    { ledger } = fixture,
    { alice } = fixture.parties as { alice: string };
  const prefer = (requirements: readonly { readonly parties: readonly string[]; readonly packageName: string }[], synchronizerId = "") =>
    ledger.preferredPackages({ requirements, synchronizerId, vettingValidAt: undefined });
  const one = (packageName: string, ...parties: readonly string[]) => [{ parties, packageName }];
  assert.equal(failure(prefer([])).code, "MISSING_FIELD");
  assert.equal(failure(prefer(one("alt"))).code, "MISSING_FIELD");
  assert.equal(failure(prefer(one("", alice))).code, "MISSING_FIELD");
  assert.equal(failure(prefer(one("alt", "bad!"))).code, "INVALID_ARGUMENT");
  assert.equal(failure(prefer(one("nope", alice))).code, "PACKAGE_NAMES_NOT_FOUND");
  const ghost = one("alt", `ghost::1220${"ab".repeat(32)}`);
  assert.equal(failure(prefer(ghost)).code, "UNKNOWN_INFORMEES");
  assert.equal(failure(prefer(one("alt", alice))).code, "NO_PREFERRED_PACKAGES_FOUND");
  assert.equal(failure(prefer([...ghost, ...one("alt", alice)])).code, "NO_PREFERRED_PACKAGES_FOUND", "the last of a name counts");
  assert.equal(failure(prefer(one("alt", alice), "y")).code, "INVALID_FIELD");
  assert.equal(failure(prefer(one("alt", alice), "another::1220ab")).code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
  assert.equal(failure(prefer(ghost, "another::1220ab")).code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID", "where, before who");
  assert.equal(failure(prefer(one("nope", alice), "another::1220ab")).code, "PACKAGE_NAMES_NOT_FOUND", "what, before where");
  const older = ledger.preferredPackageVersion({
    requirements: one("alt", alice),
    synchronizerId: "another::1220ab",
    vettingValidAt: undefined,
  });
  assert.equal(failure(older).code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
  assert.equal(
    success(ledger.preferredPackageVersion({ requirements: one("alt", alice), synchronizerId: "", vettingValidAt: undefined })),
    undefined,
  );
});
