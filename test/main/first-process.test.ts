/** The first process of a container, which the system spares every signal that it does not ask for. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants } from "node:os";
import { test } from "node:test";
import { tested } from "../support/node-process.js";

const namespace = ["--pid", "--fork", "--mount-proc"],
  canBeFirst = spawnSync("unshare", [...namespace, "true"]).status === 0;

test(
  "the first process of a container: a signal ends a command that is not done yet",
  { skip: canBeFirst ? false : "needs unshare and the right to use it", timeout: 60_000 },
  async (t) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const silent = createServer().listen(0, "127.0.0.1");
      t.after(() => {
        silent.closeAllConnections();
        silent.close();
      });
      await once(silent, "listening");
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        unshare = spawn("unshare", [...namespace, tested.file, ...tested.args, "doctor", "--url", url], { stdio: "ignore" }),
        ended = once(unshare, "exit");
      await once(silent, "request"); // it waits for an answer now
      process.kill(childOf(unshare.pid!), signal);
      const [code] = await ended;
      assert.equal(code, 128 + constants.signals[signal], "a command that nobody ended tells that there is no answer, by another code");
    }
  },
);

const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
