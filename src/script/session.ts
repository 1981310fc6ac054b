/** Scripts one after the other on one ledger, as operations scripts run: each finds what those before it left. */
import { randomBytes } from "node:crypto";
import { BroadcastChannel } from "node:worker_threads";
import { isFailure } from "../base/result.js";
import { FatalError, toLedgerValue, type Value } from "../lf/running-code.js";
import { describeFailure } from "./describe-failure.js";
import type { FoundScript } from "./find-scripts.js";
import type { ScriptLedger } from "./ledger.js";
import { MemoryLedger, partySuffixes } from "./memory/index.js";
import { JsonLedger, type Participant } from "./node/index.js";
import { plainFailure, type ScriptFailure, type ScriptName } from "./outcome.js";
import type { ContractMode, DarPackages, ScriptPackages } from "./packages.js";
import { ParticipantsLedger } from "./participants.js";
import { parseExactJson, readPlainJson, showPlainJson } from "./plain-json/index.js";
import { readableBy, shortId } from "./show/index.js";
import { referenceFailure } from "./reference-failure.js";
import { ScriptRun, type ScriptRunOptions } from "./runner.js";
import { traceOf } from "./trace.js";
import { WallClockLedger } from "./wall-clock-ledger.js";

/** Whose ledger it is, as it crosses threads. */
export type LedgerChoice =
  | { readonly kind: "memory"; readonly mode: ContractMode | undefined; readonly seed: string; readonly wallClock: boolean }
  | {
      readonly kind: "nodes";
      readonly default: Participant | undefined;
      readonly named: readonly (readonly [string, Participant])[];
      readonly parties: readonly (readonly [string, string])[];
      readonly staticTime: boolean;
    };

export interface Session {
  readonly dar: DarPackages;
  readonly scripts: readonly FoundScript[];
  readonly ledger: LedgerChoice;
  /** The text of JSON, of the only script. */
  readonly input: string | undefined;
  /** None by default: scripts of operations may take long. */
  readonly timeLimitMs: number;
  /** The name of the channel on which others hear what code says by `trace`, line by line as it does. */
  readonly traceChannel: string;
}

export interface SessionOutcome {
  readonly script: ScriptName;
  readonly failure: ScriptFailure | undefined;
  readonly elapsedMs: number;
  /** Of a failure, where the reference has one like it. */
  readonly referenceText: string | undefined;
  readonly trace: readonly string[];
  /** What it returned as JSON; undefined for what has none, such as functions. */
  readonly result: string | undefined;
}

export async function runSession(packages: ScriptPackages, session: Session): Promise<readonly SessionOutcome[]> {
  const ledger = openLedger(packages, session.ledger),
    uniqueSuffix = suffixesFor(session.ledger);
  const outcomes: SessionOutcome[] = [],
    listeners = new BroadcastChannel(session.traceChannel);
  try {
    const tell = (line: string): void => listeners.postMessage(line);
    for (const script of session.scripts) outcomes.push(await runOne({ packages, ledger, uniqueSuffix }, script, session, tell));
    return outcomes;
  } finally {
    listeners.close();
  }
}

function openLedger(packages: ScriptPackages, choice: LedgerChoice): ScriptLedger {
  if (choice.kind === "memory") {
    const options = { packages, mode: choice.mode ?? packages.contractMode, seed: choice.seed };
    return choice.wallClock ? new WallClockLedger(options) : new MemoryLedger(options);
  }
  const nodes = new Map<string, ScriptLedger>();
  /** The default one may be one of those with names. */
  const node = (participant: Participant): ScriptLedger => {
    const key = JSON.stringify(participant),
      made = nodes.get(key) ?? new JsonLedger({ packages, participant, staticTime: choice.staticTime });
    nodes.set(key, made);
    return made;
  };
  return new ParticipantsLedger({
    default: choice.default && node(choice.default),
    named: new Map(choice.named.map(([name, participant]) => [name, node(participant)])),
    parties: new Map(choice.parties),
  });
}

async function runOne(
  world: Pick<ScriptRunOptions, "packages" | "ledger" | "uniqueSuffix">,
  found: FoundScript,
  { input, timeLimitMs }: Session,
  tell: (line: string) => void,
): Promise<SessionOutcome> {
  const { packages } = world,
    trace = traceOf(packages, tell),
    begun = performance.now();
  const outcome = (failure: ScriptFailure | undefined, { result, referenceText }: Partial<SessionOutcome> = {}): SessionOutcome => ({
    script: found.script,
    failure,
    referenceText,
    elapsedMs: performance.now() - begun,
    trace,
    result,
  });
  const argument = argumentOf(packages, found, input);
  if (typeof argument === "string") return outcome(plainFailure("refused", argument));
  const run = new ScriptRun({ ...world, library: packages.library(found.library), timeLimitMs });
  try {
    const value = await run.start({ packageId: packages.main.id, ...found.script }, argument?.value);
    return outcome(undefined, { result: resultJson(packages, found, value) });
  } catch (error) {
    return outcome(describeFailure(error, run.lastStack, readableBy(packages, shortId)), {
      referenceText: referenceFailure(error, packages),
    });
  }
}

/** On a node, names must not meet those of an earlier session; in memory they are the same in each. */
function suffixesFor(ledger: LedgerChoice): () => string {
  return ledger.kind === "nodes" ? () => randomBytes(4).toString("hex") : partySuffixes(ledger.seed);
}

/** A sentence says why there is none. */
function argumentOf(
  packages: ScriptPackages,
  { script, parameter }: FoundScript,
  input: Session["input"],
): { readonly value: Value } | undefined | string {
  if (parameter === undefined)
    return input === undefined ? undefined : `${script.module}:${script.name} takes no argument: leave --input-file out.`;
  if (input === undefined) return `${script.module}:${script.name} takes an argument: give it with --input-file.`;
  const json = parseExactJson(input);
  if (isFailure(json)) return `The input ${json.error}.`;
  try {
    const value = readPlainJson(packages.engine.types.of(parameter), json.ok);
    return isFailure(value)
      ? `The input does not fit the argument of ${script.module}:${script.name}: ${value.error}`
      : { value: value.ok };
  } catch (error) {
    if (error instanceof FatalError)
      return `The argument of ${script.module}:${script.name} is of a type that no file can hold: ${error.error.message}`;
    throw error;
  }
}

function resultJson(packages: ScriptPackages, { result }: FoundScript, value: Value): string | undefined {
  try {
    const type = packages.engine.types.of(result);
    return showPlainJson(type, toLedgerValue(type, value));
  } catch (error) {
    if (error instanceof FatalError) return undefined;
    throw error;
  }
}
