/** A thread's entry: Piscina calls the default export with each task (its contract; we export nothing else by default). */
import { isFailure } from "../base/result.js";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { EngineHost } from "./engine-host.js";
import type { WorkerReplies, WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";
import { tellDamage } from "./warnings.js";

tellDamage();
const host = EngineHost.open(workerData as WorkerSettings);

export default async function run(task: WorkerTask): Promise<WorkerReply> {
  const reply = (await host).run(task);
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
