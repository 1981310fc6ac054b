import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { ledgerError } from "../../src/ledger/model/errors.js";
import { ViewReader } from "../../src/ledger/reading/view-reader.js";
import {
  activeContracts,
  drain,
  packageId,
  packageName,
  startLedger,
  submission,
  success,
  summaryOf,
  transactions,
  viewsOf,
  type Fixture,
} from "./support.js";

const interfaceId = `${packageId}:M:Holding`;
const traceId = "0123456789abcdef0123456789abcdef";

async function withAsset(
  t: TestContext,
  options: Parameters<typeof startLedger>[1] = {},
): Promise<Fixture & { readonly format: Parameters<typeof activeContracts>[1] }> {
  const fixture = await startLedger(t, options),
    alice = fixture.parties["alice"]!;
  success(await fixture.ledger.submit(submission([alice], [{ create: "asset", signatories: [alice] }])));
  return { ...fixture, format: viewsOf(alice) };
}

test("views: one that cannot be computed has a status with the code, the node and the reader's trace, and is computed once", async (t) => {
  const { ledger, interpreter, format } = await withAsset(t, { participantName: "node-7" });
  let computed = 0;
  interpreter.computeViews = async (requests) => {
    computed += requests.length;
    return requests.map(() => ({ error: ledgerError("INTERPRETATION_TIME_EXCEEDED", "too long") }));
  };
  const [first] = await drain(ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format, traceId }));
  const [view] = first.contractEntry.JsActiveContract.createdEvent.interfaceViews;
  assert.deepEqual([view.interfaceId, view.viewValue, view.implementationPackageId], [interfaceId, null, packageId]);
  assert.match(view.viewStatus.message, /^INTERPRETATION_TIME_EXCEEDED\(\d+,01234567\): too long$/);
  const [info, ...others] = view.viewStatus.details;
  assert.deepEqual([info.valueDecoded.metadata.participant, info.valueDecoded.metadata.tid], ["node-7", traceId]);
  assert.deepEqual(others.map((detail: { valueDecoded: { requestId?: string } }) => detail.valueDecoded.requestId).filter(Boolean), [
    traceId,
  ]);
  const [again] = await drain(ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format, traceId: "f".repeat(32) }));
  assert.match(again.contractEntry.JsActiveContract.createdEvent.interfaceViews[0].viewStatus.message, /,ffffffff\): too long$/);
  assert.equal(computed, 1);
});

test("views: without a trace the status names none", async (t) => {
  const { ledger, interpreter, format } = await withAsset(t);
  interpreter.computeViews = async (requests) => requests.map(() => ({ error: ledgerError("INTERPRETATION_TIME_EXCEEDED", "too long") }));
  const [
    {
      interfaceViews: [view],
    },
  ] = await activeContracts(ledger, format);
  assert.match(view.viewStatus.message, /^INTERPRETATION_TIME_EXCEEDED\(\d+,0\): /);
  assert.deepEqual(
    view.viewStatus.details.filter(({ typeUrl }: { typeUrl: string }) => typeUrl.endsWith("RequestInfo")),
    [],
  );
});

test("views: while no vetted version implements the interface, the status names the versions that do and those that are vetted", async (t) => {
  const newer = `${"ab".repeat(32)}`,
    payload = Buffer.from("other package");
  const older = summaryOf({ implements: {} }),
    later = summaryOf({ packageId: newer, version: "2.0.0", interfaces: [], implements: { "M:Asset": [interfaceId] } });
  const { ledger, format } = await withAsset(t, {
    builtInPackages: async () => [
      { summary: older, payload },
      { summary: later, payload },
    ],
  });
  success(
    await ledger.updateVettedPackages({
      dryRun: false,
      changes: [{ kind: "unvet", packages: [{ packageId: newer, name: "", version: "" }] }],
      synchronizerId: "",
      expectedSerial: "any",
      allowIncompatibleUpgrades: false,
    }),
  );
  const [
    {
      interfaceViews: [view],
    },
  ] = await activeContracts(ledger, format);
  assert.equal(view.viewStatus.code, 9);
  assert.ok(view.viewStatus.message.startsWith("NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE(9,0): "), view.viewStatus.message);
  assert.ok(
    view.viewStatus.message.includes(`${packageName} -> ${newer.slice(0, 12)}....\nCandidates: ${packageId.slice(0, 12)}...`),
    view.viewStatus.message,
  );
  assert.deepEqual([view.viewValue, view.implementationPackageId], [null, null]);
});

test("views: a transaction with more of them than are kept is read whole", async (t) => {
  const { ledger, parties, format } = await withAsset(t),
    alice = parties["alice"]!,
    count = limits.interfaceViewsCachedMax + 5;
  const { completionOffset } = success(
    await ledger.submit(
      submission(
        [alice],
        Array.from({ length: count }, (_, index) => ({ create: `many-${index}`, signatories: [alice] })),
      ),
    ),
  );
  const [transaction] = await transactions(ledger, format, "acsDelta", { begin: completionOffset - 1 });
  assert.equal(transaction.events.length, count);
  assert.deepEqual(
    transaction.events.filter((event: { CreatedEvent: { interfaceViews: unknown[] } }) => event.CreatedEvent.interfaceViews.length !== 1),
    [],
  );
});

