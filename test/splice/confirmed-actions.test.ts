/** What the SVs of a network do together, on stand-ins of its packages. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { triggers } from "../../src/splice/automation/index.js";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { templates } from "../../src/splice/names.js";
import { economyDars } from "./economy-model.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";

const withoutExecution = triggers.filter(({ name }) => name !== "execute-confirmed-actions"),
  hour = 3_600_000_000n;

describe("what SVs do together", () => {
  let world: EconomyWorld, hosted: HostedNetwork, sv: string;
  before(async () => {
    world = await EconomyWorld.open();
    const made = await world.bootstrap(world.folderOf("dars", economyDars("configStates")));
    hosted = made.ok ?? assert.fail(made.error);
    sv = (await world.contracts("dsoRules"))[0]!.payload.svs[0][0];
    await world.automate(hosted.validators, withoutExecution);
  });
  after(() => world.close());

  const confirmed = async () =>
    (await world.contracts("confirmation")).map(({ payload }) => [payload.confirmer, payload.action.value.amuletRulesAction.tag]);
  const rounds = async () =>
    (await Promise.all((["summarizingMiningRound", "issuingMiningRound"] as const).map((name) => world.contracts(name)))).map(
      ({ length }) => length,
    );
  const governedBy = async (parties: readonly string[]) => {
    const [rules] = await world.contracts("dsoRules"),
      svs = parties.map((party, index) => [party, { name: `sv${index}`, svRewardWeight: "1" }]);
    await world.submit({
      actAs: [hosted.dso],
      commands: [exercise(templates.dsoRules, rules!.contractId, "Archive", {}), create(templates.dsoRules, { ...rules!.payload, svs })],
    });
  };

  it("is confirmed once, and waits for its execution", async () => {
    await world.moveBy(tickMicros);
    await world.settle();
    assert.deepEqual(await confirmed(), [[sv, "CRARC_MiningRound_StartIssuing"]]);
    assert.deepEqual(await rounds(), [1, 0]);
  });

  it("is confirmed anew when nobody executed it in time", async () => {
    const [first] = await world.contracts("confirmation");
    await world.moveBy(hour);
    const ofFirst = async () => (await world.contracts("confirmation")).some(({ contractId }) => contractId === first!.contractId);
    assert.ok(await ofFirst(), "its time is not over yet");
    await world.moveBy(1n);
    assert.ok(!(await ofFirst()));
    assert.equal((await confirmed()).length, (await rounds())[0]);
  });

  it("is done once enough SVs have confirmed it: those of this node, if they are enough", async () => {
    const [another] = await world.parties("another"),
      waiting = (await rounds())[0]!;
    await governedBy([sv, another]);
    await world.settle();
    assert.deepEqual(
      (await confirmed()).map(([confirmer]) => confirmer).sort(),
      Array<string[]>(waiting).fill([sv, another]).flat().sort(),
    );
    await world.automate(hosted.validators);
    assert.deepEqual([await confirmed(), (await rounds())[0]], [[], 0]);
    await world.moveBy(tickMicros);
    assert.deepEqual([await confirmed(), (await rounds())[0]], [[], 0]);
    assert.deepEqual(await world.madeBy(hosted.dso), ["DsoBootstrap_Bootstrap", "Archive"]);
  });

  it("is done by the DSO where most SVs are elsewhere", async () => {
    await governedBy([sv, "stranger::1220ab"]);
    await world.moveBy(tickMicros);
    assert.deepEqual([await confirmed(), (await rounds())[0]], [[], 0]);
    assert.equal((await world.madeBy(hosted.dso)).at(-1), "AmuletRules_MiningRound_StartIssuing");
  });
});
