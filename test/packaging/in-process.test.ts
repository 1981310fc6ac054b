import assert from "node:assert/strict";
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
