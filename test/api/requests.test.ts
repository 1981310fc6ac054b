import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { invalidArgument, packageNamesNotFound } from "../../src/ledger/model/errors.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import type { CommandSubmission } from "../../src/ledger/intake/index.js";
import type { ReassignmentSubmission } from "../../src/ledger/intake/reassignment-fields.js";
import { type Answer, apiWith, NumberCursor, participantId, request } from "./support.js";

const create = { CreateCommand: { templateId: "#model:M:Asset", createArguments: { a: 1 } } };
const commands = { commands: [create], commandId: "c1", actAs: ["alice"], userId: "u1" };
const eventFormat = { filtersByParty: { alice: {} } };
const updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };

const publicKey = { format: "CRYPTO_KEY_FORMAT_RAW", keyData: "AAAA", keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519" };
const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};

const filteredBy = (identifierFilter: unknown): unknown => ({
  eventFormat: { filtersForAnyParty: { cumulative: [{ identifierFilter }] } },
});

interface Seen {
  submission?: CommandSubmission;
  format?: unknown;
  request?: unknown;
  traceId?: string | undefined;
}

/** Every request has a trace of its own. */
function see<T extends { readonly traceId?: string }>(seen: Seen, { traceId, ...asked }: T): void {
  seen.traceId = traceId;
  seen.request = asked;
}

function api(seen: Seen = {}) {
  return apiWith({
    submit: (submission) => {
      seen.submission = submission;
      return Promise.resolve(ok({ updateId: "1220cc", completionOffset: 9 }));
    },
    submitAsync: (submission) => {
      seen.submission = submission;
      return Promise.resolve(ok(undefined));
    },
    openUpdates: (asked) => {
      see(seen, asked);
      return ok(new NumberCursor(0));
    },
    openActiveContracts: (asked) => {
      see(seen, asked);
      return ok(new NumberCursor(0));
    },
    openCompletions: (asked) => {
      seen.request = asked;
      return ok(new NumberCursor(0));
    },
    readUpdateAs: (member, asked) => {
      see(seen, asked);
      return Promise.resolve(ok(`{"${member}":{"x":1}}`));
    },
    readUpdatesPage: (asked) => {
      see(seen, asked);
      return Promise.resolve(ok(Buffer.from('{"updates":[]}')));
    },
    hostsOf: (party) =>
      party === "alice"
        ? [{ participant: participantId, permission: "submission" }]
        : party === "bob"
          ? [{ participant: "other::1220", permission: "submission" }]
          : [],
    uploadDar: (bytes, options) => {
      seen.request = { bytes: Buffer.from(bytes).toString(), ...options };
      return Promise.resolve(ok(undefined));
    },
    validateDar: () => Promise.resolve(ok(undefined)),
    isPackageKnown: (id) => id === "abc",
    readPackage: () => ok(Buffer.from("payload")),
  });
}

const post = (path: string, body: unknown, seen?: Seen, query?: string): Promise<Answer> =>
  request(api(seen), "POST", path, { body, ...(query === undefined ? {} : { query }) });
const submit = (body: unknown, seen?: Seen): Promise<Answer> => post("/v2/commands/submit-and-wait", body, seen);

