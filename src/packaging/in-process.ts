/** A node in the process of who asks for one; `public.d.cts` says what they get. */
import { readFileSync } from "node:fs";
import { isFailure } from "../base/result.js";
import { outliveStderr } from "../base/stderr.js";
import { parseCommandLine } from "../command-line.js";
import { limits } from "../config.js";
import { asFlag, type Naming } from "../flags.js";
import { inWords, type LedgerErrorData } from "../ledger/index.js";
import { type RunningNode, startNode } from "../node.js";
import { runtimeFailure, StartFailure } from "../start-failure.js";
import { addressAt, type FlagName, type FlagValues, type StartOptions } from "../start-options.js";
import { version } from "../version.js";
import { darWords, isDar, optionsProblem, partyProblem } from "./options.js";
import type * as Public from "./public.cjs";

/** What they get as their `LedgerlineError`. */
class Refusal extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Held against what is declared to those who use it. */
type Face = Omit<typeof Public, "default">;

/**
 * `CallersError`: the `Error` of their realm. Test runners give each file a realm of its own, in which an error of this one is no
 * `Error`.
 */
export function faceFor(CallersError: ErrorConstructor): Face {
  class LedgerlineError extends CallersError {
    override readonly name = "LedgerlineError";
    constructor(
      message: string,
      readonly code: string | undefined,
    ) {
      super(message);
    }
  }
  const inTheirs =
    <Arguments extends unknown[], T>(act: (...given: Arguments) => Promise<T>) =>
    (...given: Arguments): Promise<T> =>
      act(...given).catch((error: unknown) => {
        throw error instanceof Refusal ? new LedgerlineError(error.message, error.code) : error;
      });
  const start = inTheirs(startLedgerline);
  return {
    LedgerlineError,
    version,
    async startLedgerline(options) {
      const ledger = await start(options);
      return { ...ledger, uploadDar: inTheirs(ledger.uploadDar), allocateParty: inTheirs(ledger.allocateParty) };
    },
  };
}

async function startLedgerline(asked: Public.LedgerlineOptions = {}): Promise<Public.Ledgerline> {
  const problem = runtimeFailure()?.message ?? optionsProblem(asked);
  if (problem !== undefined) throw new Refusal(problem);
  const options = startOptionsOf(asked),
    dars = (asked.dars ?? []).map(openDar);
  const release = outliveStderr();
  const node = await startNode(options, { dars }).catch((error: unknown) => {
    release();
    throw error instanceof StartFailure ? new Refusal(error.message) : error;
  });
  const handle = handleOf(node, options, release);
  void node.ending.then(({ verdict, message }) => {
    process.stderr.write(`A ledger of this process ${verdict}: ${message}. The node stops.\n`);
    return handle.stop().catch((error: unknown) => process.stderr.write(`It could not be closed: ${String(error)}.\n`));
  });
  return handle;
}

function handleOf(node: RunningNode, options: StartOptions, release: () => void): Public.Ledgerline {
  const { ledger, port, grpcPort } = node,
    urlOf = (at: number): string => addressAt(options, at);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= node.close(limits.drainMs, "it was stopped").finally(release));
  return {
    url: urlOf(port),
    port,
    grpcPort,
    participantId: ledger.participantId,
    synchronizerIds: ledger.synchronizers.map(({ id }) => id),
    otherParticipants: node.doors.map((door) => ({ ...door, url: urlOf(door.port) })),
    stop,
    [Symbol.asyncDispose]: stop,
    async uploadDar(dar) {
      if (!isDar(dar)) throw new Refusal(`A DAR must be ${darWords}.`);
      const { name, bytes } = openDar(dar);
      const uploaded = await node.uploadDar(bytes);
      if (isFailure(uploaded)) throw refusal(`${name} was refused`, uploaded.error);
    },
    async allocateParty(hint = "", asked = {}) {
      const problem = partyProblem(hint, asked);
      if (problem !== undefined) throw new Refusal(problem);
      const { synchronizerId = ledger.synchronizerId } = asked;
      const allocated = await ledger.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId, userId: "" });
      if (isFailure(allocated)) throw refusal(`The party ${hint} was not allocated`, allocated.error);
      return allocated.ok.party;
    },
  };
}

const refusal = (what: string, error: LedgerErrorData): Refusal => new Refusal(`${what}: ${inWords(error)}`, error.code);

/** The ledger may give the bytes away, so they are its own. */
function openDar(dar: string | Uint8Array): { readonly name: string; readonly bytes: Uint8Array } {
  if (typeof dar !== "string") return { name: "The DAR", bytes: Uint8Array.from(dar) };
  try {
    return { name: dar, bytes: readFileSync(dar) };
  } catch (error) {
    throw new Refusal(`Cannot read ${dar}: ${(error as Error).message}`);
  }
}

/** By the command line's own rules and words; the environment is that of who embeds the node, and says nothing to it. */
function startOptionsOf({
  memory,
  data,
  port,
  host,
  staticTime = false,
  workers,
  logLevel,
  flags = {},
}: Public.LedgerlineOptions): StartOptions {
  if (data !== undefined && memory === true) throw new Refusal("memory and data exclude each other.");
  const named: { readonly [N in FlagName]?: string | number | undefined } = { data, port, workers, "log-level": logLevel, host };
  const parsed = parseCommandLine(
    [
      "start",
      ...(memory === true ? ["--memory"] : []),
      ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
      ...(staticTime ? ["--static-time"] : []),
      ...Object.entries(flags).flatMap(([name, value]) =>
        value === undefined ? [] : value === true ? [`--${name}`] : [value].flat().map((each) => `--${name}=${String(each)}`),
      ),
    ],
    {},
    { defaults, naming: (name, text) => (named[name] === undefined ? asFlag : asOption)(name, text) },
  );
  if (isFailure(parsed)) throw new Refusal(parsed.error);
  if (parsed.ok.command !== "start") throw new Refusal(`--${parsed.ok.command} starts no ledger.`);
  const { options } = parsed.ok;
  if (memory === false && options.memory) throw new Refusal("A ledger that is not in memory needs data, the folder that it is kept in.");
  return options;
}

/** In the words of `public.d.cts`. */
const asOption: Naming<FlagName> = (name, text) => {
  const option = name === "log-level" ? "logLevel" : name;
  return text === undefined ? option : `${option} ${text}`;
};

/** Of who says nothing else, by an option, a flag, or what goes with one. */
const defaults: FlagValues = { memory: true, port: "0", workers: "1", "log-level": "silent" };

export default faceFor(Error);
