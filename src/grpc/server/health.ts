/** The service `grpc.health.v1.Health`: whether calls are served, for those who keep watch over servers. */
import { setTimeout as sleep } from "node:timers/promises";
import { delimited, ProtoReader, ProtoWriter, WireFailure } from "../../lf/wire/index.js";
import type { Handlers, Status } from "../call.js";

export const healthService = "grpc.health.v1.Health";

export interface HealthOptions {
  /** Of all that may be asked for beside the whole. */
  readonly names: ReadonlySet<string>;
  isReady(): boolean;
  readonly intervalMs: number;
  /** Of a question, which is a name. */
  readonly messageBytesMax: number;
  /** Aborts when the server closes: nobody watches on. */
  readonly closing: AbortSignal;
}

const serving = 1,
  notServing = 2;

/** Who watches what is not known is told so, as the reference does, instead of waiting until it is. */
export function healthHandlers({ names, isReady, intervalMs, messageBytesMax, closing }: HealthOptions): Handlers {
  const state = (): number => (isReady() ? serving : notServing),
    problemOf = (message: Uint8Array): Status | undefined => {
      const name = serviceIn(message);
      if (name === undefined) return malformed;
      return name === "" || names.has(name) ? undefined : unknown(name);
    };
  return new Map([
    [
      `/${healthService}/Check`,
      {
        kind: "unary",
        messageBytesMax,
        async answer({ message }) {
          const problem = problemOf(message);
          return problem === undefined ? { ok: stateMessage(state()) } : { error: problem };
        },
      },
    ],
    [
      `/${healthService}/Watch`,
      {
        kind: "stream",
        messageBytesMax,
        async answer({ message, signal }, sink) {
          const problem = problemOf(message);
          if (problem !== undefined) return problem;
          const over = AbortSignal.any([signal, closing]);
          let told: number | undefined;
          while (!over.aborted) {
            const now = state();
            if (now !== told) await sink.send(stateMessage(now));
            told = now;
            await sleep(intervalMs, undefined, { signal: over }).catch(() => undefined);
          }
          return { code: 14, message: "The server is closing.", details: undefined };
        },
      },
    ],
  ]);
}

const malformed: Status = { code: 13, message: "Invalid protobuf byte sequence", details: undefined };

const unknown = (name: string): Status => ({ code: 5, message: `Component ${name} does not exist.`, details: undefined });

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
