import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { queryObjects } from "node:v8";
import { Service } from "../../src/http/service.js";
import inProcess from "../../src/packaging/in-process.js";
import { Table } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import { testData } from "../support/paths.js";

/** Collects garbage first. */
const alive = (kind: new (...from: never[]) => object): number => queryObjects(kind as never) as unknown as number;

async function startAndStop(): Promise<void> {
  const ledger = await inProcess.startLedgerline({ memory: true, dars: [testData("quickstart.dar")] });
  await ledger.allocateParty("alice");
  assert.ok(alive(Service) > 0 && alive(Table) > 0, "what is counted is there while it runs");
  await ledger.stop();
}

test("in process: of nodes that were stopped nothing stays in memory", async () => {
  for (let node = 0; node < 2; node++) await startAndStop();
  await eventually("no services and no tables are left", () => alive(Service) + alive(Table) === 0);
});

test("in process: on several synchronizers and participants a DAR is for all of them, and a party is where it is asked for", async () => {
  const ledger = await inProcess.startLedgerline({ flags: { synchronizers: "one,two", participant: ["south=0"] } });
  try {
    const [one, two] = ledger.synchronizerIds,
      [south] = ledger.otherParticipants;
    assert.deepEqual(
      [ledger.synchronizerIds.length, one!.split("::")[0], two!.split("::")[0], ledger.otherParticipants.length, south!.name],
      [2, "one", "two", 1, "south"],
    );
    const told = async (url: string, path: string, body?: object): Promise<any> =>
      (
        await fetch(
          `${url}${path}`,
          body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
        )
      ).json();
    assert.equal((await told(south!.url, "/v2/parties/participant-id")).participantId, south!.participantId);
    await ledger.uploadDar(testData("quickstart.dar"));
    for (const { url } of [ledger, south!]) {
      const { vettedPackages } = await told(url, "/v2/package-vetting/list", {
        packageMetadataFilter: { packageIds: [], packageNamePrefixes: ["ref-"] },
      });
      assert.deepEqual([...new Set(vettedPackages.map(({ synchronizerId }: any) => synchronizerId))].sort(), [one, two].sort());
    }
    const connected = async (party: string): Promise<readonly string[]> =>
      (await told(ledger.url, `/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}`)).connectedSynchronizers.map(
        ({ synchronizerId }: any) => synchronizerId,
      );
    assert.deepEqual(await connected(await ledger.allocateParty("alice")), [one]);
    assert.deepEqual(await connected(await ledger.allocateParty("bob", { synchronizerId: two! })), [two]);
    await assert.rejects(ledger.allocateParty("carol", { synchronizerId: "three::1220" }), inProcess.LedgerlineError);
  } finally {
    await ledger.stop();
  }
});

test("in process: flags say what options may, and a LocalNet has its own ports; what is said twice is refused", async () => {
  const refusal = (options: Parameters<typeof inProcess.startLedgerline>[0]): Promise<string> =>
    inProcess.startLedgerline(options).then(
      async (ledger) => `started ${await ledger.stop()}`,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-in-process-")),
    data = join(folder, "ledger");
  try {
    const ledger = await inProcess.startLedgerline({ flags: { "log-level": "silent", workers: 1, port: 0, data } });
    await ledger.stop();
    assert.ok(existsSync(data));
    assert.match(await refusal({ flags: { localnet: join(folder, "none") } }), /^LedgerlineError: .*none/);
    assert.doesNotMatch(await refusal({ flags: { localnet: join(folder, "none") } }), /has ports of its own/);
    assert.match(await refusal({ port: 1, flags: { localnet: folder } }), /^LedgerlineError: --localnet has ports of its own/);
    assert.equal(await refusal({ workers: 1, flags: { workers: 2 } }), "LedgerlineError: --workers is given twice.");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("in process: a ledger that is not in memory has to have a folder", async () => {
  await assert.rejects(
    inProcess.startLedgerline({ memory: false }),
    (error: Error) =>
      error instanceof inProcess.LedgerlineError
      && error.message === "A ledger that is not in memory needs data, the folder that it is kept in.",
  );
});
