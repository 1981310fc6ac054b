/** The service `grpc.health.v1.Health`: whether calls are served, for those who keep watch over servers. */
import { setTimeout as sleep } from "node:timers/promises";
import { delimited, ProtoReader, ProtoWriter, WireFailure } from "../../lf/wire/index.js";
import type { Handlers, Status } from "../call.js";

export const healthService = "grpc.health.v1.Health";

export interface HealthOptions {
  /** The names of all services that are served. */
  readonly services: ReadonlySet<string>;
  isReady(): boolean;
  readonly intervalMs: number;
  /** Aborts when the server closes: nobody watches on. */
  readonly closing: AbortSignal;
}

const serving = 1,
  notServing = 2,
  serviceUnknown = 3;

export function healthHandlers({ services, isReady, intervalMs, closing }: HealthOptions): Handlers {
  const stateOf = (service: string): number => {
    if (service !== "" && !services.has(service)) return serviceUnknown;
    return isReady() ? serving : notServing;
  };
  return new Map([
    [
      `/${healthService}/Check`,
      {
        kind: "unary",
        async answer({ message }) {
          const service = serviceIn(message);
          if (service === undefined) return { error: malformed };
          const state = stateOf(service);
          return state === serviceUnknown ? { error: unknownService(service) } : { ok: stateMessage(state) };
        },
      },
    ],
    [
      `/${healthService}/Watch`,
      {
        kind: "stream",
        async answer({ message, signal }, sink) {
          const service = serviceIn(message);
          if (service === undefined) return malformed;
          const over = AbortSignal.any([signal, closing]);
          let told: number | undefined;
          while (!over.aborted) {
            const state = stateOf(service);
            if (state !== told) await sink.send(stateMessage(state));
            told = state;
            await sleep(intervalMs, undefined, { signal: over }).catch(() => undefined);
          }
          return { code: 14, message: "The server is closing.", details: undefined };
        },
      },
    ],
  ]);
}

const malformed: Status = { code: 13, message: "Invalid protobuf byte sequence", details: undefined };

const unknownService = (service: string): Status => ({ code: 5, message: `unknown service ${service}`, details: undefined });

/** Of `HealthCheckRequest`; undefined: it is none. */
function serviceIn(message: Uint8Array): string | undefined {
  const input = new ProtoReader(message);
  let service = "";
  try {
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === delimited(1)) service = input.text();
      else input.skip(tag);
    }
  } catch (error) {
    if (error instanceof WireFailure) return undefined;
    throw error;
  }
  return service;
}

function stateMessage(state: number): Uint8Array {
  const out = new ProtoWriter();
  out.varint(state);
  out.tag(1, 0);
  return out.finish();
}
