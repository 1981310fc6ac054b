/**
 * The engine of a simulation, on the same thread: it reads one snapshot, is as slow as chance has it, and fails where it is told to.
 * Contracts
 * get ids from the submission's seed, as with the real one; inside a script they have names.
 */
import { fail, type Result } from "../../../src/base/result.js";
import type { UnplacedTransaction } from "../../../src/ledger/engine/index.js";
import type { InterpretedTransaction, InterpretRequest } from "../../../src/ledger/index.js";
import { contractNotFound, type LedgerErrorData } from "../../../src/ledger/model/index.js";
import { ContractIndex } from "../../../src/ledger/records/index.js";
import { SnapshotReader, type Store, type Tables } from "../../../src/store/index.js";
import type { Random } from "../../support/random.js";
import { contractIdOf, ScriptedInterpreter, type Step } from "../../ledger/support.js";
import type { Life, Scheduler } from "./scheduler.js";

export class EngineFailed extends Error {
  override readonly name = "EngineFailed";
}

const seedChars = 16;

/** The script with the contracts that it makes named for good. */
export function renamed(steps: readonly Step[], suffix: string): Step[] {
  const local = new Set<string>();
  const nameOf = (name: string): string => (local.has(name) ? `${name}/${suffix}` : name);
  const visit = (step: Step): Step => {
    if ("create" in step) {
      local.add(step.create);
      return { ...step, create: nameOf(step.create) };
    }
    if ("fetch" in step) return { fetch: nameOf(step.fetch) };
    if ("lookup" in step) return step;
    const exercise = nameOf(step.exercise);
    return { ...step, exercise, children: (step.children ?? []).map(visit) };
  };
  return steps.map(visit);
}

const slowMicrosMax = 4_000;

export class SimulatedEngine extends ScriptedInterpreter {
  /** Of the process that runs now. */
  process: { readonly store: Store; readonly life: Life } | undefined;
  /** Of so many interpretations one fails; 0: none. */
  failsOneIn = 0;
  /** Interpretations of this process. */
  running = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {
    super();
  }

  override async interpret(request: InterpretRequest): Promise<Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData>> {
    this.running++;
    try {
      return await this.#interpret(request);
    } finally {
      this.running--;
    }
  }

  async #interpret(request: InterpretRequest): Promise<Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData>> {
    const { store, life } = this.process!,
      steps = JSON.parse(request.commands as string) as readonly Step[];
    await this.scheduler.sleep(this.random.below(slowMicrosMax), life);
    const snapshot = SnapshotReader.pin(store, request.atOffset);
    let outcome: Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData> | undefined;
    try {
      const problem = missing(steps, snapshot.tables);
      if (problem !== undefined) outcome = fail(problem);
    } finally {
      snapshot.release();
    }
    await this.scheduler.sleep(this.random.below(slowMicrosMax), life);
    if (this.failsOneIn > 0 && this.random.below(this.failsOneIn) === 0) throw new EngineFailed("the thread is gone");
    return (
      outcome
      ?? super.interpret({
        ...request,
        commands: JSON.stringify(renamed(steps, Buffer.from(request.submissionSeed).toString("hex", 0, seedChars / 2))),
      })
    );
  }
}

/** What the script uses and the snapshot does not have. */
function missing(steps: readonly Step[], tables: Tables): LedgerErrorData | undefined {
  const local = new Set<string>(),
    contracts = new ContractIndex(tables);
  const look = (step: Step): LedgerErrorData | undefined => {
    if ("create" in step) {
      local.add(step.create);
      return undefined;
    }
    if ("lookup" in step) return undefined;
    const name = "fetch" in step ? step.fetch : step.exercise,
      contractId = contractIdOf(name),
      state = local.has(name) ? undefined : contracts.find(contractId);
    const isActive = local.has(name) || (state !== undefined && state.archived === undefined);
    if (!isActive) return contractNotFound(contractId);
    return "exercise" in step ? first(step.children ?? []) : undefined;
  };
  const first = (all: readonly Step[]): LedgerErrorData | undefined => {
    for (const step of all) {
      const problem = look(step);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return first(steps);
}
