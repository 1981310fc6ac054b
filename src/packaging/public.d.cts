/**
 * What the package `ledgerline` exports: a node in this process, for test suites and programs. The program is CommonJS, and so are its
 * declarations: modules of both kinds may import them.
 */

export interface LedgerlineOptions {
  /** A private ledger that goes with the node (the default). Nothing of it is flushed to disk. `false` needs `data`. */
  readonly memory?: boolean;
  /** Instead: the folder of a ledger that stays. Only one node of any process may have it. */
  readonly data?: string;
  /** Uploaded before the node is ready, to all participants on all synchronizers: files, or their bytes. */
  readonly dars?: readonly (string | Uint8Array)[];
  /** Default: any that is free; with the flag `localnet`, those of a LocalNet. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** The ledger's clock stands still until it is moved. */
  readonly staticTime?: boolean;
  /** Engine threads (default 1). */
  readonly workers?: number;
  /** Lines on stderr (default: silent); `trace` is a spelling of `debug`. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  /** Further flags of `ledgerline start` by their names, none that an option has said; for instance `{ "participant-name": "north", "auth": ["hs256:secret"] }`. */
  readonly flags?: Readonly<Record<string, string | number | true | readonly string[]>>;
}

export interface Ledgerline {
  /** Of the JSON API, for instance `http://127.0.0.1:41231`. */
  readonly url: string;
  readonly port: number;
  /** Of the gRPC Ledger API; undefined without the flag `grpc-port`. */
  readonly grpcPort: number | undefined;
  /** The id that `GET /v2/parties/participant-id` tells. */
  readonly participantId: string;
  /** Of the synchronizers that it is connected to; at least one. */
  readonly synchronizerIds: readonly string[];
  /** Those of the flag `participant`: each has a JSON API of its own. */
  readonly otherParticipants: readonly OtherParticipant[];
  /**
   * Checks, stores and vets the packages of a DAR, a file or its bytes, for all participants on all synchronizers. Throws
   * `LedgerlineError` if it is refused.
   */
  uploadDar(dar: string | Uint8Array): Promise<void>;
  /**
   * The id of the new party; without a hint it is given one. `synchronizerId`: where it is allocated (default: the first of
   * `synchronizerIds`). Throws `LedgerlineError` if there is such a party.
   */
  allocateParty(hint?: string, options?: { readonly synchronizerId?: string }): Promise<string>;
  /** Ends running requests and gives everything back: threads, ports, files. A second call waits for the first. */
  stop(): Promise<void>;
  /** The same at the end of the block, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface OtherParticipant {
  readonly name: string;
  /** Of its JSON API. */
  readonly url: string;
  readonly port: number;
  /** Of its gRPC Ledger API; undefined where no flag `grpc-port` names it. */
  readonly grpcPort: number | undefined;
  readonly participantId: string;
}

/** Why a node did not start, or did not do what it was asked for, as a sentence. */
export declare class LedgerlineError extends Error {
  readonly name: "LedgerlineError";
  /** Of the ledger, where it has one for this: `INVALID_ARGUMENT`. */
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined);
}

/** Starts a node in this process. There may be several at once. Throws `LedgerlineError`. */
export declare function startLedgerline(options?: LedgerlineOptions): Promise<Ledgerline>;

/** Of the program. */
export declare const version: string;