const unreadable: readonly (readonly [title: string, path: string, body: unknown, says: RegExp, query?: string])[] = [
  ["an empty body", "/v2/commands/submit-and-wait", "", /body \(exhausted input/],
  ["cut-off JSON", "/v2/commands/submit-and-wait", '{"commands": [', /body \(exhausted input\)/],
  ["bytes that are no UTF-8", "/v2/commands/submit-and-wait", new Uint8Array([0x22, 0xff, 0x22]), /UTF-8/],
  ["nesting without end", "/v2/commands/submit-and-wait", "[".repeat(100_000), /nested deeper/],
  ["an endless number", "/v2/commands/submit-and-wait", `{"a":${"1".repeat(5_000)}}`, /number longer/],
  ["an array", "/v2/commands/submit-and-wait", [], /Missing required field at 'commands'/],
  ["null", "/v2/commands/submit-and-wait", "null", /expecting JsCommands/],
  ["missing fields, all named", "/v2/commands/submit-and-wait", {}, /Missing required field at 'commands'.*at 'commandId'.*at 'actAs'/],
  [
    "text where an array is due",
    "/v2/commands/submit-and-wait",
    { ...commands, actAs: "alice" },
    /Got value '"alice"' with wrong type, expecting array at 'actAs'/,
  ],
  [
    "an array where members by any name are due",
    "/v2/state/active-contracts",
    { activeAtOffset: 0, eventFormat: { filtersByParty: [], verbose: false } },
    /Got value '\[\]' with wrong type, expecting object at 'eventFormat\.filtersByParty'/,
  ],
  [
    "null where members by any name may be",
    "/v2/parties",
    { partyIdHint: "a", localMetadata: { annotations: null } },
    /Got value 'null' with wrong type, expecting object at 'localMetadata\.annotations'/,
  ],
  [
    "text where an array may be",
    "/v2/state/active-contracts",
    { activeAtOffset: 0, eventFormat: { filtersByParty: { a: { cumulative: "all" } }, verbose: false } },
    /Got value '"all"' with wrong type, expecting array at 'eventFormat\.filtersByParty.*cumulative'/,
  ],
  [
    "an unknown command",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ NopeCommand: {} }] },
    /expecting an object with one of the fields .*CreateCommand.* at 'commands\[0\]'/,
  ],
  ["a command that is text", "/v2/commands/submit-and-wait", { ...commands, commands: ["x"] }, /at 'commands\[0\]'/],
  [
    "a command in lower case",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ createCommand: create.CreateCommand }] },
    /at 'commands\[0\]'/,
  ],
  [
    "a create without template",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ CreateCommand: { createArguments: {} } }] },
    /Missing required field at 'commands\[0\]\.CreateCommand\.templateId'/,
  ],
  [
    "a create without arguments",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ CreateCommand: { templateId: "#m:M:A" } }] },
    /Missing required field at 'commands\[0\]\.CreateCommand\.createArguments'/,
  ],
  [
    "a template id of two parts",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ CreateCommand: { templateId: "M:A", createArguments: {} } }] },
    /Invalid identifier format \(M:A\) not matching .* at 'commands\[0\]\.CreateCommand\.templateId'/,
  ],
  [
    "an empty template id",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ CreateCommand: { templateId: "", createArguments: {} } }] },
    /templateId/,
  ],
  [
    "a deduplication period of no known kind",
    "/v2/commands/submit-and-wait",
    { ...commands, deduplicationPeriod: { Nope: {} } },
    /at 'deduplicationPeriod'/,
  ],
  [
    "a time that is none",
    "/v2/commands/submit-and-wait",
    { ...commands, minLedgerTimeAbs: "yesterday" },
    /instant.* at 'minLedgerTimeAbs'/,
  ],
  [
    "a day that is not in the calendar",
    "/v2/commands/submit-and-wait",
    { ...commands, minLedgerTimeAbs: "2023-02-29T00:00:00Z" },
    /instant.* at 'minLedgerTimeAbs'/,
  ],
  [
    "null in a list of texts",
    "/v2/commands/submit-and-wait",
    { ...commands, packageIdSelectionPreference: ["a", null] },
    /Got value 'null'.* at 'packageIdSelectionPreference\[1\]'/,
  ],
  [
    "commands that are not wrapped",
    "/v2/commands/submit-and-wait-for-transaction",
    commands,
    /Missing required field at 'commands\.commands'/,
  ],
  [
    "an unknown shape",
    "/v2/commands/submit-and-wait-for-transaction",
    { commands, transactionFormat: { eventFormat, transactionShape: "NOPE" } },
    /one of TRANSACTION_SHAPE_.* at 'transactionFormat\.transactionShape'/,
  ],
  [
    "a missing shape",
    "/v2/commands/submit-and-wait-for-transaction",
    { commands, transactionFormat: { eventFormat } },
    /Missing required field at 'transactionFormat\.transactionShape'/,
  ],
  ["a fractional offset", "/v2/updates", { beginExclusive: 0.5, updateFormat }, /64 bit integer at 'beginExclusive'/],
  ["an offset in words", "/v2/updates", { beginExclusive: "ten", updateFormat }, /64 bit integer at 'beginExclusive'/],
  [
    "a wildcard without its value",
    "/v2/state/active-contracts",
    { eventFormat: { filtersByParty: { alice: { cumulative: [{ identifierFilter: { WildcardFilter: {} } }] } } } },
    /Missing required field at '.*WildcardFilter\.value'/,
  ],
  [
    "a page token that is no base64",
    "/v2/updates/get-updates-page",
    { updateFormat, pageToken: "%%" },
    /\(The string is not a valid Base64: %% at 'pageToken'\)$/,
  ],
  [
    "null for a filter",
    "/v2/state/active-contracts",
    filteredBy(null),
    /null.* at 'eventFormat\.filtersForAnyParty\.cumulative\[0\]\.identifierFilter'/,
  ],
  ["null for a change of vetting", "/v2/package-vetting/update", { changes: [{ operation: null }] }, /null.* at 'changes\[0\]\.operation'/],
  [
    "null for a serial",
    "/v2/package-vetting/update",
    { expectedTopologySerial: { serial: null } },
    /null.* at 'expectedTopologySerial\.serial'/,
  ],
  ["null for a right", "/v2/users/{user-id}/rights", { rights: [{ kind: null }] }, /null.* at 'rights\[0\]\.kind'/],
  [
    "null for a reassignment",
    "/v2/commands/async/submit-reassignment",
    { reassignmentCommands: { commands: [{ command: null }] } },
    /null.* at 'reassignmentCommands\.commands\[0\]\.command'/,
  ],
  [
    "null for a ledger time",
    "/v2/interactive-submission/prepare",
    { ...commands, synchronizerId: "s", packageIdSelectionPreference: [], minLedgerTime: { time: null } },
    /null.* at 'minLedgerTime\.time'/,
  ],
  ...["A", "AA=", "AAA==", "AAAA=", "=", "AAAAA", "AA==AA", "A-AA"].map(
    (pageToken) =>
      [
        `${pageToken} as base64`,
        "/v2/updates/get-updates-page",
        { updateFormat, pageToken },
        new RegExp(`\\(The string is not a valid Base64: ${pageToken} at 'pageToken'\\)$`),
      ] as const,
  ),
  [
    "a long text whose last character says nothing",
    "/v2/interactive-submission/execute",
    {
      preparedTransaction: "A".repeat(1_000_001),
      partySignatures: {},
      deduplicationPeriod: { Empty: {} },
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    },
    /\(The string is not a valid Base64: A+ at 'preparedTransaction'\)$/,
  ],
  ...(["format", "keySpec"] as const).map(
    (field) =>
      [
        `a key without its ${field}`,
        "/v2/parties/external/generate-topology",
        { synchronizer: "s", partyHint: "p", publicKey: { ...publicKey, [field]: undefined } },
        new RegExp(`Missing required field at 'publicKey\\.${field}'`),
      ] as const,
  ),
  ...(["format", "signingAlgorithmSpec"] as const).map(
    (field) =>
      [
        `a signature without its ${field}`,
        "/v2/parties/external/allocate",
        { synchronizer: "s", onboardingTransactions: [], multiHashSignatures: [{ ...signature, [field]: undefined }] },
        new RegExp(`Missing required field at 'multiHashSignatures\\[0\\]\\.${field}'`),
      ] as const,
  ),
  [
    "null for whether a user is told by its party",
    "/v2/users",
    { user: { id: "u", primaryPartyAuthentication: null } },
    /null.* at 'user\.primaryPartyAuthentication'/,
  ],
  [
    "null for a threshold",
    "/v2/parties/external/generate-topology",
    { synchronizer: "s", partyHint: "p", publicKey, confirmationThreshold: null },
    /null.* at 'confirmationThreshold'/,
  ],
  ["null for a page of vetting", "/v2/package-vetting/list", { pageToken: null }, /null.* at 'pageToken'/],
  ["a number as party hint", "/v2/parties", { partyIdHint: 5 }, /Got value '5' with wrong type, expecting string at 'partyIdHint'/],
  ["null as party hint", "/v2/parties", { partyIdHint: null }, /Got value 'null' with wrong type, expecting string at 'partyIdHint'/],
  ["a limit in words", "/v2/updates", { updateFormat }, /^Invalid value for: query parameter limit$/, "limit=many"],
  ["an escape without its digits", "/v2/updates", { updateFormat }, /^Invalid value for: query /, "limit=1&x=%zz"],
  ["two limits", "/v2/updates", { updateFormat }, /^Invalid value for: query parameter limit \(multiple values\)$/, "limit=1&limit=2"],
  [
    "two limits, of which one is unreadable",
    "/v2/updates",
    { updateFormat },
    /^Invalid value for: query parameter limit$/,
    "limit=1&limit=x",
  ],
  ["a limit beyond 64 bits", "/v2/updates", { updateFormat }, /query parameter limit/, "limit=9223372036854775808"],
  ["a boolean that is none", "/v2/dars", "dar", /^Invalid value for: query parameter vetAllPackages$/, "vetAllPackages=maybe"],
];
for (const [title, path, body, says, query] of unreadable)
  test(`requests: ${title} is a plain 400 that names it`, async () => {
    const answer = await post(path, body, undefined, query);
    assert.equal(answer.status, 400);
    assert.equal(answer.contentType, "text/plain; charset=UTF-8");
    assert.match(answer.text, /^Invalid value for: /);
    assert.match(answer.text, says);
  });

