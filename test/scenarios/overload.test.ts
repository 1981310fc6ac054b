/** More clients than the node has places for commands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { httpRequest, runLoad } from "../../bench/support/load.js";
import { limits } from "../../src/config.js";
import { storyDar, storyTemplate } from "./story-model.js";
import { create, World } from "./world.js";

const note = storyTemplate("Note");

test("overload: who finds no place for his command gets one in his turn, and is not refused", { timeout: 120_000 }, async (t) => {
  const world = await World.start([storyDar]);
  t.after(() => world.stop());
  const party = await world.party("alice"),
    clients = limits.commandsInFlightMax + 100;
  const next = (): Buffer =>
    httpRequest(
      "POST",
      "/v2/commands/submit-and-wait",
      JSON.stringify(world.commands([party], [create(note, { owner: party, reader: party, text: "note" })])),
    );
  const { requests, failures } = await runLoad({ port: world.node.port, connections: clients, requests: 2 * clients, next });
  assert.deepEqual([requests, failures], [2 * clients, 0]);
});
