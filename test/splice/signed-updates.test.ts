/** Updates that an external party signed are found by the hash that it signed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { execute, ExternalParty, prepare, succeeded } from "../external/external-world.js";
import { create, World } from "../scenarios/world.js";
import { amuletDar } from "./stand-in-model.js";
import { names } from "./stand-in-world.js";

test("updates by hash: of a transaction that the DSO sees and somebody signed, also where others came between; any other hash is not found", async () => {
  const world = await World.start([amuletDar("0.1.22")]);
  try {
    const dso = await ExternalParty.onboard(world, "dso"), [venue] = await world.parties("venue");
    const at = async (hash: string): Promise<{ status: number; body: any }> => {
      const { status, json } = await world.client.get(`/api/scan/v2/updates/hash/${hash}`);
      return { status, body: json() };
    };
    for (const number of [0, 1]) {
      await world.create([venue!], names.featured, { dso: venue, provider: venue });
      const prepared = await prepare(world, [dso], [create(names.rules, { dso: dso.party, configSchedule: String(number), isDevNet: true })]);
      const { updateId } = succeeded(await execute(world, prepared, [dso]));
      const hash = Buffer.from(prepared.preparedTransactionHash, "base64").toString("hex"), { status, body } = await at(hash);
      assert.deepEqual([status, body.update_id, body.external_transaction_hash], [200, updateId, hash]);
      const byId = (await world.client.get(`/api/scan/v2/updates/${updateId}`)).json();
      assert.deepEqual(byId.events_by_id, body.events_by_id);
      assert.ok(!("external_transaction_hash" in byId), "by its id it is told of transactions from 2030 on only");
    }
    assert.deepEqual(await at("00"), { status: 404, body: { error: "Transaction with hash 00 not found" } });
  } finally {
    await world.stop();
  }
});
