/** Scan of a participant that has others beside it in the process. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ExternalParty } from "../external/external-world.js";
import { topologyHash } from "../../src/ledger/index.js";
import { create, exercise, type Json, type World } from "../scenarios/world.js";
import type { Client } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";
import { names, standInDars, StandInWorld, type Answer } from "./stand-in-world.js";

describe("Scan beside a second participant", () => {
  const folder = temporaryFolder();
  let net: StandInWorld, there: World, other: Client, bob: string, otherId: string, tapped: Json;

  before(async () => {
    const ports = join(folder, "ports");
    net = await StandInWorld.start(["--memory", "--port-file", ports, "--participant-name", "sandbox", "--participant", "pebblebox=0"]);
    there = net.world.beside(Number(/^pebblebox=(\d+)$/m.exec(readFileSync(ports, "utf8"))?.[1]));
    other = there.client;
    for (const dar of standInDars) assert.equal((await other.post("/v2/dars", dar)).status, 200);
    await net.bootstrap();
    bob = (await other.post("/v2/parties", { partyIdHint: "bob" })).json().partyDetails.party;
    otherId = (await other.get("/v2/parties/participant-id")).json().participantId;
    const {
      amulet_rules_update: { contract },
    } = await net.ask("/api/scan/v0/amulet-rules");
    const { contract_id: contractId, template_id: templateId, created_event_blob: createdEventBlob } = contract;
    const tap = exercise(names.rules, contractId, "AmuletRules_DevNet_Tap", { receiver: bob, amount: "5.0", openRound: contractId });
    tapped = await submitThere([tap], { disclosedContracts: [{ contractId, templateId, createdEventBlob, synchronizerId: "" }] });
    await net.amulet(net.alice, "1.0");
  });
  after(async () => {
    other.close();
    await net.world.stop();
  });

  async function submitThere(commands: readonly object[], more: object = {}): Promise<Json> {
    const reply = await other.post("/v2/commands/submit-and-wait", net.world.commands([bob], commands as Json, more as Json));
    assert.equal(reply.status, 200, reply.text);
    return reply.json();
  }
  const allEvents = async (pageSize: number): Promise<readonly Json[]> => {
    const all: Json[] = [];
    for (let more: object = {}; ;) {
      const { events } = await net.ask("/api/scan/v0/events", { page_size: pageSize, ...more });
      if (events.length === 0) return all;
      all.push(...events);
      more = { after: { after_migration_id: 0, after_record_time: all.at(-1).verdict.record_time } };
    }
  };

  it("what was submitted there and the DSO sees is an event, with who submitted it and where", async () => {
    const all = await allEvents(1000),
      event = all.at(-2),
      { update, verdict } = event;
    assert.deepEqual([verdict.update_id, update?.update_id], [tapped.updateId, tapped.updateId]);
    assert.deepEqual(
      [verdict.submitting_parties, verdict.submitting_participant_uid, verdict.verdict_result],
      [[bob], otherId, "VERDICT_RESULT_ACCEPTED"],
    );
    assert.deepEqual((await net.get(`/api/scan/v0/events/${tapped.updateId}`)).body, event);
    const { transactions } = await net.ask("/api/scan/v2/updates", { page_size: 1000 });
    assert.deepEqual(
      all.flatMap((one) => (one.update ? [one.update.update_id] : [])),
      transactions.map((one: Json) => one.update_id),
    );
  });

  it("pages of any size are the same, also of what is printed ahead", async () => {
    const all = await allEvents(1000);
    for (const size of [1, 2, 3]) assert.deepEqual(await allEvents(size), all);
  });

  it("a snapshot at its record time has what it made", async () => {
    await submitThere([create(names.token, { admin: bob, owner: bob })]); // nobody here is told
    const { record_time } = await net.ask("/api/scan/v0/state/acs/force");
    const { created_events } = await net.ask("/api/scan/v0/holdings/state", {
      migration_id: 0,
      record_time,
      page_size: 10,
      owner_party_ids: [bob],
    });
    assert.deepEqual(
      created_events.map(({ create_arguments }: Json) => create_arguments.amount.initialAmount),
      ["5.0000000000"],
    );
  });

  it("a party that the other participant was not asked for is not hosted, and the validator says so", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519"),
      spki = publicKey.export({ type: "spki", format: "der" }),
      { synchronizerId } = (await net.get("/v2/state/connected-synchronizers")).body.connectedSynchronizers[0];
    const { body: topology } = await net.post("/v2/parties/external/generate-topology", {
      synchronizer: synchronizerId,
      partyHint: "waiting",
      publicKey: {
        format: "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO",
        keyData: spki.toString("base64"),
        keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
      },
      otherConfirmingParticipantUids: [otherId],
    });
    const [topology_tx] = topology.topologyTransactions as readonly string[];
    const signed_hash = sign(null, topologyHash(Buffer.from(topology_tx!, "base64")), privateKey).toString("hex");
    const answer = await net.post("/api/validator/v0/admin/external-party/topology/submit", {
      public_key: spki.subarray(-32).toString("hex"),
      signed_topology_txs: [{ topology_tx, signed_hash }],
    });
    assert.deepEqual(answer, {
      status: 400,
      body: { error: `Party ${topology.partyId} is not hosted yet: other participants, or other keys, have to agree to it as well.` },
    });
  });

  it("participants of a party: all that host it; the first release of the operation has room for one", async () => {
    const [mine, { synchronizerId }] = await Promise.all([
      net.get("/v2/parties/participant-id").then(({ body }) => body.participantId as string),
      net.get("/v2/state/connected-synchronizers").then(({ body }) => body.connectedSynchronizers[0]),
    ]);
    const { party } = await ExternalParty.onboardAt([net.world, there], "carol", 1);
    const at = (version: string, of: string, synchronizer = synchronizerId): Promise<Answer> =>
      net.get(`/api/scan/${version}/domains/${synchronizer}/parties/${of}/participant-id`);
    const short = (id: string): string => id.replace(/(::.{12}).*$/, "$1...");
    assert.deepEqual(
      [await at("v0", bob), await at("v1", bob)],
      [
        { status: 200, body: { participant_id: `PAR::${otherId}` } },
        { status: 200, body: { participant_ids: [`PAR::${otherId}`] } },
      ],
    );
    const hosts = [mine, otherId].map((id) => `PAR::${id}`);
    assert.deepEqual((await at("v1", party)).body.participant_ids.sort(), hosts.sort());
    assert.deepEqual((await net.get(`/api/sv/v0/admin/sv/party-to-participant/${party}`)).body.participant_ids.sort(), hosts);
    assert.deepEqual(await at("v0", party), {
      status: 500,
      body: {
        error: `Party ${short(party)} is hosted on multiple participants, which is not supported in this version of the API. Please use the /v1 version instead.`,
      },
    });
    for (const [version, of, synchronizer] of [
      ["v0", party.replace("carol", "nobody"), synchronizerId],
      ["v1", party.replace("carol", "nobody"), synchronizerId],
      ["v1", party, synchronizerId.replace(/^[^:]+/, "elsewhere")],
    ])
      assert.deepEqual(await at(version, of, synchronizer), {
        status: 404,
        body: { error: `No PartyToParticipant state for ${short(of)} on domain ${short(synchronizer)}` },
      });
    for (const [path, what] of [
      [`scan/v1/domains/here/parties/${party}/participant-id`, "synchronizer ID: Invalid unique identifier `here`"],
      ["sv/v0/admin/sv/party-to-participant/nope", "party ID: Invalid unique identifier `nope`"],
    ])
      assert.deepEqual(await net.get(`/api/${path}`), {
        status: 400,
        body: { error: `Could not decode ${what} with missing namespace.` },
      });
  });
});
