/** Pruning as an operator does it: over HTTP while readers follow, and on a ledger at rest. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { hs256 } from "../auth/tokens.js";
import { create, eventFormat, exercise, World, type Json } from "./world.js";
import { storyDar, storyTemplate } from "./story-model.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note"),
  data = temporaryFolder();
const command = (...args: string[]) => spawnSync(tested.file, [...tested.args, ...args], { encoding: "utf8", timeout: 120_000 });

let world: World, alice: string;
const contracts: Json[] = [];

before(async () => {
  world = await World.start([storyDar], ["--data", data]);
  alice = await world.party("alice");
  for (let index = 0; index < 12; index++)
    contracts.push(await world.create([alice], note, { owner: alice, reader: alice, text: `note ${index}` }));
  for (let index = 0; index < 6; index++) await world.transact([alice], [exercise(note, contracts[index].contractId, "Discard")]);
});
after(async () => {
  await world.stop();
  rmSync(data, { recursive: true, force: true });
});

const updatesFrom = (beginExclusive: number): Json => ({
  beginExclusive,
  updateFormat: {
    includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat({ parties: [alice] }) },
  },
});

describe("pruning", () => {
  it("a WebSocket that follows the ledger goes on over a pruning; lists and sockets from before it get the code", async () => {
    const tail = await world.open("/v2/updates", updatesFrom(0));
    await tail.until((element) => element.update.Transaction?.value.offset === contracts[11].offset);
    const active = await world.activeContracts({ parties: [alice] });
    const pruneUpTo = contracts[8].offset as number;
    const pruned = await world.client.post("/admin/prune", { pruneUpTo });
    assert.deepEqual([pruned.status, pruned.json()], [200, { participantPrunedUpToInclusive: pruneUpTo }]);
    assert.equal((await world.client.get("/v2/state/latest-pruned-offsets")).json().participantPrunedUpToInclusive, pruneUpTo);
    assert.deepEqual(await world.activeContracts({ parties: [alice] }), active);
    const later = await world.create([alice], note, { owner: alice, reader: alice, text: "later" });
    await tail.until((element) => element.update.Transaction?.value.offset === later.offset);
    await tail.close();

    const requests: readonly (readonly [path: string, request: Json, words?: RegExp])[] = [
      ["/v2/updates", updatesFrom(pruneUpTo - 1), new RegExp(`request from ${pruneUpTo} to \\d+ precedes pruned offset ${pruneUpTo}$`)],
      ["/v2/updates/flats", { beginExclusive: 0, filter: { filtersByParty: { [alice]: {} } }, verbose: true }],
      ["/v2/updates/trees", { beginExclusive: 0, filter: { filtersByParty: { [alice]: {} } }, verbose: true }],
      ["/v2/state/active-contracts", { activeAtOffset: pruneUpTo - 1, eventFormat: eventFormat({ parties: [alice] }) }],
      [
        "/v2/commands/completions",
        { userId: "tester", parties: [alice], beginExclusive: 0 },
        new RegExp(`request from 1 to \\d+ overlaps with pruned offset ${pruneUpTo}$`),
      ],
      ["/v2/commands/command-completions", { parties: [alice], beginExclusive: 0 }],
    ];
    for (const [path, request, words = new RegExp(` pruned offset ${pruneUpTo}$`)] of requests) {
      const listed = await world.client.post(`${path}?stream_idle_timeout_ms=50`, request),
        [framed] = await world.stream(path, request);
      assert.deepEqual(
        [listed.status, listed.json().code, listed.json().context.earliest_offset],
        [400, "PARTICIPANT_PRUNED_DATA_ACCESSED", String(pruneUpTo)],
        path,
      );
      assert.deepEqual([framed.code, framed.context.earliest_offset], ["PARTICIPANT_PRUNED_DATA_ACCESSED", String(pruneUpTo)], path);
      for (const { cause } of [listed.json(), framed]) assert.match(cause, words, path);
    }
  });

  it("a command cannot be held against what is pruned, and is accepted from there on", async () => {
    const { participantPrunedUpToInclusive: pruned } = (await world.client.get("/v2/state/latest-pruned-offsets")).json();
    const from = (value: number) =>
      world.submit([alice], [create(note, { owner: alice, reader: alice, text: "again" })], {
        deduplicationPeriod: { DeduplicationOffset: { value } },
      });
    const refused = await from(pruned - 1);
    assert.deepEqual(
      [refused.status, refused.json().code, refused.json().context.earliest_offset],
      [400, "INVALID_DEDUPLICATION_PERIOD", String(pruned)],
    );
    assert.equal((await from(pruned)).status, 200);
  });

  it("offsets that cannot be pruned have their codes", async () => {
    const end = await world.ledgerEnd();
    for (const [pruneUpTo, code] of [
      [0, "INVALID_ARGUMENT"],
      [-3, "NON_POSITIVE_OFFSET"],
      [end, "OFFSET_OUT_OF_RANGE"],
      [end + 5, "OFFSET_OUT_OF_RANGE"],
    ] as const) {
      const reply = await world.client.post("/admin/prune", { pruneUpTo });
      assert.deepEqual([reply.status, reply.json().code], [400, code]);
    }
    assert.equal((await world.client.post("/admin/prune", {})).status, 400);
  });

  it("the command prunes a ledger at rest, which then is sound and goes on", async () => {
    assert.match(command("prune", "3", "--data", data).stderr, /in use by process/);
    const end = await world.ledgerEnd(),
      active = await world.activeContracts({ parties: [alice] });
    await world.stop();
    const pruned = command("prune", String(end - 1), "--data", data);
    assert.deepEqual([pruned.status, pruned.stdout], [0, `Pruned up to offset ${end - 1}.\n`], pruned.stderr);
    const refused = command("prune", String(end), "--data", data);
    assert.deepEqual([refused.status, /OFFSET_OUT_OF_RANGE/.test(refused.stderr)], [1, true]);
    assert.equal(command("prune", "x", "--data", data).status, 2);
    const verified = command("verify", "--data", data);
    assert.equal(verified.status, 0, verified.stdout);
    world = await World.start([], ["--data", data]);
    assert.deepEqual(await world.activeContracts({ parties: [alice] }), active);
    assert.equal((await world.transact([alice], [exercise(note, contracts[11].contractId, "Discard")])).offset, end + 1);
  });
});

it("pruning: only a participant admin may", async () => {
  const node = await startNodeProcess(["--memory", "--auth", "hs256:test-secret", "--auth-audience", "ledger"]),
    client = new Client(node.port);
  const as = (sub: string) => ({
    authorization: `Bearer ${hs256({ sub, aud: "ledger", exp: Math.floor(Date.now() / 1_000) + 60 }, "test-secret")}`,
  });
  const prune = (headers: Record<string, string>) =>
    client.request("POST", "/admin/prune", { pruneUpTo: 1 }, headers).then(({ status }) => status);
  assert.equal((await client.request("POST", "/v2/users", { user: { id: "reader" }, rights: [] }, as("participant_admin"))).status, 200);
  assert.deepEqual([await prune({}), await prune(as("reader")), await prune(as("participant_admin"))], [401, 403, 400]);
  client.close();
  await node.stop();
});
