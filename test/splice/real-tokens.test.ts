/**
 * The public test tokens beside Amulet, each with a registry by configuration alone: `LEDGERLINE_REAL_DARS` names a folder that holds
 * them.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Json } from "../scenarios/world.js";
import { createdIn, generations, missing, RealNetwork } from "./real-network.js";
import { transferThrice } from "./real-transfers.js";
import { temporaryFolder } from "../support/folders.js";

const packages = { ...generations[1]!, dars: [...generations[1]!.dars, "splice-test-token-v1-1.0.0", "splice-test-token-v2-1.0.0"] };
const v1 = "splice-test-token-v1:Splice.Testing.Tokens.TestTokenV1",
  v2 = "splice-test-token-v2:Splice.Testing.Tokens.TestTokenV2";
const registries = [
  {
    name: "first",
    admin: "issuer1",
    instruments: [{ id: "ONE", name: "One", symbol: "ONE" }],
    factories: { transfer: `${v1}:TokenRules`, allocation: `${v1}:TokenRules` },
  },
  {
    name: "second",
    admin: "issuer2",
    instruments: [{ id: "TWO", name: "Two", symbol: "TWO" }],
    contracts: [
      { template: `${v2}:TokenRules`, key: "testTokenV2/tokenRules" },
      { template: `${v2}.AccountConfig:AccountConfig`, key: "testTokenV2/accountConfigs", asList: true, observed: true },
    ],
    factories: { transfer: `${v2}:TokenRules`, allocation: `${v2}:TokenRules`, settlement: `${v2}:TokenRules` },
  },
];
const meta = { values: {} };

describe("test tokens", { skip: missing(packages) }, () => {
  const folder = temporaryFolder("tokens"),
    file = join(folder, "tokens.json");
  writeFileSync(file, JSON.stringify(registries));
  let net: RealNetwork, alice: string, bob: string;
  before(async () => {
    net = await RealNetwork.start(packages, ["--token-registry", file]);
    [alice, bob] = [await net.party("alice"), await net.party("bob")];
  });
  after(async () => {
    await net.stop();
    rmSync(folder, { recursive: true });
  });

  const flows = [
    { version: "v1" as const, name: "first", issuer: "issuer1", id: "ONE", module: v1, account: (party: string): Json => party },
    {
      version: "v2" as const,
      name: "second",
      issuer: "issuer2",
      id: "TWO",
      module: v2,
      account: (owner: string): Json => ({ owner, provider: null, id: "" }),
    },
  ];
  const unconfigured = flows.map((flow) => ({ ...flow, name: undefined, issuer: `other-${flow.issuer}` }));
  for (const { version, name, issuer, id, module, account } of [...flows, ...unconfigured]) {
    const where = name === undefined ? "the common address, without a file" : "its own address";
    it(`of generation ${version}: a transfer is made, accepted, rejected and withdrawn with contexts from ${where}`, async () => {
      const admin = await net.party(issuer),
        isFirst = version === "v1",
        instrumentId = { admin, id };
      const create = async (template: string, createArguments: Json, actAs: readonly string[]): Promise<string> =>
        createdIn(
          await net.command(actAs, [{ CreateCommand: { templateId: `#${template}`, createArguments } }]),
          template.split(":").at(-1)!,
        ).contractId;
      await create(`${module}:TokenRules`, { admin }, [admin]);
      const holding = { ...(isFirst ? { owner: alice } : { account: account(alice) }), instrumentId, amount: "100.0", lock: null, meta };
      const addresses = name === undefined ? "/registry" : `/registries/${name}/registry`;
      assert.equal((await net.ask(undefined, "GET", `${addresses}/metadata/v1/info`)).adminId, name === undefined ? net.dso : admin);
      if (name !== undefined) {
        const { supportedApis } = await net.ask(undefined, "GET", `${addresses}/metadata/v1/instruments/${id}`),
          secondGeneration = ["allocation-instruction", "allocation", "holding", "transfer-events", "transfer-instruction"];
        assert.deepEqual(
          Object.keys(supportedApis)
            .filter((api) => api.endsWith("-v2"))
            .sort(),
          isFirst ? [] : secondGeneration.map((api) => `splice-api-token-${api}-v2`),
        );
      }
      const inputs = async (): Promise<readonly string[]> => [
        await create(`${isFirst ? module : `${module}.Holding`}:Token`, { holding }, [alice, admin]),
      ];
      await transferThrice(net, { version, addresses, instrumentId, sender: alice, receiver: bob, amount: "30.0", inputs });
    });
  }
});