test("requests: a path parameter that is no offset is a plain 400", async () => {
  const answer = await request(api(), "GET", "/v2/updates/transaction-tree-by-offset/{offset}", { params: { offset: "xx" } });
  assert.deepEqual([answer.status, answer.text], [400, "Invalid value for: path parameter offset"]);
});

const accepted: readonly (readonly [title: string, path: string, body: unknown, query?: string])[] = [
  ["unknown fields", "/v2/commands/submit-and-wait", { ...commands, bogus: 1 }],
  ["repeated keys", "/v2/commands/submit-and-wait", `{"commandId":"x",${JSON.stringify(commands).slice(1)}`],
  [
    "two commands in one object",
    "/v2/commands/submit-and-wait",
    {
      ...commands,
      commands: [{ ...create, ExerciseCommand: { templateId: "#m:M:A", contractId: "00", choice: "C", choiceArgument: null } }],
    },
  ],
  [
    "null for fields that default",
    "/v2/commands/submit-and-wait",
    { ...commands, readAs: null, workflowId: null, deduplicationPeriod: null, disclosedContracts: null },
  ],
  [
    "a choice argument that is null",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ ExerciseCommand: { templateId: "#m:M:A", contractId: "00", choice: "C", choiceArgument: null } }] },
  ],
  [
    "arguments that are an array, which the engine will judge",
    "/v2/commands/submit-and-wait",
    { ...commands, commands: [{ CreateCommand: { templateId: "#m:M:A", createArguments: [1] } }] },
  ],
  [
    "a disclosed contract with its blob only",
    "/v2/commands/submit-and-wait",
    { ...commands, disclosedContracts: [{ createdEventBlob: "AAAA" }] },
  ],
  ["an offset as text", "/v2/updates", { beginExclusive: "5", updateFormat }],
  ["an offset with an exponent", "/v2/updates", `{"beginExclusive":5e0,"updateFormat":${JSON.stringify(updateFormat)}}`],
  ["no begin", "/v2/updates", { updateFormat }],
  ["zeros before a limit", "/v2/updates", { updateFormat }, `limit=${"0".repeat(40)}1`],
  ["no fields in command-completions", "/v2/commands/command-completions", {}],
];
for (const [title, path, body, query] of accepted)
  test(`requests: ${title} are read`, async () => {
    const answer = await post(path, body, undefined, query);
    assert.equal(answer.status, 200, answer.text);
  });

