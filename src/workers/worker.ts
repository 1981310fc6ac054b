/** A thread's entry: Piscina calls the default export with each task (its contract; we export nothing else by default). */
import { setTimeout as sleep } from "node:timers/promises";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { isFailure } from "../base/result.js";
import { limits } from "../config.js";
import { EngineHost } from "./engine-host.js";
import { keepYoungSpaceSmall } from "./garbage.js";
import type { WorkerReplies, WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";
import { tellDamage } from "./warnings.js";

/** Piscina waits for the next task without a turn of the event loop: a thread would keep all the timers that lmdb sets, one a snapshot. */
let untilTurn = limits.messagesBetweenTurns;

tellDamage();
const host = EngineHost.open(workerData as WorkerSettings);

export default async function run(task: WorkerTask): Promise<WorkerReply> {
  const reply = (await host).run(task);
  if (--untilTurn === 0) {
    await sleep(1);
    await keepYoungSpaceSmall();
    untilTurn = limits.messagesBetweenTurns;
  }
  return task.kind === "readDar" ? (handedOver(reply as WorkerReplies["readDar"]) as WorkerReply) : reply;
}

/** The packages of a DAR are handed over, not copied: that would hold up the thread that takes them. */
function handedOver(outcome: WorkerReplies["readDar"]): unknown {
  if (isFailure(outcome)) return outcome;
  const memory = new Set(outcome.ok.packages.flatMap(({ payload }) => (payload === undefined ? [] : [payload.buffer])));
  return move({
    get [transferableSymbol]() {
      return [...memory];
    },
    get [valueSymbol]() {
      return outcome;
    },
  } as never);
}
