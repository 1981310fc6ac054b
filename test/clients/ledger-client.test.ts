/** What a generated client with its retry and polling helpers (core-ledger-client, acs-reader) does on a node without auth. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { testData } from "../support/paths.js";
import { filterOf, interfaceFilter, Session, templateFilter, wildcardFilter, type Json } from "./session.js";

const asset = "#ref-model:M:Asset",
  holding = "#ref-model:M:Holding";

let session: Session,
  alice: string,
  synchronizerId: string,
  number = 0;
before(async () => {
  session = await Session.start([], "no.such.token");
  synchronizerId = await session.synchronizer();
  await session.post(
    `/v2/packages?synchronizerId=${encodeURIComponent(synchronizerId)}&vetAllPackages=true`,
    new Uint8Array(readFileSync(testData("quickstart.dar"))),
  );
  alice = (await session.post("/v2/parties", { partyIdHint: "alice", identityProviderId: "", synchronizerId, userId: "" })).partyDetails
    .party;
});
after(() => session.stop());

const commandsOf = (command: Json, changes: Json = {}): Json => ({
  commands: [command],
  commandId: `command-${++number}`,
  userId: "ledger-user",
  actAs: [alice],
  readAs: [],
  disclosedContracts: [],
  synchronizerId,
  packageIdSelectionPreference: [],
  ...changes,
});
const issue = (): Json => ({
  CreateCommand: { templateId: asset, createArguments: { issuer: alice, owner: alice, name: "gold", amount: "1" } },
});
const issueMany = async (count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => session.post("/v2/commands/submit-and-wait", commandsOf(issue()))));
};

test("clients: the version starts with one that they support, and a token nobody checks does no harm", async () => {
  assert.match((await session.get("/v2/version")).version, /^3\.5/);
});

test("clients: without auth there is no user of the token, told by the words they look for", async () => {
  const { status, body } = await session.call("GET", "/v2/authenticated-user");
  assert.equal(status, 400);
  assert.match(body.cause, /missing a user-id: requests with an empty user-id are only supported if there is an authenticated user/);
});

test("clients: errors are objects with code, cause and category", async () => {
  for (const command of [
    { CreateCommand: { templateId: "#none:M:Asset", createArguments: {} } },
    { ExerciseCommand: { templateId: asset, contractId: "00", choice: "Transfer", choiceArgument: {} } },
  ]) {
    const { body } = await session.call("POST", "/v2/commands/submit-and-wait", commandsOf(command));
    assert.deepEqual(
      ["code", "cause", "errorCategory"].map((key) => typeof body[key]),
      ["string", "string", "number"],
    );
  }
  assert.equal((await session.call("GET", "/v2/users/nobody?identity-provider-id=")).body.code, "USER_NOT_FOUND");
});

test("clients: a right that is granted again is answered with an empty list, not with none", async () => {
  await session.post("/v2/users", {
    user: { identityProviderId: "", id: "ledger-user", isDeactivated: false, primaryParty: alice },
    rights: [{ kind: { ParticipantAdmin: { value: {} } } }],
  });
  const grant = () =>
    session.post("/v2/users/ledger-user/rights", {
      identityProviderId: "",
      userId: "ledger-user",
      rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }, { kind: { CanExecuteAsAnyParty: { value: {} } } }],
    });
  assert.equal((await grant()).newlyGrantedRights.length, 2);
  assert.deepEqual((await grant()).newlyGrantedRights, []);
});

test("clients: an outcome is found in the completions by command id and by submission id, once it is there", async () => {
  const beginExclusive = await session.ledgerEnd();
  const commands = commandsOf(issue(), { submissionId: "submission-1" });
  await session.post("/v2/commands/async/submit", commands);
  const found = await session.post("/v2/commands/completions?limit=1&stream_idle_timeout_ms=15000", {
    userId: "ledger-user",
    parties: [alice],
    beginExclusive,
  });
  const { commandId, submissionId, status, offset } = found[0].completionResponse.Completion.value;
  assert.deepEqual([commandId, submissionId, status.code, offset > beginExclusive], [commands.commandId, "submission-1", 0, true]);
});

test("clients: active contracts by the older form, cut at a limit, and the rest by following updates from the snapshot's offset", async () => {
  await issueMany(30);
  const activeAtOffset = await session.ledgerEnd();
  const all = await session.post("/v2/state/active-contracts?limit=200", {
    filter: filterOf(alice, templateFilter(asset)),
    verbose: false,
    activeAtOffset,
  });
  const some = await session.post("/v2/state/active-contracts?limit=20", {
    filter: filterOf(alice, templateFilter(asset)),
    verbose: false,
    activeAtOffset,
  });
  assert.deepEqual([all.length >= 30, some.length], [true, 20]);
  await issueMany(5);
  const eventFormat = { verbose: false, ...filterOf(alice, templateFilter(asset)) };
  const updates = await session.post("/v2/updates?limit=100&stream_idle_timeout_ms=1000", {
    beginExclusive: activeAtOffset,
    endInclusive: await session.ledgerEnd(),
    verbose: false, // beside the newer form
    updateFormat: { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } },
  });
  assert.deepEqual(
    updates.map(({ update }: Json) => Object.keys(update.Transaction.value.events[0])[0]),
    Array(5).fill("CreatedEvent"),
  );
});

test("clients: a history longer than a list is read by going on at the last offset", async () => {
  await issueMany(30);
  const end = await session.ledgerEnd(),
    offsets: number[] = [];
  for (let at = 0; at < end;) {
    const page = await session.post("/v2/updates?limit=20", {
      beginExclusive: at,
      endInclusive: end,
      verbose: false,
      filter: filterOf(alice, templateFilter(asset)),
    });
    if (page.length === 0) break;
    offsets.push(...page.map(({ update }: Json) => update.Transaction.value.offset));
    at = offsets.at(-1)!;
  }
  assert.equal(new Set(offsets).size, offsets.length);
  assert.deepEqual(
    offsets,
    [...offsets].sort((a, b) => a - b),
  );
  const active = await session.post("/v2/state/active-contracts", {
    filter: filterOf(alice, templateFilter(asset)),
    verbose: false,
    activeAtOffset: end,
  });
  assert.equal(offsets.length, active.length);
});

test("clients: holdings are listed by interface with their view first, and told apart by module and entity", async () => {
  const listed = await session.post("/v2/state/active-contracts", {
    filter: filterOf(alice, interfaceFilter(holding)),
    verbose: false,
    activeAtOffset: await session.ledgerEnd(),
  });
  const { createdEvent } = listed[0].contractEntry.JsActiveContract;
  const [view] = createdEvent.interfaceViews;
  assert.match(view.interfaceId, /:M:Holding$/);
  assert.deepEqual([view.viewStatus.code, typeof view.viewValue, createdEvent.createdEventBlob.length > 0], [0, "object", true]);
});

test("clients: history of holdings: flats in ledger effects with the older verbose beside, then both events of an archived one", async () => {
  const created = (await session.post("/v2/commands/submit-and-wait-for-transaction", { commands: commandsOf(issue()) })).transaction;
  const { contractId, offset } = created.events[0].CreatedEvent;
  await session.post(
    "/v2/commands/submit-and-wait",
    commandsOf({ ExerciseCommand: { templateId: asset, contractId, choice: "Archive", choiceArgument: {} } }),
  );
  const eventFormat = {
    filtersByParty: { [alice]: { cumulative: [{ identifierFilter: interfaceFilter(holding) }, { identifierFilter: wildcardFilter }] } },
    verbose: false,
  };
  const { participantPrunedUpToInclusive } = await session.get("/v2/state/latest-pruned-offsets");
  assert.equal(participantPrunedUpToInclusive, 0);
  const flats = await session.post("/v2/updates/flats", {
    beginExclusive: offset - 1,
    endInclusive: await session.ledgerEnd(),
    verbose: false,
    updateFormat: { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" } },
  });
  const archive = flats[1].update.Transaction.value.events[0].ExercisedEvent;
  assert.deepEqual([archive.contractId, archive.consuming, archive.nodeId, archive.lastDescendantNodeId], [contractId, true, 0, 0]);
  const events = await session.post("/v2/events/events-by-contract-id", {
    contractId,
    eventFormat: { ...filterOf(alice), verbose: false },
  });
  assert.deepEqual([events.created.createdEvent.contractId, events.archived.archivedEvent.contractId], [contractId, contractId]);
  const byId = await session.post("/v2/updates/transaction-by-id", {
    updateId: created.updateId,
    transactionFormat: { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" },
  });
  assert.equal(byId.transaction.events[0].CreatedEvent.contractId, contractId);
});

test("clients: a page of active contracts that is asked for with GET and no body is refused, not answered with all", async () => {
  assert.equal((await session.call("GET", "/v2/state/active-contracts-page")).status, 400);
});