test("requests: the engine gets the commands as they were written", async () => {
  const seen: Seen = {};
  const text = '[ {"CreateCommand":{"templateId":"#m:M:A","createArguments":{"n":1.10000000000000000001,"n":2}}} ]';
  await submit(`{"commandId":"c","actAs":["a"],"userId":"u","commands":${text}}`, seen);
  assert.equal(seen.submission?.commands, text);
  assert.equal(seen.submission?.commandCount, 1);
});

test("requests: small numbers that are written as text are those numbers", async () => {
  const seen: Seen = {};
  const deduplicationPeriod = { DeduplicationDuration: { value: { seconds: "3", nanos: "-5" } } };
  await submit({ ...commands, deduplicationPeriod, minLedgerTimeRel: { seconds: "2", nanos: "1500" }, tapsMaxPasses: "2" }, seen);
  assert.deepEqual(
    [seen.submission?.deduplication, seen.submission?.minLedgerTimeRel, seen.submission?.selectionPassesMax],
    [{ kind: "duration", seconds: 3, nanos: -5 }, 2_000_001n, 2],
  );
  for (const tapsMaxPasses of ["x", "", "2.5", "2147483648", true])
    assert.match((await post("/v2/commands/submit-and-wait", { ...commands, tapsMaxPasses })).text, /32 bit integer at 'tapsMaxPasses'/);
});

test("requests: what a period or a duration leaves out is 0, and null is 0 in a duration or for all of it", async () => {
  const seen: Seen = {};
  for (const [deduplicationPeriod, deduplication] of [
    [{ DeduplicationOffset: {} }, { kind: "offset", offset: 0 }],
    [{ DeduplicationDuration: { value: { seconds: 60, nanos: null } } }, { kind: "duration", seconds: 60, nanos: 0 }],
    [{ DeduplicationDuration: { value: { seconds: null } } }, { kind: "duration", seconds: 0, nanos: 0 }],
    [{ DeduplicationDuration: { value: null } }, { kind: "duration", seconds: 0, nanos: 0 }],
  ] as const) {
    assert.equal((await submit({ ...commands, deduplicationPeriod }, seen)).status, 200);
    assert.deepEqual(seen.submission?.deduplication, deduplication);
  }
  for (const wrong of [{ DeduplicationOffset: { value: null } }, { DeduplicationDuration: {} }])
    assert.equal((await submit({ ...commands, deduplicationPeriod: wrong })).status, 400);
});

