/** Runs one script on a fresh ledger in memory. */
import { limits } from "../config.js";
import { showTimestamp, unit, type Value } from "../lf/running-code.js";
import { coverageOf } from "./coverage.js";
import { describeFailure } from "./describe-failure.js";
import { MemoryLedger, type MemoryStep, partySuffixes, showStep } from "./memory/index.js";
import { type LedgerRecord, type ScriptFailure, type ScriptOutcome, showScript } from "./outcome.js";
import type { FoundScript } from "./find-scripts.js";
import type { ContractMode, ScriptPackages } from "./packages.js";
import { ScriptRun } from "./runner.js";
import { Shower } from "./show/index.js";
import { traceOf } from "./trace.js";

export interface MemoryRunOptions {
  readonly seed: string;
  /** Undefined: as the packages need it. */
  readonly mode: ContractMode | undefined;
  readonly timeLimitMs: number;
  /** A record of the ledger also of scripts that end well. */
  readonly withLedger: boolean;
}

export async function runInMemory(packages: ScriptPackages, found: FoundScript, options: MemoryRunOptions): Promise<ScriptOutcome> {
  const seed = `${options.seed}/${packages.main.name}/${showScript(found.script)}`;
  const ledger = new MemoryLedger({ packages, mode: options.mode ?? packages.contractMode, seed });
  const run = new ScriptRun({
    packages,
    library: packages.library(found.library),
    ledger,
    timeLimitMs: options.timeLimitMs,
    uniqueSuffix: partySuffixes(seed),
  });
  const trace = traceOf(packages);
  const begun = performance.now();
  let failure: ScriptFailure | undefined, result: Value | undefined;
  try {
    result = await run.start({ packageId: packages.main.id, module: found.script.module, name: found.script.name });
  } catch (error) {
    failure = describeFailure(error, run.lastStack, shower(packages, ledger).readable);
  }
  const elapsedMs = performance.now() - begun;
  const transactions = ledger.steps.flatMap((step) => (step.kind === "transaction" ? [step.transaction] : []));
  return {
    script: found.script,
    failure,
    elapsedMs,
    questions: run.questions,
    transactions: ledger.steps.length,
    activeContracts: ledger.contracts.activeCount,
    // As in the reference, a script that failed covers nothing.
    coverage: coverageOf(failure === undefined ? transactions : []),
    result: result === undefined ? undefined : resultText(result, found, shower(packages, ledger)),
    trace,
    ledger: failure !== undefined || options.withLedger ? record(packages, ledger) : undefined,
  };
}

function resultText(result: Value, { result: type }: FoundScript, shown: Shower): string | undefined {
  return result === unit ? "()" : shown.runtimeValue(type, result);
}

const shower = (packages: ScriptPackages, ledger: MemoryLedger): Shower =>
  new Shower(packages, { labelOf: (contractId) => ledger.labelOf(contractId), charsMax: limits.scriptValueCharsMax });

function record(packages: ScriptPackages, ledger: MemoryLedger): LedgerRecord {
  const shown = shower(packages, ledger),
    firstStep = firstShown(ledger.steps),
    activeLeftOut = Math.max(0, ledger.contracts.activeCount - limits.scriptShownContractsMax);
  return {
    firstStep,
    steps: ledger.steps.slice(firstStep).map((step) => showStep(step, shown)),
    active: [...ledger.contracts.allActive()].slice(activeLeftOut).map(({ label, instance: { templateId, argument } }) => ({
      contract: label,
      template: packages.nameOf(templateId),
      argument: shown.payload(templateId, argument),
    })),
    activeLeftOut,
    time: showTimestamp(ledger.now),
  };
}

/** As many of the last steps as may be shown, the last one in any case. */
function firstShown(steps: readonly MemoryStep[]): number {
  let nodes = 0,
    first = steps.length;
  while (first > 0 && (nodes += nodesOf(steps[first - 1]!)) <= limits.scriptShownNodesMax) first--;
  return Math.max(0, Math.min(first, steps.length - 1));
}

const nodesOf = (step: MemoryStep): number => (step.kind === "transaction" ? 1 + step.transaction.nodes.length : 1);
