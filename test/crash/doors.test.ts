import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { repositoryRoot } from "../support/paths.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

const rounds = 3,
  perRound = 40;

test("doors: after kill -9 a contract of parties at two participants is at both of them or at none, and at both where it was acknowledged", async () => {
  const folder = temporaryFolder(),
    data = join(folder, "data"),
    ports = join(folder, "ports");
  const start = async () => {
    const node = await startNodeProcess([
      "--data",
      data,
      "--port-file",
      ports,
      "--participant",
      "other=0",
      "--dar",
      join(repositoryRoot(), "test/data/quickstart.dar"),
    ]);
    return { node, one: new Client(node.port, 16), other: new Client(Number(/^other=(\d+)$/m.exec(readFileSync(ports, "utf8"))![1]), 16) };
  };
  const allocate = async (door: Client, partyIdHint: string): Promise<string> =>
    (await door.post("/v2/parties", { partyIdHint })).json().partyDetails.party;
  const active = async (door: Client, party: string): Promise<readonly string[]> => {
    const activeAtOffset = (await door.get("/v2/state/ledger-end")).json().offset,
      eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
    const entries: readonly { contractEntry: { JsActiveContract: { createdEvent: { contractId: string } } } }[] = (
      await door.post("/v2/state/active-contracts?limit=1000", { activeAtOffset, eventFormat })
    ).json();
    return entries.map((entry) => entry.contractEntry.JsActiveContract.createdEvent.contractId).sort();
  };
  let { node, one, other } = await start();
  const issuer = await allocate(one, "alice"),
    owner = await allocate(other, "bob"),
    acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const creates = Array.from({ length: perRound }, async (_, index) => {
      const create = {
        CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer, owner, name: `${round}/${index}`, amount: "1" } },
      };
      const reply = await one
        .post("/v2/commands/submit-and-wait-for-transaction", {
          commands: { commands: [create], commandId: `${round}/${index}`, actAs: [issuer], userId: "u" },
        })
        .catch(() => undefined);
      if (reply?.status === 200) acknowledged.push(reply.json().transaction.events[0].CreatedEvent.contractId);
      if (index === perRound / 2) await node.stop("SIGKILL");
    });
    await Promise.all(creates);
    one.close();
    other.close();
    const report = await verifyLedger(data);
    assert.ok(report.sound, report.text);
    ({ node, one, other } = await start());
    const [here, there] = [await active(one, issuer), await active(other, owner)];
    assert.deepEqual(here, there);
    assert.deepEqual(
      acknowledged.filter((contractId) => !here.includes(contractId)),
      [],
    );
  }
  assert.ok(acknowledged.length > 0);
  one.close();
  other.close();
  assert.equal(await node.stop(), 0);
});