test("requests: the fields of commands reach the ledger", async () => {
  const seen: Seen = {};
  await submit(
    {
      ...commands,
      readAs: ["bob"],
      workflowId: "w",
      submissionId: "s",
      synchronizerId: "sync",
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 3, nanos: 5 } } },
      minLedgerTimeAbs: "2024-02-29T12:00:00.123456789+01:00",
      minLedgerTimeRel: { seconds: 2, nanos: 1_500 },
      disclosedContracts: [{ contractId: "00", templateId: "#m:M:A", createdEventBlob: "AQI=", synchronizerId: "sync" }],
      packageIdSelectionPreference: ["p"],
      tapsMaxPasses: 2,
    },
    seen,
  );
  const { commands: _, trace: __, ...submission } = seen.submission as CommandSubmission;
  assert.deepEqual(submission, {
    commandCount: 1,
    commandId: "c1",
    userId: "u1",
    submissionId: "s",
    workflowId: "w",
    actAs: ["alice"],
    readAs: ["bob"],
    deduplication: { kind: "duration", seconds: 3, nanos: 5 },
    minLedgerTimeAbs: BigInt(Date.UTC(2024, 1, 29, 11)) * 1000n + 123456n,
    minLedgerTimeRel: 2_000_001n,
    disclosedContracts: [{ contractId: "00", templateId: "#m:M:A", createdEventBlob: Buffer.from([1, 2]), synchronizerId: "sync" }],
    synchronizerId: "sync",
    packageIdSelectionPreference: ["p"],
    selectionPassesMax: 2,
  });
});

test("requests: without a user in request and token the ledger is told so, and a fresh submission id", async () => {
  const seen: Seen = {};
  await submit({ ...commands, userId: "" }, seen);
  assert.equal(seen.submission?.userId, "");
  assert.match(seen.submission?.submissionId ?? "", /^[0-9a-f-]{36}$/);
});

test("requests: a disclosed contract whose template is null names none", async () => {
  const seen: Seen = {};
  await submit({ ...commands, disclosedContracts: [{ templateId: null, createdEventBlob: "AQI=" }] }, seen);
  assert.deepEqual(
    seen.submission?.disclosedContracts.map(({ templateId }) => templateId),
    [""],
  );
});

test("requests: the caller's trace goes on in the submission", async () => {
  const seen: Seen = {};
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  await request(api(seen), "POST", "/v2/commands/submit-and-wait", {
    body: commands,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: "a=b" },
  });
  assert.match(seen.submission?.trace.traceparent ?? "", new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  assert.equal(seen.submission?.trace.tracestate, "a=b");
  await request(api(seen), "POST", "/v2/commands/submit-and-wait", {
    body: commands,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: "" },
  });
  assert.equal(seen.submission?.trace.tracestate, null, "an empty one says nothing");
});

test("requests: filters of every kind reach the ledger", async () => {
  const seen: Seen = {};
  const cumulative = [
    {},
    { identifierFilter: { Empty: {} } },
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
    { identifierFilter: { TemplateFilter: { value: { templateId: "#m:M:A" } } } },
    { identifierFilter: { InterfaceFilter: { value: { interfaceId: "#m:M:I", includeInterfaceView: true } } } },
  ];
  await post(
    "/v2/state/active-contracts",
    { activeAtOffset: 3, eventFormat: { filtersByParty: { alice: { cumulative } }, verbose: true } },
    seen,
  );
  assert.deepEqual(seen.request, {
    activeAtOffset: 3,
    format: {
      filtersByParty: {
        alice: {
          cumulative: [
            { kind: "empty" },
            { kind: "empty" },
            { kind: "wildcard", includeCreatedEventBlob: true },
            { kind: "template", templateId: "#m:M:A", includeCreatedEventBlob: false },
            { kind: "interface", interfaceId: "#m:M:I", includeInterfaceView: true, includeCreatedEventBlob: false },
          ],
        },
      },
      filtersForAnyParty: undefined,
      verbose: true,
    },
  });
});

test("requests: a party named __proto__ is a party like any other", async () => {
  const seen: Seen = {};
  await post("/v2/state/active-contracts", '{"eventFormat":{"filtersByParty":{"__proto__":{}}}}', seen);
  const { format } = seen.request as { format: { filtersByParty: object } };
  assert.deepEqual(Object.keys(format.filtersByParty), ["__proto__"]);
});

const neither = (field: string): RegExp =>
    new RegExp(`: Either filter/verbose or ${field} is required. Please use either .* .${filterNames}. or ${field}\\.$`),
  bothOf = (field: string, older: string, names: string, end: string): RegExp =>
    new RegExp(`: Both ${field} and ${older} are set. Please use either backwards compatible arguments .${names}. or ${field}${end}\\.$`),
  filterNames = "filter and verbose";

