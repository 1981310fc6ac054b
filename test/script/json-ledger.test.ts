import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ContractId, none, Some, unit, type Value, Variant } from "../../src/lf/running-code.js";
import { JsonLedger } from "../../src/script/node/json-ledger.js";
import { list, templateRep, tuple } from "../../src/script/values.js";
import { buildDar, completeDar } from "../support/lf-builder.js";
import { type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import {
  askOn,
  create,
  createAndExercise,
  createdBy,
  elements,
  errorOf,
  exact,
  exercise,
  exerciseByKey,
  keyedId,
  libraryOf,
  model,
  older,
  parts,
  resultsOf,
  scriptSubject,
  stopOf,
  submit,
  type Ask,
} from "./harness.js";
import { holdingApi } from "./model.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("json-ledger");
const inFolder = (name: string): string => join(folder, name);
let node: NodeProcess;

before(async () => {
  writeFileSync(inFolder("older.dar"), buildDar(older.archive, [holdingApi.archive]));
  writeFileSync(inFolder("model.dar"), buildDar(model.archive, [holdingApi.archive]));
  writeFileSync(inFolder("keys.dar"), completeDar(readFileSync(testData("engine", "dars", "keys-2.3.dar"))));
  node = await startNodeProcess([
    "--memory",
    "--static-time",
    "--dar",
    inFolder("older.dar"),
    "--dar",
    inFolder("model.dar"),
    "--dar",
    inFolder("keys.dar"),
  ]);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await (node as NodeProcess | undefined)?.stop();
});

const url = (): string => `http://127.0.0.1:${node.port}`;
const onNode = (staticTime = true): Ask =>
  askOn((packages) => new JsonLedger({ packages, participant: { url: url(), token: undefined, userId: "daml-script" }, staticTime }));

/** Asks what most scripts ask, and tells the answers; ids and parties by their order. */
async function story(ask: Ask): Promise<readonly unknown[]> {
  const names = new Map<string, string>();
  const plain = (value: unknown): unknown => {
    if (value instanceof ContractId) return plain(`id ${value.hex}`);
    if (typeof value === "string" && (value.startsWith("id ") || /^(alice|bob)/.test(value)))
      return names.get(value) ?? (names.set(value, `${value.slice(0, 2)}${names.size}`), names.get(value));
    if (value instanceof Variant) return [value.constructor_, plain(value.value)];
    if (value instanceof Some) return ["Some", plain(value.value)];
    if (value === none) return "None";
    if (Array.isArray(value)) return value.map(plain);
    return typeof value === "object" ? (value as object).constructor.name : typeof value === "bigint" ? Number(value) : value;
  };
  const told: unknown[] = [],
    tell = (...answers: readonly unknown[]): void => {
      told.push(...answers.map(plain));
    };
  const Iou = model.id("Iou"),
    Acc = keyedId("Acc");
  const [alice, bob] = [await ask("AllocateParty", ["", "alice", none]), await ask("AllocateParty", ["", "bob", list([])], 2)] as [
    string,
    string,
  ];

  const made = await submit(ask, {
    actAs: [alice],
    commands: [create(Iou, alice, bob, 7, new Some("a note")), createAndExercise(Iou, [alice, alice, 1, none], "Look")],
  });
  tell(resultsOf(made));
  const first = createdBy(made),
    contractId = new ContractId(first);
  tell(
    elements(await ask("QueryACS", [list([bob]), templateRep(Iou)])).map((pair) => [
      parts(pair)[0],
      (parts(parts(pair)[1]!)[0] as unknown as { value: Value }).value,
    ]),
  );
  tell(
    elements(await ask("QueryInterface", [list([bob]), templateRep(holdingApi.id("Holding"))])),
    await ask("QueryInterfaceContractId", [list([bob]), templateRep(holdingApi.id("Holding")), contractId]),
  );
  const transferred = await submit(ask, { actAs: [bob], commands: [exercise(Iou, "Transfer", first, alice)], readAs: [alice] });
  tell(transferred.constructor_);
  const tree = parts(parts(transferred.value)[1]!);
  tell(
    elements(tree[0]!).map((event) => [
      (event as Variant).constructor_,
      elements(parts((event as Variant).value)[3]!).map((child) => (child as Variant).constructor_),
    ]),
  );
  tell(await ask("QueryContractId", [list([bob]), templateRep(Iou), contractId]));

  // What is refused, by constructor
  const kind = async (command: Value): Promise<string> => errorOf(await submit(ask, { actAs: [alice], commands: [command] })).constructor_;
  tell(
    await kind(exercise(Iou, "Spend", first)),
    await kind(create(Iou, alice, bob, 0, none)),
    await kind(create(Iou, bob, alice, 1, none)),
  );
  const [mine] = resultsOf(await submit(ask, { actAs: [alice], commands: [create(Iou, alice, alice, 1, none)] })) as ContractId[];
  tell(
    await kind(exercise(Iou, "Abort", mine!.hex, "enough")),
    await kind(exercise(Iou, "Compare", mine!.hex)),
    await kind(exercise(Iou, "Hash", mine!.hex, "xyz")),
    await kind(exercise(model.id("Plain"), "Poke", mine!.hex)),
  );
  const noted = createdBy(await submit(ask, { actAs: [alice], commands: [create(Iou, alice, alice, 1, new Some("a note"))] }));
  tell(await kind(exact(exercise(older.id("Iou"), "Spend", noted))));

  // Keys
  const account = createdBy(await submit(ask, { actAs: [alice], commands: [create(Acc, alice, 1, "note", list([]))] }));
  const found = (await ask("QueryByKey", [list([alice]), templateRep(Acc), tuple(tuple(alice, 1), templateRep(Acc))], 2)) as Some;
  tell((parts(found.value)[0] as ContractId).hex === account, await kind(exerciseByKey(Acc, "Rename", tuple(alice, 2), "new")));
  tell((await submit(ask, { actAs: [alice], commands: [exerciseByKey(Acc, "Rename", tuple(alice, 1), "new")] })).constructor_);

  // Disclosure
  const [, rep, blob] = parts(((await ask("QueryContractId", [list([alice]), templateRep(Iou), mine!])) as Some).value);
  const bobs = createdBy(await submit(ask, { actAs: [bob], commands: [create(Iou, bob, bob, 1, none)] }));
  const looks = { actAs: [bob], commands: [exercise(Iou, "Read", bobs, mine!)] };
  tell((await submit(ask, looks)).constructor_, (await submit(ask, { ...looks, disclosures: [tuple(rep!, mine!, blob!)] })).constructor_);

  // Time, users, packages
  await ask("SetTime", [5_000_000n]);
  tell(await ask("GetTime", []));
  const right = (name: string, payload: Value = unit): Value => libraryOf(scriptSubject().packages).variant("UserRight", name, payload)!;
  const userId = tuple("u1"),
    user = tuple(userId, new Some(alice)),
    none_ = none;
  tell(
    await ask("CreateUser", [user, list([right("CanActAs", alice)]), none_]),
    await ask("CreateUser", [user, list([]), none_]),
    await ask("GetUser", [userId, none_]),
    await ask("GetUser", [tuple("u2"), none_]),
  );
  tell(
    elements(((await ask("GrantUserRights", [userId, list([right("CanActAs", alice), right("ParticipantAdmin")]), none_])) as Some).value),
  );
  tell(
    elements(((await ask("RevokeUserRights", [userId, list([right("CanActAs", alice)]), none_])) as Some).value),
    elements(((await ask("ListUserRights", [userId, none_])) as Some).value),
  );
  tell(
    await ask("ListUserRights", [tuple("u2"), none_]),
    await ask("DeleteUser", [userId, none_]),
    await ask("DeleteUser", [userId, none_]),
  );
  const second = list([tuple("model", "2.0.0")]);
  await ask("UnvetPackages", [second, none_]);
  tell(resultsOf(await submit(ask, { actAs: [alice], commands: [create(older.id("Plain"), alice)] })).length);
  await ask("VetPackages", [second, none_]);
  return told;
}

test("json ledger: a node answers as the ledger in memory does", async () => {
  const [inMemory, overJson] = [await story(scriptSubject().ask), await story(onNode())];
  assert.deepEqual(overJson, inMemory);
});

test("json ledger: what a node cannot do is refused with a word about which ledger can", async () => {
  const refused = async (asked: Promise<Value>): Promise<string> => {
    const stopped = await stopOf(asked);
    assert.ok(stopped.kind === "question" && stopped.refused === true);
    return stopped.message;
  };
  assert.match(
    await refused(onNode(false)("SetTime", [0n])),
    /not supported in wall-clock mode; a node with --static-time can .*, and so can the ledger in memory/,
  );
  assert.match(
    await refused(onNode()("AllocateParty", ["", "x", list(["p1", "p2"])], 2)),
    /several participants cannot be allocated over the JSON API; the ledger in memory/,
  );
});

test("json ledger: a node's time goes forward only", async () => {
  const ask = onNode();
  await ask("SetTime", [10_000_000n]);
  const stopped = await stopOf(ask("SetTime", [1_000_000n]));
  assert.match(
    (stopped as { message: string }).message,
    /the ledger's time cannot go back from 1970-01-01T00:00:10Z to 1970-01-01T00:00:01Z/,
  );
});

/** A node that answers as the test says; tells what it was asked. */
async function standIn(
  answer: (path: string) => readonly [status: number, json: unknown],
): Promise<{ readonly ask: Ask; readonly asked: readonly { readonly path: string; readonly body: string }[] }> {
  const asked: { readonly path: string; readonly body: string }[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      asked.push({ path: request.url!, body });
      const [status, json] = answer(request.url!);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const participant = { url: at, token: undefined, userId: "u" };
  return {
    ask: askOn((packages) => new JsonLedger({ packages, participant, staticTime: false })),
    asked,
  };
}

test("json ledger: a party is there once a synchronizer knows it, for which a script waits a second", async () => {
  let until = 3;
  const { ask, asked } = await standIn((path) => [
    200,
    path === "/v2/parties"
      ? { partyDetails: { party: "alice::1220", isLocal: true } }
      : { connectedSynchronizers: --until > 0 ? [] : [{ synchronizerId: "s::1220" }] },
  ]);
  assert.equal(await ask("AllocateParty", ["", "alice", none]), "alice::1220");
  assert.deepEqual(asked.map(({ path }) => path).slice(1), Array(3).fill("/v2/state/connected-synchronizers?party=alice%3A%3A1220"));
  until = Infinity;
  const stopped = await stopOf(ask("AllocateParty", ["", "alice", none]));
  assert.match((stopped as { message: string }).message, /^No synchronizer knows party alice::1220/);
});

test("json ledger: a submission sees what those who act see, and leaves it to the node where disclosed contracts are", async () => {
  const newer = "ab".repeat(32);
  const created = {
    contractId: "00cd",
    templateId: `${newer}:Main:Plain`,
    packageName: "model",
    createArgument: { owner: "alice" },
    createdEventBlob: "AAAA",
  };
  const { ask, asked } = await standIn((path) =>
    path.startsWith("/v2/events") ? [200, { created: { createdEvent: created } }] : [400, { code: "NO", cause: "no" }],
  );
  const found = await ask("QueryContractId", [list(["alice"]), templateRep(model.id("Plain")), new ContractId("00cd")]);
  const [, rep, blob] = parts((found as Some).value);
  await submit(ask, {
    actAs: ["alice"],
    readAs: ["bob"],
    commands: [create(model.id("Plain"), "alice")],
    disclosures: [tuple(rep!, new ContractId("00cd"), blob!)],
  });
  const { commands, transactionFormat } = JSON.parse(asked.at(-1)!.body);
  assert.deepEqual(commands.disclosedContracts, [
    { templateId: created.templateId, contractId: "00cd", createdEventBlob: "AAAA", synchronizerId: "" },
  ]);
  assert.deepEqual([commands.readAs, Object.keys(transactionFormat.eventFormat.filtersByParty)], [["bob"], ["alice"]]);
});

test("json ledger: a contract that is disclosed by another version of its template is used by it", async () => {
  const ask = onNode(),
    Iou = model.id("Iou");
  const [alice, bob] = [await ask("AllocateParty", ["alice", "", none]), await ask("AllocateParty", ["bob", "", none])] as [string, string];
  const made = exact(create(older.id("Iou"), alice, alice, 7)),
    contractId = createdBy(await submit(ask, { actAs: [alice], commands: [made] }));
  const found = (await ask("QueryContractId", [list([alice]), templateRep(Iou), new ContractId(contractId)])) as Some;
  const [payload, rep, blob] = parts(found.value);
  assert.deepEqual((parts(payload!)[0] as unknown as { value: Value }).value, [alice, alice, 7, none]);
  const disclosures = [tuple(rep!, new ContractId(contractId), blob!)];
  const submitted = await submit(ask, { actAs: [bob], commands: [exercise(Iou, "Glance", contractId, bob)], disclosures });
  assert.equal(submitted.constructor_, "Right");
});

test("json ledger: a node that is not there, or answers with an error, is one sentence", async () => {
  const failing = http.createServer((_, response) => {
    response.writeHead(500).end("broken");
  });
  await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  const message = async (): Promise<string> => {
    const stopped = await stopOf(
      askOn((packages) => new JsonLedger({ packages, participant: { url: at, token: undefined, userId: "u" }, staticTime: false }))(
        "ListKnownParties",
        [none],
      ),
    );
    return stopped.kind === "question" ? stopped.message : stopped.kind;
  };
  assert.equal(await message(), "HTTP_500: broken");
  await new Promise((resolve) => failing.close(resolve));
  assert.equal(await message(), `The node at ${at} does not answer: ECONNREFUSED`);
});
