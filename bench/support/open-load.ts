/**
 * Requests at a rate, whatever becomes of those before. A latency counts from when a request was due, so that a server that stands
 * still is not spared by clients that wait for it. Loopback only; it ends after the given time, when all are answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Connection, type Response } from "./load.js";

export interface OpenLoadPlan {
  readonly port: number;
  /** As many are under way at most; what is due beyond waits, which counts. */
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** The bytes of the next request. */
  next(index: number): Buffer;
  onRefused?(response: Response): void;
}

export interface OpenLoadResult {
  readonly accepted: number;
  readonly refused: number;
  /** Were due and found no connection until the time was over. */
  readonly unsent: number;
  readonly seconds: number;
  /** Of those that were accepted. */
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

interface PooledConnection extends Connection {
  idleSince: number;
}

const tickMs = 1,
  /** New connections of one tick; and as many are there before the first request is due, as a client's pool has them. */
  startingAtOnce = 64,
  /** A server closes what is idle for longer, perhaps just when something is sent. */
  idleMsMax = 5_000;

const connectAnother = async (port: number): Promise<PooledConnection> => ({ ...(await connect(port)), idleSince: performance.now() });

export async function runOpenLoad(plan: OpenLoadPlan): Promise<OpenLoadResult> {
  const free = await Promise.all(Array.from({ length: Math.min(startingAtOnce, plan.connections) }, () => connectAnother(plan.port)));
  const requests = Math.floor(plan.perSecond * plan.seconds),
    latencies: number[] = [],
    begin = performance.now();
  const dueAt = (index: number): number => begin + (index * 1_000) / plan.perSecond,
    isOver = (): boolean => performance.now() >= begin + plan.seconds * 1_000,
    isDue = (): boolean => sent < requests && dueAt(sent) <= performance.now() && !isOver();
  let sent = 0,
    refused = 0,
    busy = 0;
  /** The one that was used last; those that were not for long are left. */
  const next = (): PooledConnection | undefined => {
    const last = free.pop();
    if (last === undefined || performance.now() < last.idleSince + idleMsMax) return last;
    for (const { socket } of [last, ...free.splice(0)]) socket.destroy();
    return undefined;
  };
  const send = async (): Promise<void> => {
    const connection = next() ?? (await connectAnother(plan.port)),
      { socket, reader } = connection;
    while (isDue()) {
      const index = sent++;
      socket.write(plan.next(index));
      const response = await reader.next();
      if (response.status === 200) latencies.push(performance.now() - dueAt(index));
      else {
        refused++;
        plan.onRefused?.(response);
      }
    }
    connection.idleSince = performance.now();
    free.push(connection);
  };
  let failure: unknown;
  while ((!isOver() || busy > 0) && failure === undefined) {
    for (let starting = 0; busy < plan.connections && starting < startingAtOnce && isDue(); starting++) {
      busy++;
      send()
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => busy--);
    }
    await sleep(tickMs);
  }
  const seconds = (performance.now() - begin) / 1_000;
  for (const { socket } of free) socket.destroy();
  if (failure !== undefined) throw failure;
  const sorted = Float64Array.from(latencies).sort(),
    at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { accepted: latencies.length, refused, unsent: requests - sent, seconds, latencyMs: { p50: at(0.5), p99: at(0.99), max: at(1) } };
}