const codes: readonly (readonly [title: string, path: string, body: unknown, code: string, says?: RegExp])[] = [
  [
    "a prefetch of no keys",
    "/v2/commands/submit-and-wait",
    { ...commands, prefetchContractKeys: [{ templateId: "#m:M:A", contractKey: 1, limit: 0 }] },
    "INVALID_ARGUMENT",
  ],
  ["completions without any user", "/v2/commands/completions", { parties: ["a"] }, "MISSING_FIELD"],
  [
    "an unspecified shape",
    "/v2/commands/submit-and-wait-for-transaction",
    { commands, transactionFormat: { eventFormat, transactionShape: "TRANSACTION_SHAPE_UNSPECIFIED" } },
    "MISSING_FIELD",
  ],
  [
    "a transaction format without event format",
    "/v2/commands/submit-and-wait-for-transaction",
    { commands, transactionFormat: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } },
    "MISSING_FIELD",
  ],
  ["updates without any format", "/v2/updates", { beginExclusive: 0 }, "INVALID_ARGUMENT", neither("update_format")],
  [
    "updates with both formats",
    "/v2/updates",
    { filter: {}, updateFormat },
    "INVALID_ARGUMENT",
    bothOf("update_format", "filter", filterNames, ", but not both"),
  ],
  [
    "updates with a format and verbose",
    "/v2/updates",
    { verbose: true, updateFormat },
    "INVALID_ARGUMENT",
    bothOf("update_format", "verbose", filterNames, ", but not both"),
  ],
  ["active contracts without any format", "/v2/state/active-contracts", {}, "INVALID_ARGUMENT", neither("event_format")],
  [
    "active contracts with both formats",
    "/v2/state/active-contracts",
    { filter: {}, eventFormat },
    "INVALID_ARGUMENT",
    bothOf("event_format", "filter", filterNames, ", but not both"),
  ],
  ["a page of contracts without format", "/v2/state/active-contracts-page", {}, "MISSING_FIELD"],
  [
    "a transaction asked for in both ways",
    "/v2/updates/transaction-by-offset",
    { offset: 1, requestingParties: ["a"], transactionFormat: updateFormat.includeTransactions },
    "INVALID_ARGUMENT",
    bothOf("transaction_format", "requesting_parties", "requesting_parties", " but not both"),
  ],
  [
    "a transaction asked for in neither way",
    "/v2/updates/transaction-by-id",
    { updateId: "12" },
    "INVALID_ARGUMENT",
    /: Either transaction_format or requesting_parties is required. Please use either .*requesting_parties. or transaction_format\.$/,
  ],
  [
    "topology in trees",
    "/v2/updates/trees",
    { updateFormat: { ...updateFormat, includeTopologyEvents: { includeParticipantAuthorizationEvents: {} } } },
    "INVALID_ARGUMENT",
  ],
];
for (const [title, path, body, code, says = /./] of codes)
  test(`requests: ${title} gives ${code}`, async () => {
    const answer = await post(path, body),
      failure = JSON.parse(answer.text) as { readonly code: string; readonly cause: string };
    assert.deepEqual([answer.status, failure.code], [400, code]);
    assert.match(failure.cause, says);
  });

test("requests: the older filter of updates means transactions and reassignments", async () => {
  const seen: Seen = {};
  await post("/v2/updates", { filter: eventFormat, verbose: true, beginExclusive: 2, endInclusive: 5 }, seen);
  const wanted = { filtersByParty: { alice: { cumulative: [] } }, filtersForAnyParty: undefined, verbose: true };
  assert.deepEqual(seen.request, {
    beginExclusive: 2,
    endInclusive: 5,
    form: "update",
    descending: false,
    format: {
      includeTransactions: { eventFormat: wanted, shape: "acsDelta" },
      includeReassignments: wanted,
      includeTopologyEvents: undefined,
    },
  });
});

test("requests: null for what has a default beside the older fields is the default", async () => {
  for (const [path, given] of [
    ...["/v2/updates", "/v2/updates/flats", "/v2/updates/trees"].map((path) => [path, { beginExclusive: 2, endInclusive: 5 }] as const),
    ["/v2/state/active-contracts", { activeAtOffset: 3 }],
  ] as const) {
    const plain: Seen = {},
      withNull: Seen = {};
    await post(path, { ...given, filter: eventFormat }, plain);
    const nulls = path === "/v2/state/active-contracts" ? { verbose: null } : { verbose: null, descendingOrder: null };
    assert.equal((await post(path, { ...given, filter: eventFormat, ...nulls }, withNull)).status, 200, path);
    assert.deepEqual(withNull.request, plain.request, path);
  }
});

test("requests: flats are updates under another path, in the shape that is asked for", async () => {
  const effects = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" } };
  for (const body of [
    { updateFormat: effects, verbose: false, endInclusive: 5 },
    { updateFormat, endInclusive: 5 },
    { filter: eventFormat, verbose: true, endInclusive: 5 },
  ]) {
    const flats: Seen = {},
      updates: Seen = {};
    await post("/v2/updates/flats", body, flats);
    await post("/v2/updates", body, updates);
    assert.deepEqual(flats.request, updates.request);
  }
});

