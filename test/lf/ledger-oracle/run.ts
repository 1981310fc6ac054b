/** Random submissions to a random model, done by the engine and by the oracle. */
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import { decodePackage, selfPackageId, stablePackages } from "../../../src/lf/archive/index.js";
import type { Package } from "../../../src/lf/ast.js";
import { type Command, Engine, type TemplateReference } from "../../../src/lf/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { validatePackage } from "../../../src/lf/validation/index.js";
import { harnessSalt, ScenarioLedger } from "../../golden/scenario-ledger.js";
import type { Outcome } from "../compile/oracle.js";
import { showActions, showError, showInterpretation, showRefusal } from "./compare.js";
import { ContractNames, isUnknown } from "./contract-names.js";
import { ledgerTime, type Model } from "./generator.js";
import { type Action, Refused, Store, TooLarge } from "./ledger.js";
import { LedgerOracle, type Mode, type Mutation } from "./oracle.js";
import { moduleName, packageName, type Template, toLedgerValue } from "./world.js";

export type PlannedCommand =
  | { readonly kind: "create"; readonly template: Template; readonly payload: Outcome }
  | {
      readonly kind: "exercise";
      readonly owner: Template | "Asset";
      readonly choice: string;
      readonly contract: string;
      readonly argument: Outcome;
    }
  | {
      readonly kind: "createAndExercise";
      readonly template: Template;
      readonly payload: Outcome;
      readonly choice: string;
      readonly argument: Outcome;
    }
  | { readonly kind: "exerciseByKey"; readonly choice: string; readonly key: Outcome; readonly argument: Outcome };

export interface PlannedSubmission {
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly commands: readonly PlannedCommand[];
}

/** Plans are made while they run: which contracts there are is known only then. */
export type Planner = (store: Store) => PlannedSubmission;

export interface Step {
  readonly submission: PlannedSubmission;
  readonly expected: unknown;
  readonly actual: unknown;
}

const stable = new Map(stablePackages().map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));

export const packageOfModel = ({ module, lfVersion }: Model): Package => ({
  id: selfPackageId,
  name: packageName,
  version: "1.0.0",
  lfVersion,
  modules: new Map([[moduleName, module]]),
  directDependencies: new Set(),
});

/** What validation says of the model: the generator means it to be well typed. */
export function problemOf(model: Model): string | undefined {
  const package_ = packageOfModel(model);
  return validatePackage(package_, new PackageInterface({ getPackage: (id) => (id === package_.id ? package_ : stable.get(id)) })).error
    ?.message;
}

/** Runs what is planned on both; undefined where it is too large to be of use. */
export function* play(model: Model, mode: Mode, plans: readonly Planner[], mutation?: Mutation): IterableIterator<Step | undefined> {
  const package_ = packageOfModel(model);
  const engine = new Engine({ packages: { getPackage: (id) => (id === package_.id ? package_ : stable.get(id)) }, limits });
  const store = new Store(),
    ledger = new ScenarioLedger(),
    ids = new ContractNames();
  for (const [index, plan] of plans.entries()) {
    const submission = plan(store),
      { actAs, readAs } = submission;
    const oracle = new LedgerOracle({
      module: model.module,
      mode,
      store,
      actAs,
      readAs,
      ledgerTime,
      ...(mutation === undefined ? {} : { mutation }),
    });
    const known = new Set(store.ids);
    const actions = evaluated(oracle, submission);
    if (actions === undefined) {
      yield undefined;
      continue;
    }
    const seed = new Uint8Array(32).fill(index + 1);
    const result = engine.interpret(
      {
        actAs,
        readAs,
        commands: submission.commands.map((command) => toCommand(command, (id) => ids.hexOf(id))),
        disclosed: [],
        ledgerTime,
        preparationTime: ledgerTime,
        submissionSeed: seed,
        participantId: "participant",
        packagePreference: new Map([[packageName, selfPackageId]]),
        mode,
      },
      { salt: harnessSalt, reader: ledger.reader([...actAs, ...readAs]) },
    );
    if (!isFailure(result) && !(actions instanceof Refused)) {
      ids.meet(createdIn(result.ok.transaction.roots, result.ok.transaction.nodes), actions);
    }
    // Contracts of a refused submission have no name: the engine numbers none, so errors show them alike.
    const expected =
      actions instanceof Refused
        ? showRefusal(actions, (id) => (known.has(id) || isUnknown(id) ? id : "new"))
        : showActions(actions, oracle);
    const actual = isFailure(result)
      ? showError(result.error, (hex) => ids.nameOf(hex) ?? "new")
      : showInterpretation(result.ok, (hex) => ids.nameOf(hex) ?? "new");
    yield { submission, expected, actual };
    if (isFailure(result) !== actions instanceof Refused) return;
    if (!isFailure(result)) ledger.commit(result.ok);
    if (!(actions instanceof Refused)) store.apply(actions);
  }
}

/** What the submission does, or why it is refused; undefined where it is too large to be of use. */
export function evaluated(oracle: LedgerOracle, { commands }: PlannedSubmission): readonly Action[] | Refused | undefined {
  try {
    return oracle.submit(commands.map((command) => () => perform(oracle, command)));
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    if (!(error instanceof Refused)) throw error;
    return error;
  }
}

function perform(oracle: LedgerOracle, command: PlannedCommand): void {
  switch (command.kind) {
    case "create":
      oracle.create(command.template, command.payload);
      return;
    case "exercise":
      if (command.owner === "Asset") oracle.exerciseInterface(command.owner, command.choice, command.contract, command.argument);
      else oracle.exercise(command.owner, command.choice, command.contract, command.argument);
      return;
    case "createAndExercise":
      oracle.exercise(
        command.template,
        command.choice,
        (oracle.create(command.template, command.payload) as { contractId: string }).contractId,
        command.argument,
      );
      return;
    case "exerciseByKey":
      oracle.exerciseByKey("Coin", command.choice, command.key, command.argument);
      return;
  }
}

const reference = (name: string): TemplateReference => ({ package: { name: packageName }, module: moduleName, name });

function toCommand(command: PlannedCommand, hexOf: (id: string) => string): Command {
  const args = (argument: Outcome) => ({ value: toLedgerValue("Args", argument, hexOf) });
  switch (command.kind) {
    case "create":
      return {
        kind: "create",
        template: reference(command.template),
        argument: { value: toLedgerValue(command.template, command.payload, hexOf) },
      };
    case "exercise":
      return {
        kind: "exercise",
        template: reference(command.owner),
        contractId: hexOf(command.contract),
        choice: command.choice,
        argument: args(command.argument),
      };
    case "createAndExercise":
      return {
        kind: "createAndExercise",
        template: reference(command.template),
        createArgument: { value: toLedgerValue(command.template, command.payload, hexOf) },
        choice: command.choice,
        argument: args(command.argument),
      };
    case "exerciseByKey":
      return {
        kind: "exerciseByKey",
        template: reference("Coin"),
        key: { value: toLedgerValue("Key", command.key, hexOf) },
        choice: command.choice,
        argument: args(command.argument),
      };
  }
}

type Nodes = readonly { readonly kind: string; readonly contractId?: string; readonly children?: readonly number[] }[];
const createdIn = (roots: readonly number[], nodes: Nodes): readonly string[] =>
  roots.flatMap((id) => (nodes[id]!.kind === "create" ? [nodes[id]!.contractId!] : createdIn(nodes[id]!.children ?? [], nodes)));
