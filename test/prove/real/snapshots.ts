/** Nobody holds a snapshot for longer than he reads: pages of old commits would never be used again, and the file would grow. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore, type Store } from "../../../src/store/index.js";
import { createAsset, prepare } from "../../crash/load.js";
import { everythingWithBlobs, eventFormat } from "../../scenarios/world.js";
import { Client, startNodeProcess } from "../../support/node-process.js";
import type { Scenario } from "../scenario.js";

const perLook = 50,
  lanes = 8,
  commitsBehindMax = 2,
  restMsMax = 60_000;

/** What readers are behind when nobody has anything to do. */
async function behindAtRest(store: Store): Promise<number> {
  for (const until = Date.now() + restMsMax; ; await sleep(50)) {
    const behind = store.oldestReaderCommits();
    if (behind <= commitsBehindMax || Date.now() > until) return behind;
  }
}

export const snapshots: Scenario = {
  name: "snapshots",
  unit: "looks",
  sizes: { test: 3, ci: 20, night: 2_000 },
  holds: `after every ${perLook} commands, with reads beside them, no reader of the file is left behind`,
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-snapshots-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    const node = await startNodeProcess(["--data", folder, "--workers", "2"]),
      client = new Client(node.port, lanes);
    play.after(() => node.stop("SIGKILL"));
    const party = await prepare(client),
      store = await openStore({ folder, readOnly: true });
    play.after(() => store.close());
    for (let look = 0; look < play.size; look++) {
      for (let done = 0; done < perLook; done += lanes) {
        const replies = await Promise.all(
          Array.from({ length: lanes }, (_, lane) => createAsset(client, party, `${look}-${done}-${lane}`)),
        );
        for (const { status, text } of replies) assert.equal(status, 200, text);
      }
      const { offset } = (await client.get("/v2/state/ledger-end")).json() as { offset: number };
      const read = await client.post("/v2/state/active-contracts?limit=100", {
        activeAtOffset: offset,
        eventFormat: eventFormat({ parties: [party], filters: [everythingWithBlobs] }),
      });
      assert.equal(read.status, 200, read.text);
      const behind = await behindAtRest(store);
      play.most("commits behind", behind);
      assert.ok(
        behind <= commitsBehindMax,
        `a snapshot is held that is ${behind} commits old, by ${JSON.stringify(store.readers())} (${node.child.pid} is the node)`,
      );
      play.step();
    }
    client.close();
    assert.equal(await node.stop(), 0, node.stderr());
  },
};
