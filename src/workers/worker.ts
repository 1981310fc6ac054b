/** A thread's entry: Piscina calls the default export with each task (its contract; we export nothing else by default). */
import { workerData } from "piscina";
import { EngineHost } from "./engine-host.js";
import { tellDamage } from "./warnings.js";
import type { WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";

tellDamage();
const host = EngineHost.open(workerData as WorkerSettings);

export default async function run(task: WorkerTask): Promise<WorkerReply> {
  return (await host).run(task);
}
