/**
 * Nobody loses a ledger by upgrading: `test/data/ledgers` holds a small one as each format wrote it. `LEDGERLINE_WRITE_LEDGER=1` adds
 * that of a format which is not there yet.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { dataFile, formatNumber } from "../../src/store/index.js";
import { completeDar } from "../support/lf-builder.js";
import { type Client, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { isOn } from "../support/knobs.js";
import {
  amounts,
  answered,
  checkFilled,
  checkNetwork,
  fileOf,
  formatsOf,
  ledgers,
  networkFileOf,
  partyOf,
  putBack,
  seenBySecond,
  template,
  withNetwork,
  withNode,
} from "./former-ledgers.js";
import { temporaryFolder } from "../support/folders.js";

/** Five contracts, one of them archived, a choice that changes nothing, and a user. */
async function fill(client: Client): Promise<void> {
  await answered(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const {
    partyDetails: { party },
  } = await answered(client.post("/v2/parties", { partyIdHint: "alice", identityProviderId: "" }));
  const contracts: string[] = [];
  const submit = async (command: object): Promise<any> => {
    const commands = {
      commands: [command],
      commandId: `c${contracts.length}-${Object.keys(command)[0]}-${JSON.stringify(command).length}`,
      actAs: [party],
      userId: "fixture",
    };
    return (await answered(client.post("/v2/commands/submit-and-wait-for-transaction", { commands }))).transaction.events[0];
  };
  for (const amount of amounts) {
    const created = await submit({
      CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: "gold", amount } },
    });
    contracts.push(created.CreatedEvent.contractId as string);
  }
  await submit({ ExerciseCommand: { templateId: template, contractId: contracts[0], choice: "Archive", choiceArgument: {} } });
  await submit({ ExerciseCommand: { templateId: template, contractId: contracts[1], choice: "GetAmount", choiceArgument: {} } });
  const user = {
    id: "bob",
    primaryParty: party,
    isDeactivated: false,
    identityProviderId: "",
    metadata: { resourceVersion: "", annotations: {} },
  };
  await answered(client.post("/v2/users", { user, rights: [{ kind: { CanActAs: { value: { party } } } }] }));
}

const run = (...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(tested.file, [...tested.args, ...args], { encoding: "utf8", timeout: 120_000 });

async function keep(file: string, write: (data: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder("format");
  await write(join(folder, "data"));
  mkdirSync(ledgers, { recursive: true });
  writeFileSync(file, brotliCompressSync(readFileSync(join(folder, "data", dataFile))));
  rmSync(folder, { recursive: true });
}

/** The first participant sees more than the second, so that what both see has other offsets here and there. */
async function fillNetwork([here, there]: readonly [Client, Client]): Promise<void> {
  for (const client of [here, there]) await answered(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const party = async (client: Client, partyIdHint: string): Promise<string> =>
    (await answered(client.post("/v2/parties", { partyIdHint, identityProviderId: "" }))).partyDetails.party;
  const alice = await party(here, "alice"),
    bob = await party(there, "bob");
  for (let index = 0; index < seenBySecond; index++)
    for (const obs of [[], [bob]]) await createMulti(here, alice, obs, `c${index}-${obs.length}`);
}

const createMulti = (here: Client, signatory: string, obs: readonly string[], commandId: string): Promise<unknown> =>
  answered(
    here.post("/v2/commands/submit-and-wait", {
      commands: [{ CreateCommand: { templateId: "#ref-model:M:Multi", createArguments: { sigs: [signatory], obs } } }],
      commandId,
      actAs: [signatory],
      userId: "fixture",
    }),
  );

test("formats: ledgers of this one are kept", { timeout: 120_000 }, async () => {
  if (isOn("LEDGERLINE_WRITE_LEDGER")) {
    if (!existsSync(fileOf(formatNumber))) await keep(fileOf(formatNumber), (data) => withNode(data, fill));
    if (!existsSync(networkFileOf(formatNumber))) await keep(networkFileOf(formatNumber), (data) => withNetwork(data, fillNetwork));
  }
  for (const file of [fileOf(formatNumber), networkFileOf(formatNumber)])
    assert.ok(existsSync(file), `LEDGERLINE_WRITE_LEDGER=1 npm test -- formats writes ${file}`);
});

for (const format of formatsOf("format")) {
  describe(`formats: a ledger of format ${format}`, { timeout: 180_000 }, () => {
    let folder = "",
      data = "";
    before(() => {
      folder = temporaryFolder("format");
      data = join(folder, "data");
      putBack(fileOf(format), data);
    });

    it("opens, and has its contracts, history, users and packages; commands go on from there", async () => {
      await withNode(data, checkFilled);
    });

    it("is sound afterwards, and opens again", async () => {
      const verified = run("verify", "--data", data);
      assert.equal(verified.status, 0, verified.stderr);
      assert.match(verified.stdout, /^The ledger is sound/);
      await withNode(data, async (client) => assert.equal((await client.get("/readyz")).status, 200));
    });
  });
}

for (const format of formatsOf("network")) {
  test(
    `formats: two participants of format ${format} find what others submitted by its id, before and after they go on`,
    { timeout: 180_000 },
    async () => {
      const folder = temporaryFolder("format"),
        data = join(folder, "data");
      putBack(networkFileOf(format), data);
      const isSound = (): void => {
        const { status, stdout, stderr } = run("verify", "--data", data);
        assert.equal(status, 0, stderr);
        assert.match(stdout, /^The ledger is sound/);
      };
      isSound();
      for (const round of [1, 2]) {
        await withNetwork(data, async ([here, there]) => {
          await checkNetwork(there, seenBySecond * round);
          if (round === 1) await fillMore(here, await partyOf(there, "bob"));
        });
        isSound();
      }
    },
  );
}

async function fillMore(here: Client, bob: string): Promise<void> {
  const alice = await partyOf(here, "alice");
  for (let index = 0; index < seenBySecond; index++) await createMulti(here, alice, [bob], `later-${index}`);
}

test("formats: a file that is no ledger is refused, and stays as it is", { timeout: 60_000 }, () => {
  const folder = temporaryFolder("format"),
    file = join(folder, dataFile);
  writeFileSync(file, Buffer.from("not a ledger of ours".repeat(4_096)), { mode: 0o600 });
  const before = readFileSync(file),
    refused = run("start", "--port", "0", "--data", folder);
  assert.notEqual(refused.status, 0);
  assert.ok(refused.stderr.length > 0 && refused.stderr.split("\n").length < 5, refused.stderr);
  assert.deepEqual(readFileSync(file), before);
  rmSync(folder, { recursive: true });
});
