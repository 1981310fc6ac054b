/** Ledgers of former formats, whose migration is killed at any moment: the next start finds all of it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  checkFilled,
  checkNetwork,
  fileOf,
  formatsOf,
  networkFileOf,
  participantName,
  putBack,
  seenBySecond,
  withNetwork,
  withNode,
} from "../../crash/former-ledgers.js";
import { Random } from "../../support/random.js";
import { tested } from "../../support/node-process.js";
import type { Scenario } from "../scenario.js";
import { runProgramWell } from "./backups.js";

const killsMax = 3;

/** A ledger that is kept: its file, what its node is started with, and what it has to hold. */
interface FormerLedger {
  readonly file: string;
  readonly flags: readonly string[];
  readonly check: (data: string) => Promise<void>;
}
const ledgers: readonly FormerLedger[] = [
  ...formatsOf("format").map((format) => ({
    file: fileOf(format),
    flags: [],
    check: (data: string) => withNode(data, checkFilled),
  })),
  ...formatsOf("network").map((format) => ({
    file: networkFileOf(format),
    flags: ["--participant", "second=0"],
    check: (data: string) => withNetwork(data, ([, there]) => checkNetwork(there, seenBySecond)),
  })),
];

async function killStart(data: string, flags: readonly string[], afterMs: number): Promise<void> {
  const asked = ["start", "--port", "0", "--data", data, "--participant-name", participantName, ...flags],
    node = spawn(tested.file, [...tested.args, ...asked], { stdio: "ignore" }),
    ended = once(node, "exit");
  await Promise.race([sleep(afterMs), ended]);
  node.kill("SIGKILL");
  const [code] = (await ended) as [number | null];
  assert.equal(code, null, "a start goes on until it is killed");
}

/** Milliseconds until a ledger of a former format is ready, on this machine as it is now: within them starts are killed. */
async function timeToStart(): Promise<number> {
  const { file } = ledgers[0]!;
  return withLedger(file, (data) => {
    const began = performance.now();
    return withNode(data, () => Promise.resolve(Math.ceil(performance.now() - began)));
  });
}

async function withLedger<T>(file: string, use: (data: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-migrated-")),
    data = join(folder, "ledger");
  try {
    putBack(file, data);
    return await use(data);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const killedMigrations: Scenario = {
  name: "killed-migrations",
  unit: "ledgers",
  sizes: { test: 2, ci: 18, night: 1_000 },
  holds: "a ledger of a former format whose first start was killed is there whole at the next, and goes on",
  async run(play) {
    const killedAfterMsMax = await timeToStart();
    await play.cases(async (seed) => {
      const random = new Random(seed),
        { file, flags, check } = ledgers[seed % ledgers.length]!;
      await withLedger(file, async (data) => {
        for (let left = 1 + random.below(killsMax); left > 0; left--) {
          await killStart(data, flags, random.below(killedAfterMsMax));
          play.count("kills");
        }
        await check(data);
        assert.match(await runProgramWell("verify", "--data", data), /The ledger is sound/);
      });
    });
  },
};
