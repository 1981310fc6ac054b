/** The gRPC Ledger API at a port of its own: each call is a request to the JSON API, within the process. */
import type { Served } from "../api/index.js";
import { waitForAll } from "../base/closing.js";
import type { Turns } from "../base/turns.js";
import type { BodyBudget, Connections, TlsIdentity } from "../http/index.js";
import type { Participant } from "../ledger/index.js";
import type { Call } from "./call.js";
import { handlersOf } from "./handlers.js";
import { JsonCalls } from "./json/index.js";
import { methods, timeService, versionService } from "./methods/index.js";
import { protoFiles } from "./schema/index.js";
import { type GrpcServer, openGrpcServer } from "./server/index.js";
import { ReplyValues } from "./values/index.js";

export type { GrpcServer } from "./server/index.js";

export interface LedgerGrpcOptions {
  readonly host: string;
  /** 0 = any free. */
  readonly port: number;
  /** What the JSON API of the same participant serves. */
  readonly served: Served;
  readonly ledger: Pick<Participant, "describeTypes">;
  /** Whether only those are let in who bring a token. */
  takesTokens(): boolean;
  /** Whether callers may set the ledger's clock, by a service that is not there otherwise. */
  readonly isTimeStatic: boolean;
  /** Undefined: without TLS. */
  readonly tls: TlsIdentity | undefined;
  /** Shared with whatever else runs on this thread. */
  readonly turns: Turns;
  /** Of all that this process serves. */
  readonly bodies: BodyBudget;
  readonly connections: Connections;
  isReady(): boolean;
  onError(error: unknown): void;
}

/** What Canton's health checks are called. */
const components = ["index", "indexer", "write"];

export async function openLedgerGrpc({
  served,
  ledger,
  takesTokens,
  isTimeStatic,
  turns,
  ...options
}: LedgerGrpcOptions): Promise<GrpcServer> {
  const { bodies, onError } = options,
    calls = new JsonCalls({ ...served, bodies, turns, onError }),
    isHere = (service: string): boolean => isTimeStatic || service !== timeService,
    methodsHere = methods.filter(({ service }) => isHere(service)),
    files = protoFiles.filter(({ services }) => services.every(isHere));
  const handlers = handlersOf(methodsHere, {
    calls,
    values: new ReplyValues(ledger),
    turns,
    refusal: (error, headers) => calls.refusal(served.refusal(error, { method: "POST", path: "/v2", query: "", headers }), headers),
  });
  const guarded = new Set([...handlers.keys()].filter((path) => !path.startsWith(`/${versionService}/`))),
    judge = (path: string, headers: Call["headers"]) => (takesTokens() && guarded.has(path) ? calls.judge(headers) : undefined);
  const server = await openGrpcServer({ ...options, handlers, methods: methodsHere, files, components, judge });
  return {
    port: server.port,
    async close(drainMs) {
      const closed = await waitForAll([calls.close(drainMs), server.close(drainMs)]);
      return closed.every((drained) => drained);
    },
  };
}
