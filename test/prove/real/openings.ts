/** A ledger whose file other processes open while it is written: backups do, and whoever looks at a running ledger. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAsset, prepare, readOn, type Acknowledged } from "../../crash/load.js";
import { Client, startNodeProcess } from "../../support/node-process.js";
import { runProgramWell } from "./backups.js";
import type { Play, Scenario } from "../scenario.js";

const writers = 4,
  openers = 2;

/** Opens the file so many times, and finds each time what no later opening may miss. */
const opener = `
const { openStore, SnapshotReader } = await import(process.argv[1]);
for (let opened = 0, last = 0; opened < Number(process.argv[3]); opened++) {
  const store = await openStore({ folder: process.argv[2], readOnly: true });
  const snapshot = SnapshotReader.pin(store, last);
  last = snapshot.lastOffset;
  snapshot.release();
  await store.close();
}
`;

async function openUnderLoad(play: Play, data: string): Promise<void> {
  const node = await startNodeProcess(["--data", data]),
    acknowledged = new Map<string, Acknowledged>();
  play.after(() => node.stop("SIGKILL"));
  const client = new Client(node.port, writers + 1),
    party = await prepare(client);
  let isOver = false;
  const write = async (lane: number): Promise<void> => {
    for (let index = 0; !isOver; index++) {
      const reply = await createAsset(client, party, `${lane}-${index}`);
      assert.equal(reply.status, 200, reply.text);
      acknowledged.set(`${lane}-${index}`, reply.json() as Acknowledged);
    }
  };
  const written = Promise.all(Array.from({ length: writers }, (_, lane) => write(lane)));
  void written.catch(() => undefined);
  const store = new URL("../../../src/store/index.js", import.meta.url).href,
    each = Math.ceil(play.size / openers);
  const children = Array.from({ length: openers }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", opener, store, data, String(each)], { stdio: ["ignore", "inherit", "inherit"] }),
  );
  for (const child of children) play.after(() => child.kill("SIGKILL"));
  try {
    for (const [code] of await Promise.all(children.map((child) => once(child, "exit")))) {
      assert.equal(code, 0, "the file was opened");
      play.step();
    }
  } finally {
    isOver = true;
  }
  await written;
  const stored = new Map<string, Acknowledged>();
  await readOn(client, party, 0, stored);
  for (const [commandId, answer] of acknowledged) assert.deepEqual(stored.get(commandId), answer, commandId);
  client.close();
  await node.stop();
  assert.match(await runProgramWell("verify", "--data", data), /The ledger is sound/);
  play.count("acknowledged", acknowledged.size);
}

export const openings: Scenario = {
  name: "openings",
  unit: "openings",
  sizes: { test: 200, ci: 4_000, night: 200_000 },
  holds: "whoever opens the file of a running node, as backups do, takes nothing from it that was acknowledged",
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-openings-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    await openUnderLoad(play, join(folder, "ledger"));
  },
};