test("views: long ones are kept within a bound on their characters, the newest; one that takes too much of it is computed for each reader", async (t) => {
  // What is read in two turns is asked for twice, and pushes out what comes behind it.
  t.mock.getter(Turns.prototype, "isOver", () => false);
  const { ledger, parties, format, interpreter } = await withAsset(t),
    alice = parties["alice"]!;
  let chars = limits.interfaceViewsCachedCharsMax / 8,
    computed = 0;
  interpreter.computeViews = async (requests) => {
    computed += requests.length;
    return requests.map(() => ({ json: JSON.stringify("x".repeat(chars - 2)) }));
  };
  const computedFor = async (begin: number): Promise<number> => {
    const before = computed;
    await transactions(ledger, format, "acsDelta", { begin });
    return computed - before;
  };
  const offsets: number[] = [];
  for (let index = 0; index < 12; index++)
    offsets.push(success(await ledger.submit(submission([alice], [{ create: `long-${index}`, signatories: [alice] }]))).completionOffset);
  const first = offsets[0]! - 1;
  assert.deepEqual([await computedFor(first), await computedFor(offsets[3]!), await computedFor(first)], [12, 0, 4]);
  chars = limits.interfaceViewsCachedCharsMax / 4 + 1;
  const last = success(await ledger.submit(submission([alice], [{ create: "longer", signatories: [alice] }]))).completionOffset - 1;
  assert.deepEqual([await computedFor(last), await computedFor(last), await computedFor(offsets[7]!)], [1, 1, 1]);
});

test("views: what is chosen first for a template and an interface stays so for its reader, a refusal too", () => {
  const reader = new ViewReader(),
    older = { packageId: "older" },
    newer = { packageId: "newer" },
    none = { refusal: ledgerError("NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE", "none") };
  assert.deepEqual([reader.implementation(1, "I", () => older), reader.implementation(1, "I", () => newer)], [older, older]);
  assert.deepEqual([reader.implementation(2, "I", () => none), reader.implementation(2, "I", () => newer)], [none, none]);
  assert.deepEqual([reader.implementation(1, "J", () => newer), new ViewReader().implementation(1, "I", () => newer)], [newer, newer]);
});

test("views: short ones are asked for by more and more at once, within a bound", () => {
  const reader = new ViewReader(),
    atOnce: number[] = [];
  for (let index = 0; index < 20; index++) {
    atOnce.push(reader.atOnce);
    reader.took(reader.atOnce, 100 * reader.atOnce);
    reader.took(0, 0); // what has no views tells nothing
  }
  assert.deepEqual([atOnce[0], atOnce[1], atOnce.at(-1)], [limits.viewsAtOnceFirst, 2 * limits.viewsAtOnceFirst, limits.viewsAtOnceMax]);
  reader.took(1, limits.viewsAtOnceCharsMax * 3);
  assert.equal(reader.atOnce, 1);
});

const readers: Readonly<Record<string, (fixture: Awaited<ReturnType<typeof withAsset>>) => Promise<readonly unknown[]>>> = {
  "active contracts": ({ ledger, format }) => activeContracts(ledger, format),
  updates: ({ ledger, format }) => transactions(ledger, format, "acsDelta", { begin: 0 }),
};
for (const [kind, read] of Object.entries(readers))
  test(`views: a reader of ${kind} asks for few at first, and for fewer where they are long`, async (t) => {
    const fixture = await withAsset(t),
      { ledger, interpreter } = fixture,
      alice = fixture.parties["alice"]!,
      count = 50,
      asked: number[] = [];
    for (let index = 1; index < count; index++)
      success(await ledger.submit(submission([alice], [{ create: `one-${index}`, signatories: [alice] }])));
    interpreter.computeViews = async (requests) => {
      asked.push(requests.length);
      return requests.map(() => ({ json: JSON.stringify("x".repeat(limits.viewsAtOnceCharsMax / 4 - 2)) }));
    };
    assert.equal((await read(fixture)).length, count);
    const [first, ...others] = asked;
    assert.ok(first! <= limits.viewsAtOnceFirst && Math.max(...others) <= 4, asked.join());
  });

test("views: what is vetted, uploaded or computed for others while one is computed does not disturb its reader", async (t) => {
  const { ledger, interpreter, format } = await withAsset(t),
    compute = interpreter.computeViews.bind(interpreter);
  const holding = `${packageId}:M:Holding`,
    packageRef = { packageId, name: "", version: "" };
  const newer = summaryOf({
    packageId: "cd".repeat(32),
    version: "2.0.0",
    implements: { "M:Asset": [holding, `${"cd".repeat(32)}:M:Holding`] },
  });
  const change = (kind: "vet" | "unvet") =>
    ledger.updateVettedPackages({
      dryRun: false,
      changes: [{ kind, packages: [packageRef], validFrom: undefined, validUntil: undefined } as never],
      synchronizerId: "",
      expectedSerial: "any",
      allowIncompatibleUpgrades: false,
    });
  interpreter.computeViews = async (requests) => {
    success(await change("unvet"));
    interpreter.dar = ok({ mainPackageId: newer.packageId, packages: [{ summary: newer, payload: Buffer.from("newer") }] });
    success(await ledger.uploadDar(Buffer.from("newer"), { vetAllPackages: true, synchronizerId: "" }));
    return compute(requests);
  };
  const [{ interfaceViews }] = await activeContracts(ledger, format);
  assert.deepEqual(
    interfaceViews.map((view: { viewValue: unknown; implementationPackageId: string }) => [view.viewValue, view.implementationPackageId]),
    [[{ of: "instance of asset" }, packageId]],
  );
  interpreter.computeViews = compute;
  const [later] = await activeContracts(ledger, format);
  assert.deepEqual(
    later.interfaceViews.map((view: { implementationPackageId: string }) => view.implementationPackageId),
    [newer.packageId, newer.packageId],
  );
});