test("requests: of the older filter trees show whole transactions, widened to all that its parties see; a format is taken as it is", async () => {
  const trees = async (body: object): Promise<readonly [string, string, unknown]> => {
    const seen: Seen = {};
    await post("/v2/updates/trees", { ...body, endInclusive: 5 }, seen);
    const { format, form } = seen.request as {
      form: string;
      format: { includeTransactions: { shape: string; eventFormat: { filtersByParty: unknown } } };
    };
    return [form, format.includeTransactions.shape, format.includeTransactions.eventFormat.filtersByParty];
  };
  assert.deepEqual(await trees({ filter: eventFormat }), [
    "tree",
    "ledgerEffects",
    { alice: { cumulative: [{ kind: "wildcard", includeCreatedEventBlob: false }] } },
  ]);
  for (const [transactionShape, shape] of [
    ["TRANSACTION_SHAPE_ACS_DELTA", "acsDelta"],
    ["TRANSACTION_SHAPE_LEDGER_EFFECTS", "ledgerEffects"],
  ])
    assert.deepEqual(await trees({ updateFormat: { includeTransactions: { eventFormat, transactionShape } } }), [
      "tree",
      shape,
      { alice: { cumulative: [] } },
    ]);
});

test("requests: a malformed format costs no transaction", async () => {
  let submitted = 0;
  const refusal = invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously");
  const refusing = apiWith({
    openUpdates: () => fail(refusal),
    submit: () => {
      submitted++;
      return Promise.resolve(fail(refusal));
    },
  });
  const answer = await request(refusing, "POST", "/v2/commands/submit-and-wait-for-transaction", { body: { commands } });
  assert.deepEqual([answer.status, submitted], [400, 0]);
});

test("requests: names in a format that no package has are found when the transaction is read, after it was made", async () => {
  let submitted = 0;
  const refusal = packageNamesNotFound(["nope"]);
  const refusing = apiWith({
    openUpdates: () => fail(refusal),
    readUpdateAs: () => Promise.resolve(fail(refusal)),
    submit: () => {
      submitted++;
      return Promise.resolve(ok({ updateId: "1220cc", completionOffset: 9 }));
    },
  });
  const answer = await request(refusing, "POST", "/v2/commands/submit-and-wait-for-transaction", { body: { commands } });
  assert.deepEqual([answer.status, submitted], [404, 1]);
});

test("requests: a failed submission names itself, what surrounds it does not", async () => {
  const correlation = async (error: LedgerErrorData): Promise<unknown> => {
    const answer = await request(apiWith({ submit: () => Promise.resolve(fail(error)) }), "POST", "/v2/commands/submit-and-wait", {
      body: { ...commands, submissionId: "mine" },
    });
    return (JSON.parse(answer.text) as { correlationId: unknown }).correlationId;
  };
  assert.equal(await correlation(invalidArgument("of the command")), "mine");
  assert.equal(await correlation(packageNamesNotFound(["nope"])), null);
});

const reassignment = (command: unknown) => ({
  reassignmentCommands: { commandId: "c1", userId: "u1", submitter: "alice", submissionId: "mine", commands: [{ command }] },
});
for (const path of ["/v2/commands/submit-and-wait-for-reassignment", "/v2/commands/async/submit-reassignment"])
  test(`requests: ${path} reaches the ledger as submitted and answers why not`, async () => {
    let seen: unknown;
    const refuse = (submission: ReassignmentSubmission) => {
      seen = submission;
      return Promise.resolve(fail(invalidArgument("no")));
    };
    const refusing = apiWith({ reassign: refuse, reassignAsync: refuse });
    const answer = await request(refusing, "POST", path, {
      body: reassignment({ UnassignCommand: { value: { contractId: "00", source: "s", target: "t" } } }),
    });
    assert.equal(answer.status, 400);
    const { trace: _, ...told } = seen as ReassignmentSubmission;
    assert.deepEqual(told, {
      userId: "u1",
      commandId: "c1",
      submissionId: "mine",
      workflowId: "",
      submitter: "alice",
      commands: [{ kind: "unassign", contractId: "00", source: "s", target: "t" }],
    });
  });

test("requests: a transaction's text is spliced, never parsed again", async () => {
  const seen: Seen = {};
  const answer = await post("/v2/commands/submit-and-wait-for-transaction", { commands }, seen);
  assert.equal(answer.text, '{"transaction":{"x":1}}');
  assert.deepEqual((seen.request as { by: unknown; emptyWhenHidden: boolean }).by, { offset: 9 });
});

test("requests: octets go in and out as they are", async () => {
  const seen: Seen = {};
  assert.equal((await post("/v2/dars", "not json", seen, "vetAllPackages=false&synchronizerId=s")).text, "{}");
  assert.deepEqual(seen.request, { bytes: "not json", vetAllPackages: false, synchronizerId: "s" });
  for (const [text, vetAllPackages] of [
    ["TRUE", true],
    ["tRuE", true],
    ["False", false],
  ] as const) {
    assert.equal((await post("/v2/dars", "not json", seen, `vetAllPackages=${text}`)).text, "{}");
    assert.equal((seen.request as { readonly vetAllPackages: boolean }).vetAllPackages, vetAllPackages);
  }
  const bytes = await request(api(), "GET", "/v2/packages/{package-id}", { params: { "package-id": "abc" } });
  assert.equal(bytes.contentType, "application/octet-stream");
  assert.deepEqual([bytes.text, bytes.headers["Canton-Package-Hash"], bytes.headers["Ledger-Package-Hash"]], ["payload", "abc", "abc"]);
  const validated = await post("/v2/dars/validate", "x");
  assert.deepEqual([validated.status, validated.contentType, validated.text], [200, "", ""]);
});

