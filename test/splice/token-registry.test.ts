/** Registries of tokens that an operator describes in a file. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it, test } from "node:test";
import { ok } from "../../src/base/result.js";
import type { Contract } from "../../src/splice/contracts.js";
import { clashAmong, readTokenRegistries, type TokenRegistry } from "../../src/splice/index.js";
import { ContextBuilder } from "../../src/splice/registry/choice-context.js";
import type { ValueTypes } from "../../src/splice/values/value-types.js";
import { World, type Json } from "../scenarios/world.js";
import { startNodeProcess } from "../support/node-process.js";
import { amuletDar, teamDar, testTokenDar } from "./stand-in-model.js";
import { ago, disclosedIn, names } from "./stand-in-world.js";
import { temporaryFolder } from "../support/folders.js";

const instrument = { id: "TEAM", name: "Team token", symbol: "TM" };
const team = { name: "team", admin: "team", instruments: [instrument] };
const read = (content: unknown) =>
  readTokenRegistries("team.json", typeof content === "string" ? content : JSON.stringify(content), { namespace: "1220aa" });

test("token registries: an admin without a namespace is one of the node's own parties; what is left out has its default", () => {
  assert.deepEqual(
    read(team),
    ok([{ name: "team", admin: "team::1220aa", instruments: [{ ...instrument, decimals: 10 }], contracts: [], factories: {} }]),
  );
  const full = {
    ...team,
    admin: "other::1220bb",
    contracts: [
      { template: "#team-token:Team:Token", key: "team/rules" },
      { template: "team-token:Team.Rules:Account", key: "team/accounts", asList: true },
    ],
    factories: { allocation: "team-token:Team:Token" },
  };
  const { ok: registries } = read([full, { ...team, name: "another" }]);
  assert.deepEqual(registries?.[0]?.contracts, [
    { template: { packageName: "team-token", entity: "Team:Token" }, key: "team/rules", asList: false, observed: false },
    { template: { packageName: "team-token", entity: "Team.Rules:Account" }, key: "team/accounts", asList: true, observed: false },
  ]);
  assert.deepEqual(
    [registries?.[0]?.admin, registries?.[0]?.factories, registries?.length],
    ["other::1220bb", { allocation: { packageName: "team-token", entity: "Team:Token" } }, 2],
  );
});

test("token registries: what is wrong with a file is told by its place", () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ["{", /^team\.json is no JSON: /],
    ["5", /the file must hold a JSON object/],
    [{ ...team, colour: "red" }, /colour is unknown; the fields are name, admin, instruments, contracts, factories/],
    [{ ...team, name: "Team!" }, /name must be lower-case letters, digits and -/],
    [{ ...team, admin: "" }, /admin must be a party/],
    [{ name: "team", admin: "team" }, /instruments must be a list/],
    [{ ...team, instruments: [] }, /instruments must not be empty/],
    [[team, { ...team, instruments: [instrument, { ...instrument, symbol: 5 }] }], /\[1\]\.instruments\[1\]\.symbol must be text/],
    [{ ...team, instruments: [{ ...instrument, decimals: 11 }] }, /instruments\[0\]\.decimals must be a whole number from 0 to 10/],
    [{ ...team, contracts: [{ template: "Team:Token" }] }, /contracts\[0\]\.template must be package-name:Module:Entity/],
    [{ ...team, contracts: [{ template: "a:B:C", asList: true }] }, /contracts\[0\]\.asList needs a key/],
    [{ ...team, contracts: [{ template: "a:B:C", observed: "yes" }] }, /contracts\[0\]\.observed must be true or false/],
    [{ ...team, factories: { mint: "a:B:C" } }, /factories\.mint is unknown; the fields are transfer, allocation, settlement/],
    [{ ...team, factories: { transfer: 5 } }, /factories\.transfer must be package-name:Module:Entity/],
  ];
  for (const [content, problem] of wrong) assert.match(read(content).error ?? "", problem, JSON.stringify(content));
  const registry = read(team).ok![0] as TokenRegistry;
  assert.match(clashAmong([registry, registry]) ?? "", /two token registries have the name team/);
  assert.match(clashAmong([registry, { ...registry, name: "b" }]) ?? "", /the admin team::1220aa/);
});

test("token registries: a context that needs a contract without a synchronizer is a conflict that names it", async () => {
  const contract = { contractId: "00ab", templateId: "p:M:T", packageName: "p", payload: {}, createdEventBlob: "" } as unknown as Contract;
  const types = undefined as unknown as ValueTypes;
  for (const excludeDebugFields of [true, false]) {
    const { error } = await new ContextBuilder()
      .add("key", contract)
      .build({ types, synchronizerOf: () => undefined }, { excludeDebugFields });
    assert.deepEqual(error, { kind: "conflict", message: "Contract '00ab' is not assigned to a synchronizer." });
  }
});

describe("token registries: on a node", () => {
  const folder = temporaryFolder("registry"),
    file = join(folder, "team.json");
  writeFileSync(
    file,
    JSON.stringify({
      ...team,
      contracts: [
        { template: "team-token:Team:Token", key: "team/rules" },
        { template: "team-token:Team:Token", key: "team/all", asList: true },
      ],
      factories: { transfer: "team-token:Team:Token", allocation: "team-token:Team:Token", settlement: "team-token:Team:Token" },
    }),
  );
  let world: World, admin: string, alice: string;
  before(async () => {
    world = await World.start([amuletDar("0.1.22"), teamDar, testTokenDar], ["--memory", "--token-registry", file]);
    [admin, alice] = await world.parties("team", "alice");
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true });
  });
  const answer = async (path: string, body?: Json): Promise<Json> => {
    const reply = body === undefined ? await world.client.get(path) : await world.client.post(path, body);
    return { status: reply.status, ...reply.json() };
  };

  it("the public test tokens need no file: whoever made their rules has contexts at the common address", async () => {
    const [issuer, owner] = await world.parties("issuer", "holder"),
      factory = "/registry/allocation-instruction/v1/allocation-factory";
    const choiceArguments = { allocation: { transferLeg: { sender: owner, instrumentId: { admin: issuer, id: "ONE" } } } };
    assert.equal((await answer(factory, { choiceArguments })).status, 404, "Amulet's, of which there is none");
    const { contractId } = await world.create([issuer], "#splice-test-token-v1:Splice.Testing.Tokens.TestTokenV1:TokenRules", {
      admin: issuer,
    });
    const { factoryId, choiceContext } = await answer(factory, { choiceArguments });
    assert.deepEqual([factoryId, disclosedIn(choiceContext)], [contractId, ["TokenRules"]]);
    const [observer] = await world.parties("observer");
    for (const admin of [observer, "no party", "é::1220", 5, null, { party: issuer }])
      assert.deepEqual(
        await answer(factory, { choiceArguments: { allocation: { transferLeg: { instrumentId: { admin, id: "ONE" } } } } }),
        { status: 404, error: "No active AmuletRules contract" },
        JSON.stringify(admin),
      );
  });

  it("it has an address of its own, and contexts with what the file names; before there is any of it, that is told", async () => {
    const specification = {
      settlement: { executor: alice, settleBefore: ago(-3_600) },
      transferLeg: { sender: alice, instrumentId: { admin, id: "TEAM" } },
    };
    const choiceArguments = { allocation: specification },
      factory = "/registries/team/registry/allocation-instruction/v1/allocation-factory";
    assert.deepEqual(await answer(factory, { choiceArguments }), { status: 404, error: "Registry team has no active allocation factory." });
    const { contractId: rules } = await world.create([admin], names.token, { admin, owner: admin });
    const made = await answer(factory, { choiceArguments });
    assert.equal(made.factoryId, rules);
    assert.deepEqual(made.choiceContext.choiceContextData.values, {
      "team/rules": { tag: "AV_ContractId", value: rules },
      "team/all": { tag: "AV_List", value: [{ tag: "AV_ContractId", value: rules }] },
    });
    assert.deepEqual(
      (await answer("/registry/allocation-instruction/v1/allocation-factory", { choiceArguments })).factoryId,
      rules,
      "the common address knows it too",
    );
    const { contractId: token } = await world.create([admin], names.token, { admin, owner: alice });
    const { contractId: allocation } = await world.create([admin], names.teamAllocation, {
      admin,
      allocation: specification,
      tokens: [token],
    });
    const context = await answer(`/registries/team/registry/allocations/v1/${allocation}/choice-contexts/withdraw`, {});
    assert.deepEqual(context.choiceContextData.values["team/rules"].value, token, "the newest");
    assert.deepEqual(disclosedIn(context), ["Token", "Token"]);
    assert.deepEqual(await answer("/registries/team/registry/metadata/v1/info"), {
      status: 200,
      adminId: admin,
      supportedApis: { "splice-api-token-metadata-v1": 1 },
    });
    const { instruments } = await answer("/registries/team/registry/metadata/v1/instruments");
    assert.deepEqual(
      instruments.map(({ id, symbol, decimals }: Json) => [id, symbol, decimals]),
      [["TEAM", "TM", 10]],
    );
  });

  it("at its own address it is meant where a request names no admin, and what names another is not found", async () => {
    const [dso] = await world.parties("dso"),
      at = (path: string, body: Json) => answer(`/registries/team/registry${path}`, body);
    const { contractId: rules } = await world.create([admin], names.token, { admin, owner: admin });
    const settlement = (allocations: readonly string[]): Promise<Json> =>
      at("/allocation/v2/settlement-factory", {
        choiceArguments: { actor: alice, transferLegs: [], allocations: allocations.map((allocationCid) => ({ allocationCid })) },
      });
    const meant = [
      await settlement([]),
      await settlement([`00${"ab".repeat(32)}`]),
      await at("/allocation-instruction/v1/allocation-factory", { choiceArguments: {} }),
    ];
    assert.deepEqual(
      meant.map(({ factoryId }) => factoryId),
      [rules, rules, rules],
    );
    const refused = { status: 404, error: `Registry team is of the tokens of ${admin}, not of those of ${dso}.` },
      instrumentId = { admin: dso, id: "Amulet" };
    const transfer = { sender: alice, receiver: admin, amount: "1.0", instrumentId, executeBefore: ago(-3_600) };
    assert.deepEqual(
      await at("/transfer-instruction/v1/transfer-factory", { choiceArguments: { actor: alice, expectedAdmin: dso, transfer } }),
      refused,
    );
    const specification = { settlement: { executor: alice, settleBefore: ago(-3_600) }, transferLeg: { sender: alice, instrumentId } };
    const { contractId: allocation } = await world.create([dso], names.allocation, {
      dso,
      lockedAmulet: rules,
      allocation: specification,
      expiresAt: null,
    });
    assert.deepEqual(await at(`/allocations/v1/${allocation}/choice-contexts/withdraw`, {}), refused);
    assert.deepEqual(await settlement([allocation]), refused);
  });

  it("a file that cannot be read or understood keeps the node from starting, with the reason", async () => {
    writeFileSync(join(folder, "wrong.json"), "{}");
    for (const [name, reason] of [
      ["wrong.json", /--token-registry: .*wrong\.json: name must be/],
      ["absent.json", /--token-registry: cannot read/],
    ] as const)
      await assert.rejects(startNodeProcess(["--memory", "--token-registry", join(folder, name)]), reason);
  });
});
