/** What runs on an engine thread: Piscina calls the default export of its entry with each task, and this is what that has to be. */
import { setTimeout as sleep } from "node:timers/promises";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { isFailure } from "../base/result.js";
import { wholeTurn } from "../base/turns.js";
import { limits } from "../config.js";
import type { SubmissionReader } from "../ledger/engine/index.js";
import { BusyTime } from "./busy-time.js";
import { EngineHost } from "./engine-host.js";
import { collectYoungWhenFull, keepYoungSpaceSmall, letOldObjectsGather } from "./garbage.js";
import type { WorkerReplies, WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";
import { giveWay } from "./priority.js";
import { asThrown } from "./thrown.js";
import { tellEnding, tellLoaded } from "./warnings.js";

/** `readPlain`: reads the bodies of submissions that nobody has looked into. */
export function engineThread(readPlain: SubmissionReader): (task: WorkerTask) => Promise<WorkerReply> {
  /** Piscina waits for the next task without a turn of the event loop: a thread would keep all the timers that lmdb sets, one a snapshot. */
  let untilTurn = limits.messagesBetweenTurns;
  const busyTime = new BusyTime();
  /** The last task may have left much. It is looked at before the next one begins, whose time that is not. */
  let mayHoldMuch = false;
  tellEnding();
  const settings = workerData as WorkerSettings;
  if (settings.givesWayBy !== undefined) giveWay(settings.givesWayBy);
  if (settings.isOwnProcess === true) collectYoungWhenFull();
  const host = EngineHost.open(settings, readPlain);
  host.then(tellLoaded, () => undefined); // why it cannot be opened is told by the first task
  return async (task) => {
    const running = await host;
    if (mayHoldMuch) running.lookAtMemory();
    const reply = busyTime.run(() => answered(running, task));
    if (task.kind === "ping" || settings.isSpare === true) await wholeTurn();
    untilTurn -= 1;
    mayHoldMuch = untilTurn === 0 || busyTime.lastMs >= limits.workerKeptAfterMs;
    if (untilTurn === 0) {
      await sleep(1);
      if (settings.isOwnProcess === true) letOldObjectsGather(limits.oldObjectsMorePercent); // a node with little to do stays small
      const isBusy = busyTime.takeShare() >= limits.busyShareMin;
      await keepYoungSpaceSmall(isBusy ? limits.youngSpaceKeptBusyBytes : limits.youngSpaceKeptBytes);
      untilTurn = limits.messagesBetweenTurns;
    }
    return task.kind === "readDar" ? (handedOver(reply as WorkerReplies["readDar"]) as WorkerReply) : reply;
  };
}

function answered(host: EngineHost, task: WorkerTask): WorkerReply {
  try {
    return host.run(task);
  } catch (error) {
    throw asThrown(error);
  }
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