test("requests: the status of a package that nobody has is no error", async () => {
  for (const [id, status] of [
    ["abc", "PACKAGE_STATUS_REGISTERED"],
    ["bad id", "PACKAGE_STATUS_UNSPECIFIED"],
  ] as const)
    assert.equal(
      (await request(api(), "GET", "/v2/packages/{package-id}/status", { params: { "package-id": id } })).text,
      `{"packageStatus":"${status}"}`,
    );
});

test("requests: connected synchronizers by party and participant", async () => {
  const ask = async (query: string): Promise<unknown> =>
    JSON.parse((await request(api(), "GET", "/v2/state/connected-synchronizers", { query })).text);
  const permissions = async (query: string) =>
    ((await ask(query)) as { connectedSynchronizers: readonly { permission: string }[] }).connectedSynchronizers.map(
      ({ permission }) => permission,
    );
  assert.deepEqual(await permissions(""), ["PARTICIPANT_PERMISSION_UNSPECIFIED"]);
  assert.deepEqual(await permissions("party=alice"), ["PARTICIPANT_PERMISSION_SUBMISSION"]);
  for (const party of ["bob", "%20bad"]) assert.deepEqual(await permissions(`party=${party}`), []);
  assert.deepEqual(await permissions("party=bob&participantId=other::1220"), ["PARTICIPANT_PERMISSION_SUBMISSION"]);
  assert.deepEqual(await permissions("party=alice&participantId=other::1220"), []);
  assert.deepEqual(await permissions(`participantId=${encodeURIComponent(participantId)}`), ["PARTICIPANT_PERMISSION_UNSPECIFIED"]);
  assert.deepEqual(await permissions("participantId=other::1220"), ["PARTICIPANT_PERMISSION_UNSPECIFIED"]);
  assert.equal(((await ask("participantId=PAR::x::1220")) as { code: string }).code, "INVALID_FIELD");
});

test("requests: a trace that W3C calls invalid is not gone on with, one of a later version is", async () => {
  const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"],
    goesOn = async (traceparent: string): Promise<boolean> => {
      const seen: Seen = {};
      await request(api(seen), "POST", "/v2/commands/submit-and-wait", { body: commands, headers: { traceparent } });
      return seen.submission?.trace.traceparent?.split("-")[1] === traceparent.split("-")[1];
    };
  for (const valid of [`00-${traceId}-${spanId}-00`, `fe-${traceId}-${spanId}-01`, `01-${traceId}-${spanId}-01-more`])
    assert.ok(await goesOn(valid), valid);
  for (const invalid of [
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
  ])
    assert.ok(!(await goesOn(invalid)), invalid);
});

test("requests: a read names the trace of its request to the ledger", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736",
    headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const reads: readonly (readonly [path: string, body: unknown])[] = [
    ["/v2/updates", { beginExclusive: 0, endInclusive: 5, updateFormat }],
    ["/v2/updates/trees", { beginExclusive: 0, endInclusive: 5, updateFormat }],
    ["/v2/updates/get-updates-page", { updateFormat }],
    ["/v2/updates/update-by-id", { updateId: "12", updateFormat }],
    ["/v2/updates/transaction-by-id", { updateId: "12", requestingParties: ["alice"] }],
    ["/v2/state/active-contracts", { activeAtOffset: 3, eventFormat }],
  ];
  for (const [path, body] of reads) {
    const seen: Seen = {};
    await request(api(seen), "POST", path, { body, headers });
    assert.equal(seen.traceId, traceId, path);
  }
});

test("requests: once a turn of the event loop is over, those that read are answered one a turn; submissions go on together", async () => {
  let turn = 0,
    isDone = false;
  const count = (): void => {
    turn++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const read: number[] = [],
    submitted: number[] = [];
  const api = apiWith(
    {
      ledgerEnd: () => read.push(turn),
      submit: () => {
        submitted.push(turn);
        return Promise.resolve(ok({ updateId: "1220cc", completionOffset: 9 }));
      },
    },
    { turns: new Turns(0) },
  );
  await Promise.all(
    Array.from({ length: 4 }, () => [
      request(api, "GET", "/v2/state/ledger-end"),
      request(api, "POST", "/v2/commands/submit-and-wait", { body: commands }),
    ]).flat(),
  );
  isDone = true;
  assert.deepEqual([new Set(read).size, read.length], [4, 4]);
  assert.deepEqual([new Set(submitted).size, submitted.length], [1, 4]);
});
