/** Of several faults of a request the one is told that Canton looks for first: clients branch on its code. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AdministeredNode } from "./administration-world.js";
import { acsDelta, eventFormat, ofTemplate, type Json } from "./world.js";

let node: AdministeredNode, party: string;
before(async () => {
  node = await AdministeredNode.start();
  ({ party } = await node.party());
});
after(() => node.stop());

type Case = readonly [path: string, body: Json, refusal: string];

async function areRefused(cases: readonly Case[], method = "POST"): Promise<void> {
  for (const [path, body, refusal] of cases)
    assert.equal(await node.refusal(method, path, body), refusal, `${path} ${JSON.stringify(body)}`);
}
const areRefusedByPath = (...cases: readonly (readonly [path: string, refusal: string])[]): Promise<void> =>
  areRefused(
    cases.map(([path, refusal]) => [path, undefined, refusal]),
    "GET",
  );

const withFilter = (templateId: string): Json => eventFormat({ parties: [party], filters: [ofTemplate(templateId)] });
const byPackageId = (): Json => withFilter(`${"ab".repeat(32)}:M:T`),
  unknownName = (): Json => withFilter("#nope:M:T"),
  good = (): Json => eventFormat({ parties: [party] });
const transactions = (format: Json): Json => ({ includeTransactions: { transactionShape: acsDelta, eventFormat: format } });
const shapeless = (): Json => ({ includeTransactions: { transactionShape: "TRANSACTION_SHAPE_UNSPECIFIED", eventFormat: good() } });
const undecodable = Buffer.from("abc").toString("base64");

test("updates: offsets one by one, the format, its names, then the offsets together", () =>
  areRefused([
    ["/v2/updates", { beginExclusive: -1, updateFormat: transactions(byPackageId()) }, "400 NEGATIVE_OFFSET"],
    ["/v2/updates", { endInclusive: 999, updateFormat: transactions(byPackageId()) }, "400 OFFSET_AFTER_LEDGER_END"],
    ["/v2/updates", { beginExclusive: -1, updateFormat: shapeless() }, "400 NEGATIVE_OFFSET"],
    ["/v2/updates/trees", { endInclusive: 999, updateFormat: shapeless() }, "400 OFFSET_AFTER_LEDGER_END"],
    ["/v2/updates", { beginExclusive: 2, endInclusive: 1, updateFormat: shapeless() }, "400 MISSING_FIELD"],
    ["/v2/updates", { beginExclusive: 2, endInclusive: 1, updateFormat: transactions(byPackageId()) }, "400 INVALID_FIELD"],
    ["/v2/updates", { beginExclusive: 2, endInclusive: 1, updateFormat: transactions(unknownName()) }, "404 PACKAGE_NAMES_NOT_FOUND"],
    ["/v2/updates", { beginExclusive: 2, endInclusive: 1, updateFormat: transactions(good()) }, "400 OFFSET_OUT_OF_RANGE"],
    ["/v2/updates", { updateFormat: { ...transactions(unknownName()), includeReassignments: byPackageId() } }, "400 INVALID_FIELD"],
  ]));

test("trees: that they have no place for topology events, behind all else", () => {
  const path = "/v2/updates/trees",
    withTopology = (format: Json, parties: readonly string[] = []): Json => ({
      ...transactions(format),
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties } },
    });
  return areRefused([
    [path, { descendingOrder: true, updateFormat: withTopology(good()) }, "400 DESCENDING_ORDER_MISSING_END"],
    [path, { updateFormat: withTopology(byPackageId()) }, "400 INVALID_FIELD"],
    [path, { updateFormat: withTopology(good(), ["no party!"]) }, "400 INVALID_FIELD"],
    [path, { updateFormat: withTopology(unknownName()) }, "404 PACKAGE_NAMES_NOT_FOUND"],
    [path, { beginExclusive: 2, endInclusive: 1, updateFormat: withTopology(good()) }, "400 OFFSET_OUT_OF_RANGE"],
    [path, { updateFormat: withTopology(good()) }, "400 INVALID_ARGUMENT"],
  ]);
});

test("an update: what names it, then the format", () =>
  areRefused([
    ["/v2/updates/update-by-offset", { offset: 0 }, "400 NON_POSITIVE_OFFSET"],
    ["/v2/updates/update-by-offset", { offset: 0, updateFormat: shapeless() }, "400 NON_POSITIVE_OFFSET"],
    ["/v2/updates/update-by-offset", { offset: 1 }, "400 MISSING_FIELD"],
    ["/v2/updates/transaction-by-offset", { offset: 0 }, "400 INVALID_ARGUMENT"],
    ["/v2/updates/transaction-by-offset", { offset: 0, transactionFormat: shapeless().includeTransactions }, "400 NON_POSITIVE_OFFSET"],
    ["/v2/updates/update-by-id", { updateId: "zz", updateFormat: shapeless() }, "400 INVALID_ARGUMENT"],
    ["/v2/updates/update-by-id", { updateId: "zz" }, "400 INVALID_ARGUMENT"],
    ["/v2/updates/update-by-id", { updateId: "12ab", updateFormat: transactions(byPackageId()) }, "400 INVALID_ARGUMENT"],
    ["/v2/updates/update-by-id", { updateId: `1220${"ab".repeat(32)}`, updateFormat: transactions(byPackageId()) }, "400 INVALID_FIELD"],
    ["/v2/updates/update-by-id", { updateId: `1220${"AB".repeat(32)}`, updateFormat: transactions(good()) }, "404 UPDATE_NOT_FOUND"],
  ]));

test("an update: the id is told to be none in the words that fit it", async () => {
  const path = "/v2/updates/update-by-id";
  for (const [updateId, told] of [
    ["\u00fc", /non expected character 0xfc in Daml-LF Ledger String/],
    ["1".repeat(256), /too long \(max: 255\)$/],
    ["zz", /Failed to parse hex string: zz$/],
    ["12", /Failed to decode unsigned var-int/],
    [`1320${"ab".repeat(32)}`, /Unknown hash algorithm for index: 19$/],
    [`1219${"ab".repeat(25)}`, /Mismatch of lengths for SHA-256: given 25, expected 32$/],
    ["1220ab", /Size of given hash 1 does not match expected size 32 for SHA-256$/],
  ] as const) {
    const { code, cause } = (await node.world.client.post(path, { updateId, updateFormat: transactions(good()) })).json();
    assert.deepEqual([code, told.test(cause)], ["INVALID_ARGUMENT", true], cause);
  }
});

test("an update: what is wrong with the request is told with its log, a name that nobody knows without", async () => {
  const told = async (by: Json): Promise<string> => {
    const path = `/v2/updates/update-by-${"offset" in by ? "offset" : "id"}`,
      { context } = (await node.world.client.post(path, { ...by, updateFormat: transactions(unknownName()) })).json();
    return context.participant;
  };
  const participant = await told({ offset: 1 });
  assert.doesNotMatch(participant, /'/);
  assert.equal(await told({ updateId: `1220${"ab".repeat(32)}` }), participant);
  assert.equal(await told({ offset: 0 }), `'${participant}'`);
});

test("events of a contract: its id, then the format", () => {
  const path = "/v2/events/events-by-contract-id";
  return areRefused([
    [path, { contractId: "zz" }, "400 INVALID_FIELD"],
    [path, { contractId: `00${"ab".repeat(32)}` }, "400 MISSING_FIELD"],
  ]);
});

test("a transaction format: its shape, then its events", async () => {
  const reply = await node.world.client.post("/v2/updates/update-by-offset", {
    offset: 1,
    updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_UNSPECIFIED" } },
  });
  assert.equal(reply.json().context.field_name, "transaction_shape");
});

test("a command: that nobody submits it, then the format in which it asks for its transaction", async () => {
  const commands = { commands: [], commandId: "c", actAs: [], userId: "u" },
    path = "/v2/commands/submit-and-wait-for-transaction";
  for (const [where, body] of [
    [path, { commands }],
    [path, { commands, transactionFormat: { transactionShape: acsDelta } }],
    [path, { commands, transactionFormat: { transactionShape: acsDelta, eventFormat: byPackageId() } }],
    [`${path}-tree`, commands],
  ] as const) {
    const { code, context } = (await node.world.client.post(where, body)).json();
    assert.deepEqual([code, context.field_name], ["MISSING_FIELD", "act_as/actAs"]);
  }
});

test("parties: of several that are none the first as they were named, and all of them are told so", async () => {
  const { cause, context } = (await node.world.client.get("/v2/parties/zz?parties=b%C3%A9d&parties=%C3%A9&parties=zz")).json();
  assert.match(cause, /Daml-LF Party "béd"$/);
  assert.equal(context.parties, "['zz', 'béd', 'é', 'zz']");
});

test("a page of updates: the token, the bounds, the size, the format and its names", () => {
  const path = "/v2/updates/get-updates-page",
    unnamed = transactions(unknownName());
  return areRefused([
    [path, { pageToken: undecodable, endOffsetInclusive: 0 }, "400 INVALID_FIELD"],
    [path, { endOffsetInclusive: 0, maxPageSize: 0 }, "400 NON_POSITIVE_OFFSET"],
    [path, { beginOffsetExclusive: -1, maxPageSize: 0, updateFormat: unnamed }, "400 NEGATIVE_OFFSET"],
    [path, { maxPageSize: 0, updateFormat: shapeless() }, "400 INVALID_ARGUMENT"],
    [path, { endOffsetInclusive: 999, beginOffsetExclusive: 1_000, updateFormat: unnamed }, "400 OFFSET_AFTER_LEDGER_END"],
    [path, { endOffsetInclusive: 1 }, "400 MISSING_FIELD"],
    [path, { updateFormat: unnamed }, "404 PACKAGE_NAMES_NOT_FOUND"],
  ]);
});

test("active contracts: the format, the token, the offset by itself, names, the ledger's end", () => {
  const path = "/v2/state/active-contracts";
  return areRefused([
    [path, { activeAtOffset: -1, streamContinuationToken: undecodable, eventFormat: byPackageId() }, "400 INVALID_FIELD"],
    [path, { activeAtOffset: -1, streamContinuationToken: "", eventFormat: good() }, "400 INVALID_CONTINUATION_TOKEN"],
    [path, { activeAtOffset: -1, eventFormat: unknownName() }, "400 NEGATIVE_OFFSET"],
    [path, { activeAtOffset: 999, eventFormat: unknownName() }, "404 PACKAGE_NAMES_NOT_FOUND"],
    [path, { activeAtOffset: 999, eventFormat: good() }, "400 OFFSET_AFTER_LEDGER_END"],
  ]);
});

test("lists: that nothing comes for no time, before all else", () =>
  areRefused(
    (
      [
        ["/v2/updates", { beginExclusive: -1, updateFormat: transactions(good()) }],
        ["/v2/commands/completions", { userId: "u", parties: [party], beginExclusive: -1 }],
        ["/v2/state/active-contracts", { activeAtOffset: -1, eventFormat: good() }],
      ] as const
    ).flatMap(([path, body]): readonly Case[] => [
      [path, body, "400 NEGATIVE_OFFSET"],
      [`${path}?stream_idle_timeout_ms=0`, body, "400 INVALID_ARGUMENT"],
      [`${path}?stream_idle_timeout_ms=-1&limit=0`, body, "400 INVALID_ARGUMENT"],
    ]),
  ));

test("a page of active contracts: the format, the size, the token, the offset", () => {
  const path = "/v2/state/active-contracts-page";
  return areRefused([
    [path, { maxPageSize: 0, eventFormat: byPackageId() }, "400 INVALID_FIELD"],
    [path, { maxPageSize: 0, pageToken: "", eventFormat: good() }, "400 INVALID_ARGUMENT"],
    [path, { pageToken: "", activeAtOffset: -1, eventFormat: good() }, "400 INVALID_ACS_PAGE_TOKEN"],
  ]);
});

test("completions: the user, the parties' form, the offset, that there are parties", () => {
  const path = "/v2/commands/completions";
  return areRefused([
    [path, { userId: "no user", parties: [] }, "400 INVALID_FIELD"],
    [path, { userId: "u", parties: [], beginExclusive: -1 }, "400 NEGATIVE_OFFSET"],
    [path, { userId: "u", parties: [], beginExclusive: 999 }, "400 OFFSET_AFTER_LEDGER_END"],
    [path, { userId: "u", parties: [] }, "400 MISSING_FIELD"],
  ]);
});

test("a token of no bytes is one of no request", () =>
  areRefused([["/v2/updates/get-updates-page", { pageToken: "", updateFormat: transactions(good()) }, "400 INVALID_UPDATES_PAGE_TOKEN"]]));

test("preferred packages: the name of the package, then who is to have it", async () => {
  const path = "/v2/interactive-submission/preferred-packages";
  const asked = (...packageVettingRequirements: readonly Json[]): Json => ({ packageVettingRequirements });
  await areRefused([
    [path, asked({ packageName: "", parties: [] }), "400 MISSING_FIELD"],
    [path, asked({ packageName: "no name", parties: [] }), "400 INVALID_FIELD"],
    [path, asked({ packageName: "nope", parties: ["no party!"] }), "400 INVALID_ARGUMENT"],
    [path, asked({ packageName: "nope", parties: [party] }, { packageName: "nope", parties: [party] }), "404 PACKAGE_NAMES_NOT_FOUND"],
  ]);
  const reply = await node.world.client.post(path, asked({ packageName: "", parties: [] }));
  assert.equal(reply.json().context.field_name, "package_name/packageName");
});

test("what stands in a path or a query is looked at before anything is looked up", async () => {
  await areRefusedByPath(
    ["/v2/packages/no!id/status", "400 INVALID_ARGUMENT"],
    ["/v2/parties?identity-provider-id=no!id", "400 INVALID_TOKEN"],
    ["/v2/parties?pageSize=-1&pageToken=no&identity-provider-id=no!id", "400 INVALID_TOKEN"],
    [`/v2/parties/${party}?identity-provider-id=no!id`, "400 INVALID_TOKEN"],
    ["/v2/users/participant_admin?identity-provider-id=no!id", "400 INVALID_TOKEN"],
    ["/v2/idps/no!id", "400 INVALID_FIELD"],
    ["/v2/state/connected-synchronizers?party=no!id", "400 INVALID_FIELD"],
    ["/v2/state/connected-synchronizers?participantId=nobody", "400 INVALID_FIELD"],
    ["/v2/interactive-submission/preferred-package-version?package-name=a&vetting_valid_at=tomorrow", "400"],
  );
  const { connectedSynchronizers } = await node.ask("GET", "/v2/state/connected-synchronizers?participantId=a%20b::zz");
  assert.equal(connectedSynchronizers.length, 1, "an id of another form than this node's is one, too");
});

test("users: the form of ids and rights before who asks and what there is", () => {
  const nobody = (rights: readonly Json[]): Json => ({ userId: "no id", rights });
  const path = "/v2/users/no%20id";
  const unknown: Json = { kind: { CanActAs: { value: { party: "no party!" } } } };
  return areRefused(
    [
      [`${path}/rights`, nobody([unknown]), "400 INVALID_FIELD"],
      [`${path}/identity-provider-id`, { userId: "no id", sourceIdentityProviderId: "nope" }, "400 INVALID_FIELD"],
      [
        "/v2/users/u/identity-provider-id",
        { userId: "u", sourceIdentityProviderId: "nope", targetIdentityProviderId: "no!" },
        "400 INVALID_FIELD",
      ],
    ],
    "PATCH",
  );
});

test("rights: of several kinds in one the first by name counts", async () => {
  const admin: Json = { ParticipantAdmin: { value: {} } },
    created = async (kind: Json): Promise<Json> => {
      const id = node.fresh("user");
      await node.ask("POST", "/v2/users", { user: { id }, rights: [{ kind }] });
      return (await node.ask("GET", `/v2/users/${id}/rights`)).rights;
    };
  await areRefused([
    ["/v2/users", { user: { id: node.fresh("user") }, rights: [{ kind: { ...admin, Empty: {} } }] }, "400 INVALID_ARGUMENT"],
  ]);
  assert.deepEqual(await created({ ...admin, IdentityProviderAdmin: { value: {} } }), [{ kind: { IdentityProviderAdmin: { value: {} } } }]);
  assert.deepEqual(await created({ CanReadAs: { value: { party } }, CanExecuteAsAnyParty: { value: {} } }), [
    { kind: { CanExecuteAsAnyParty: { value: {} } } },
  ]);
});

test("annotations of parties may have the keys that those of users may have", async () => {
  const { localMetadata } = await node.party({ localMetadata: { annotations: { "Example.com/Name_1": "v" } } });
  assert.deepEqual(localMetadata.annotations, { "Example.com/Name_1": "v" });
});

test("a party of one identity provider cannot be allocated again for another", async () => {
  const identityProviderId = await node.provider(),
    body = { partyIdHint: node.fresh("shared"), identityProviderId };
  await node.ask("POST", "/v2/parties", body);
  await areRefused([
    ["/v2/parties", body, "400 INVALID_ARGUMENT"],
    ["/v2/parties", { ...body, identityProviderId: "" }, "403 NA"],
  ]);
});

test("commands: hints come last", async () => {
  const path = "/v2/commands/submit-and-wait",
    commands = { commands: [], commandId: "c", userId: "u", actAs: [party] };
  await areRefused([
    [path, { ...commands, commandId: "é", tapsMaxPasses: 0 }, "400 INVALID_FIELD"],
    [path, { ...commands, tapsMaxPasses: 0 }, "400 MISSING_FIELD"],
  ]);
});

test("identity providers: their ids may be names of hosts", async () => {
  const { identityProviderConfig } = await node.ask("POST", "/v2/idps", {
    identityProviderConfig: {
      identityProviderId: "login.example.com",
      issuer: "https://login.example.com",
      jwksUrl: "https://a.example/k",
    },
  });
  assert.equal(identityProviderConfig.identityProviderId, "login.example.com");
  const body = { user: { id: "user-of-host", identityProviderId: "login.example.com" } };
  assert.equal((await node.ask("POST", "/v2/users", body)).user.identityProviderId, "login.example.com");
});

test("reassignments and external parties: what is wrong with their fields is told with the request's log", async () => {
  for (const [path, body] of [
    [
      "/v2/commands/submit-and-wait-for-reassignment",
      { reassignmentCommands: { userId: "u", commandId: "", submitter: "a", commands: [] } },
    ],
    ["/v2/commands/async/submit-reassignment", { reassignmentCommands: { userId: "u", commandId: "c", submitter: "a/b", commands: [] } }],
    ["/v2/parties/external/allocate", { synchronizer: "", onboardingTransactions: [] }],
    ["/v2/parties/external/generate-topology", { synchronizer: "a::b", partyHint: "p" }],
  ] as const) {
    const { code, context } = (await node.world.client.post(path, body)).json();
    assert.match(context.participant, /^'[a-z]+'$/, `${path}: ${code}`);
  }
});
