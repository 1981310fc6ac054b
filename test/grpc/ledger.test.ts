/** The Ledger API of a node over gRPC, beside its JSON API. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { test, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import inProcess from "../../src/packaging/in-process.js";
import type { LedgerlineOptions } from "../../src/packaging/public.cjs";
import { good, hs256 } from "../auth/tokens.js";
import { completeDar } from "../support/lf-builder.js";
import { testData } from "../support/paths.js";
import { failureOf, ledgerMethod, ReflectedClient } from "./reflected-client.js";
import { readStatus } from "./rpc-status.js";

const submit = ledgerMethod("CommandService", "SubmitAndWaitForTransaction"),
  model = completeDar(readFileSync(testData("canton/model1.dar")));

type Ledger = Awaited<ReturnType<typeof inProcess.startLedgerline>>;

async function start(
  t: TestContext,
  flags: NonNullable<LedgerlineOptions["flags"]> = {},
): Promise<{ ledger: Ledger; client: ReflectedClient }> {
  const ledger = await inProcess.startLedgerline({ flags: { "grpc-port": ["0"], ...flags } });
  t.after(() => ledger.stop());
  const client = await ReflectedClient.connect(ledger.grpcPort!);
  t.after(() => client.close());
  return { ledger, client };
}

const json = async (ledger: Ledger, path: string, body?: object): Promise<any> =>
  (
    await fetch(
      `${ledger.url}${path}`,
      body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    )
  ).json();

const asset = { packageId: "#ref-model", moduleName: "M", entityName: "Asset" };
const text = (of: string) => ({ text: of }),
  party = (of: string) => ({ party: of }),
  int64 = (of: number) => ({ int64: of });

const createAsset = (owner: string, name: string) => ({
  create: {
    templateId: asset,
    createArguments: {
      fields: [
        { label: "issuer", value: party(owner) },
        { label: "owner", value: party(owner) },
        { label: "name", value: text(name) },
        { label: "amount", value: int64(5) },
      ],
    },
  },
});

const commands = (actAs: string, commandId: string, command: object) => ({
  commands: { userId: "user", commandId, actAs: [actAs], commands: [command] },
});

const format = (reader: string, isVerbose: boolean) => ({
  eventFormat: { filtersByParty: { [reader]: {} }, verbose: isVerbose },
  transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
});

test("gRPC: what is done over gRPC is what JSON tells of it, and the other way round", async (t) => {
  const { ledger, client } = await start(t);
  await client.call(ledgerMethod("admin.PackageManagementService", "UploadDarFile"), { darFile: model });
  const { partyDetails } = await client.call(ledgerMethod("admin.PartyManagementService", "AllocateParty"), { partyIdHint: "alice" }),
    alice = partyDetails.party as string;

  const created = await client.call(submit, { ...commands(alice, "one", createAsset(alice, "a")), transactionFormat: format(alice, true) }),
    { offset } = created.transaction,
    [{ created: event }] = created.transaction.events;
  assert.equal(event.templateId.entityName, "Asset");
  assert.deepEqual(
    event.createArguments.fields.map(({ label, value }: any) => [label, Object.entries(value)[0]]),
    [
      ["issuer", ["party", alice]],
      ["owner", ["party", alice]],
      ["name", ["text", "a"]],
      ["amount", ["int64", "5"]],
    ],
  );
  assert.equal(event.createArguments.recordId.entityName, "Asset");

  const filter = { filtersByParty: { [alice]: {} }, verbose: true };
  const [active] = await json(ledger, "/v2/state/active-contracts", { activeAtOffset: Number(offset), eventFormat: filter }),
    { createdEvent } = active.contractEntry.JsActiveContract;
  assert.equal(createdEvent.contractId, event.contractId);
  assert.deepEqual(createdEvent.createArgument, { issuer: alice, owner: alice, name: "a", amount: "5" });

  const exercise = {
      templateId: asset,
      contractId: event.contractId,
      choice: "Split",
      choiceArgument: { record: { fields: [{ value: int64(2) }] } },
    },
    split = await client.call(submit, { ...commands(alice, "two", { exercise }), transactionFormat: format(alice, false) }),
    [{ exercised }, ...parts] = split.transaction.events;
  assert.deepEqual(
    exercised.choiceArgument,
    { record: { fields: [{ value: { int64: "2" } }] } },
    "without labels and ids where they are not asked for",
  );
  assert.deepEqual(
    exercised.exerciseResult.record.fields.map(({ value }: any) => value.contractId),
    parts.map((part: any) => part.created.contractId),
  );

  const createByJson = { templateId: "#ref-model:M:Asset", createArguments: { issuer: alice, owner: alice, name: "j", amount: "1" } };
  await json(ledger, "/v2/commands/submit-and-wait", {
    commands: [{ CreateCommand: createByJson }],
    userId: "user",
    commandId: "three",
    actAs: [alice],
  });
  const { offset: end } = await client.call(ledgerMethod("StateService", "GetLedgerEnd"));
  const updates = await client.stream(ledgerMethod("UpdateService", "GetUpdates"), {
    endInclusive: end,
    updateFormat: { includeTransactions: format(alice, false) },
  });
  assert.deepEqual(
    updates.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction.commandId])),
    ["one", "two", "three"],
  );
  const actives = await client.stream(ledgerMethod("StateService", "GetActiveContracts"), { activeAtOffset: end, eventFormat: filter });
  assert.equal(actives.length, 3);
  const completions = await client.stream(
    ledgerMethod("CommandCompletionService", "CompletionStream"),
    { userId: "user", parties: [alice] },
    { enough: 3 },
  );
  assert.deepEqual(completions.map(({ completion }) => completion?.commandId).filter(Boolean), ["one", "two", "three"]);
});

test("gRPC: errors have Canton's codes, texts and details", async (t) => {
  const { ledger, client } = await start(t);
  await ledger.uploadDar(model);
  const alice = await ledger.allocateParty("alice");
  const exercise = { templateId: asset, contractId: `00${"ab".repeat(33)}`, choice: "GetAmount", choiceArgument: { record: {} } },
    notFound = await failureOf(client.call(submit, commands(alice, "one", { exercise })));
  assert.equal(notFound.code, 5);
  assert.match(notFound.details, /^CONTRACT_NOT_FOUND\(11,[0-9a-z-]{8}\): /);
  const details = readStatus(notFound.metadata.get("grpc-status-details-bin")[0] as Buffer);
  assert.deepEqual(
    details.details.map(([type]) => type),
    ["ErrorInfo", "RequestInfo", "ResourceInfo"],
  );
  for (const [command, code, message] of [
    [{ exercise: { ...exercise, choice: "Nope" } }, 3, /unknown choice Nope/],
    [{ exercise: { ...exercise, templateId: { ...asset, entityName: "Nope" } } }, 3, /unknown template or interface .*:M:Nope/],
    [{ exercise: { ...exercise, choiceArgument: int64(1) } }, 3, /mismatching type: M:GetAmount and value: .*int64/],
    [{ exercise: { ...exercise, choiceArgument: undefined } }, 3, /MISSING_FIELD\(8,.*: value/],
    [{}, 3, /MISSING_FIELD\(8,.*: command/],
    [
      { create: { templateId: { ...asset, packageId: "ab".repeat(32) }, createArguments: {} } },
      5,
      /PACKAGE_NOT_FOUND\(11,.*while looking for template/,
    ],
  ] as const) {
    const failure = await failureOf(client.call(submit, commands(alice, "two", command)));
    assert.equal(failure.code, code, failure.details);
    assert.match(failure.details, message);
  }
});

test("gRPC: a message without a DAR is as long as a JSON body may be, and a long value is typed like a short one", async (t) => {
  const { ledger, client } = await start(t);
  await ledger.uploadDar(model);
  const alice = await ledger.allocateParty("alice");
  const named = (bytes: number) => client.call(submit, commands(alice, `name-${bytes}`, createAsset(alice, "x".repeat(bytes))));
  const { transaction } = await named(1_000_000);
  assert.equal(transaction.events[0].created.createArguments.fields[2].value.text.length, 1_000_000);
  assert.equal((await failureOf(named(limits.bodyBytesMax))).code, 8);
  const wrong = { ...createAsset(alice, "x".repeat(100_000)).create, createArguments: { fields: [{ value: text("x".repeat(100_000)) }] } };
  assert.match(
    (await failureOf(client.call(submit, commands(alice, "wrong", { create: wrong })))).details,
    /^COMMAND_PREPROCESSING_FAILED/,
  );
});

test("gRPC: of a transaction that is told over several turns nothing is missing", async (t) => {
  const { ledger, client } = await start(t);
  await ledger.uploadDar(model);
  const alice = await ledger.allocateParty("alice"),
    names = Array.from({ length: 300 }, (_, at) => `${at}-${"x".repeat(500)}`),
    creates = { userId: "user", commandId: "many", actAs: [alice], commands: names.map((name) => createAsset(alice, name)) },
    { transaction } = await client.call(submit, { commands: creates, transactionFormat: format(alice, true) }),
    update = { updateFormat: { includeTransactions: format(alice, true) } };
  const namesIn = ({ events }: any): string[] => events.map(({ created }: any) => created.createArguments.fields[2].value.text);
  assert.deepEqual(namesIn(transaction), names);
  const [streamed] = await client.stream(ledgerMethod("UpdateService", "GetUpdates"), {
    ...update,
    beginExclusive: transaction.offset - 1,
    endInclusive: transaction.offset,
  });
  assert.deepEqual(streamed.transaction.events, transaction.events);
});

test("gRPC: tokens are asked for as by the JSON API", async (t) => {
  const { client } = await start(t, { auth: ["hs256:secret"] });
  const refused = await failureOf(client.call(ledgerMethod("StateService", "GetLedgerEnd")));
  assert.equal(refused.code, 16);
  assert.match(refused.details, /^An error occurred\. Please contact the operator and inquire about the request/);
  const token = hs256(good("participant_admin"), "secret");
  assert.equal((await client.call(ledgerMethod("admin.UserManagementService", "GetUser"), {}, { token })).user.id, "participant_admin");
  await assert.rejects(client.stream(ledgerMethod("CommandCompletionService", "CompletionStream"), { userId: "user", parties: ["a"] }), {
    code: 16,
  });
});

test("gRPC: each method that is told of answers, and to an empty request nothing that a client could not read", async (t) => {
  const { client } = await start(t);
  const missing: string[] = [];
  assert.ok(client.methods.length > 50);
  for (const method of client.methods.filter((each) => !each.startsWith("grpc."))) {
    const answered = client.isStream(method) ? client.stream(method, {}, { enough: 1 }) : client.call(method),
      failure = await answered.then(
        () => undefined,
        (error: { code: number; details: string }) => error,
      );
    if (failure?.code === 12) missing.push(method.split("/")[1]!);
    else assert.ok(failure === undefined || ![2, 13].includes(failure.code), `${method}: ${failure?.details}`);
  }
  assert.deepEqual(missing, ["GetCommandStatus"]);
  const { features } = await client.call(ledgerMethod("VersionService", "GetLedgerApiVersion"));
  assert.deepEqual(features.experimental.commandInspectionService, {}, "which the version tells as well: it is not supported");
});

test("gRPC: time is told and set where it stands still; elsewhere nobody knows of such a service", async (t) => {
  const getTime = ledgerMethod("testing.TimeService", "GetTime"),
    { client } = await start(t, { "static-time": true });
  assert.ok((await client.call(getTime)).currentTime);
  const { client: other } = await start(t);
  assert.ok(client.services.includes("com.daml.ledger.api.v2.testing.TimeService"));
  assert.ok(!other.services.includes("com.daml.ledger.api.v2.testing.TimeService"));
});

test("gRPC: what Canton's health is made of has a health here", async (t) => {
  const { client } = await start(t);
  for (const service of ["", "index", "indexer", "write"])
    assert.equal((await client.call("grpc.health.v1.Health/Check", { service })).status, "SERVING", service);
});

test("gRPC: of whoever has no good token no message is taken; of the version anybody may ask", async (t) => {
  const { ledger, client } = await start(t, { auth: ["hs256:secret"] }),
    session = connect(`http://127.0.0.1:${ledger.grpcPort}`);
  t.after(() => session.destroy());
  for (const token of [undefined, hs256({ ...good, sub: "nobody" }, "another secret")]) {
    const call = session.request({
      ":method": "POST",
      ":path": `/${ledgerMethod("admin.PackageManagementService", "UploadDarFile")}`,
      "content-type": "application/grpc",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    call.write(Buffer.from([0, 3, 0, 0, 0, 1])); // the first byte of many
    const head = await new Promise<Readonly<Record<string, unknown>>>((resolve) => call.once("response", resolve));
    assert.equal(head["grpc-status"], "16");
    call.on("error", () => undefined).close();
  }
  assert.ok((await client.call(ledgerMethod("VersionService", "GetLedgerApiVersion"))).version);
});

test("gRPC: streams end when the node stops, with a code that says so", async (t) => {
  const { ledger, client } = await start(t);
  const alice = await ledger.allocateParty("alice"),
    format_ = { includeTransactions: format(alice, false) };
  const streaming = failureOf(client.stream(ledgerMethod("UpdateService", "GetUpdates"), { beginExclusive: 1, updateFormat: format_ }));
  assert.deepEqual((await client.call("grpc.health.v1.Health/Check")).status, "SERVING");
  await ledger.stop();
  assert.equal((await streaming).code, 14);
});

test("gRPC: each participant has a port of its own for it, where it is asked for", async (t) => {
  const { ledger } = await start(t, { participant: ["south=0", "north=0"], "grpc-port": ["0", "south=0"] });
  const [south, north] = ledger.otherParticipants;
  assert.equal(north!.grpcPort, undefined);
  const client = await ReflectedClient.connect(south!.grpcPort!);
  t.after(() => client.close());
  const { participantId } = await client.call(ledgerMethod("admin.PartyManagementService", "GetParticipantId"));
  assert.equal(participantId, south!.participantId);
});

test("gRPC: a port that is taken is told by the flag that gives another", async (t) => {
  const { ledger } = await start(t);
  await assert.rejects(inProcess.startLedgerline({ flags: { "grpc-port": [String(ledger.grpcPort)] } }), /the port is in use.*--grpc-port/);
});
