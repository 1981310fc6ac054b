/** What keeps a network's contracts in order, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { triggers } from "../../src/splice/automation/index.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const scanUrl = "http://scan.localhost:4000";

for (const generation of ["older", "newer"] as const) {
  describe(`upkeep of a network, ${generation} generation`, { skip: missingDars(realGenerations[generation]), timeout: 300_000 }, () => {
    let world: EconomyWorld, validators: readonly string[];
    before(async () => {
      world = await EconomyWorld.open();
      ({ validators } = await bootstrapReal(world, generation));
      await world.automate(validators, triggers, 0, { scanUrl });
    });
    after(() => world.close());

    const payloads = async (name: keyof typeof templates) => (await world.contracts(name)).map(({ payload }) => payload);
    it("the SV's nodes are published with its Scan, once; a new address takes the place of the old one", async () => {
      const published = async () => (await payloads("svNodeState")).flatMap(({ state }) => state.synchronizerNodes);
      assert.deepEqual(
        (await published()).map(([id, { cometBft, scan }]: any) => [id, cometBft.nodes, scan]),
        [[world.ledger.synchronizerId, [], { publicUrl: scanUrl }]],
      );
      const changed = "http://scan.localhost:14000";
      await world.automate(validators, triggers, 0, { scanUrl: changed });
      assert.deepEqual(
        (await published()).map(([, { scan }]: any) => scan.publicUrl),
        [changed],
      );
      assert.equal(world.done("publish-scan"), 2);
    });
  });
}
