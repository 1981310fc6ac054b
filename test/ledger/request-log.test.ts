import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { ledgerError } from "../../src/ledger/model/errors.js";
import { filtersEntry, logText, whileLogging } from "../../src/ledger/model/request-log.js";
import { failure, packageName, startLedger, updates, wildcard } from "./support.js";

test("request log: texts are quoted, numbers and booleans are bare, lists and records are bracketed, nothing is empty", () => {
  assert.equal(logText("sandbox"), "'sandbox'");
  assert.deepEqual([logText(7), logText(false), logText(undefined)], ["7", "false", ""]);
  assert.equal(
    logText({ readAs: [], actAs: ["a", "b"], window: { duration: "PT1S" }, workflowId: undefined }),
    "{readAs: [], actAs: ['a', 'b'], window: {duration: 'PT1S'}, workflowId: }",
  );
});

test("request log: a filter is what each party asks for: templates, interfaces, and whether everything", () => {
  const id = { packageName: "ref-model", module: "M", includeBlob: false };
  const template = { ...id, name: "Asset" },
    holding = { ...id, name: "Holding", includeView: true };
  const some = { wildcard: undefined, templates: [template, template], interfaces: [holding] },
    all = { wildcard: { includeBlob: true }, templates: [], interfaces: [] };
  assert.equal(
    logText(filtersEntry({ parties: new Map([["alice::12", some]]), anyParty: all, verbose: true })),
    "{alice::12: {templates: ['#ref-model:M:Asset'], interfaces: ['#ref-model:M:Holding']}, anyParty: {templates: [], interfaces: [], all-templates, created_event_blob: true}}",
  );
});

test("request log: an error keeps what it is and gains the entries as texts", () => {
  const error = ledgerError("NEGATIVE_OFFSET", "why", { context: { own: "1" } });
  assert.deepEqual(whileLogging(error, { maxPageSize: 5 }), { ...error, requestLog: { maxPageSize: "5" } });
  assert.deepEqual(whileLogging(error).requestLog, {});
  const { filters } = whileLogging(error, {
    filters: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`party-${index}`, {}])),
  }).requestLog!;
  assert.ok(
    filters!.startsWith("{party-0: {}, ") && filters!.length <= limits.errorDetailCharsMax + 3,
    "a long request is told by its beginning",
  );
});

test("request log: a page of updates tells what was asked for, once nothing is wrong with that by itself", async (t) => {
  const { ledger, parties } = await startLedger(t),
    alice = parties["alice"]!,
    unknown = { kind: "template" as const, templateId: "#nope:M:T", includeCreatedEventBlob: false },
    eventFormat = { filtersByParty: { [alice]: { cumulative: [unknown] } }, filtersForAnyParty: undefined, verbose: true };
  const told = async (asked: object) => {
    const whole = { beginExclusive: undefined, endInclusive: undefined, pageSize: undefined, descending: false, pageToken: undefined };
    return failure(await ledger.readUpdatesPage({ ...whole, format: updates(eventFormat), ...asked })).requestLog;
  };
  const filters = `{${alice}: {templates: ['#nope:M:T'], interfaces: []}}`,
    updateFormat = `{transaction format: [{filters: ${filters}, transactionShape: 'AcsDelta'}], reassignment filters: [], topology format: []}`;
  assert.deepEqual(await told({}), { maxPageSize: "100", updateFormat, descendingOrder: "false" });
  assert.deepEqual(await told({ beginExclusive: 0, endInclusive: 1, pageSize: 7, descending: true }), {
    startExclusiveOpt: "0",
    endInclusive: "1",
    maxPageSize: "7",
    updateFormat,
    descendingOrder: "true",
  });
  const all = `{${alice}: {templates: [], interfaces: [], all-templates, created_event_blob: false}}`;
  for (const [topology, words] of [
    [[], ""],
    [[alice, alice], `['${alice}']`],
  ] as const) {
    const format = {
      ...updates(eventFormat, "ledgerEffects"),
      includeReassignments: wildcard(alice),
      includeTopologyEvents: { parties: topology },
    };
    assert.equal(
      (await told({ format }))!["updateFormat"],
      `{transaction format: [{filters: ${filters}, transactionShape: 'LedgerEffects'}], reassignment filters: [${all}], topology format: [{participantAuthorizationFormat: ${words}}]}`,
    );
  }
  assert.deepEqual(await told({ endInclusive: ledger.ledgerEnd() + 9 }), {}, "a fault of the request by itself");
});

test("request log: reads of active contracts tell their filters once they are known, reads of updates tell none", async (t) => {
  const { ledger, parties } = await startLedger(t),
    alice = parties["alice"]!;
  const format = wildcard(alice),
    future = ledger.ledgerEnd() + 1,
    filters = `{${alice}: {templates: [], interfaces: [], all-templates, created_event_blob: false}}`;
  assert.deepEqual(failure(ledger.openActiveContracts({ activeAtOffset: future, format })).requestLog, { filters });
  assert.equal(failure(ledger.openActiveContracts({ activeAtOffset: -1, format })).requestLog, undefined);
  assert.deepEqual(
    failure(await ledger.readActiveContractsPage({ activeAtOffset: future, format, pageSize: 7, pageToken: undefined })).requestLog,
    { maxPageSize: "7", activeAtOffset: String(future), filters },
  );
  const last = 2n ** 63n - 1n,
    page = failure(await ledger.readActiveContractsPage({ activeAtOffset: last, format, pageSize: 7, pageToken: undefined }));
  assert.equal(page.requestLog!["activeAtOffset"], String(last), "bare, as any number");
  assert.deepEqual(
    failure(
      ledger.openUpdates({ beginExclusive: future, endInclusive: undefined, format: updates(format), form: "update", descending: false }),
    ).requestLog,
    {},
  );
  const unknown = { kind: "template" as const, templateId: `#${packageName}:M:No`, includeCreatedEventBlob: false };
  const named = failure(
    ledger.openActiveContracts({
      activeAtOffset: 0,
      format: { filtersByParty: { [alice]: { cumulative: [unknown] } }, filtersForAnyParty: undefined, verbose: true },
    }),
  );
  assert.deepEqual(named.requestLog, { filters: `{${alice}: {templates: ['#${packageName}:M:No'], interfaces: []}}` });
});
