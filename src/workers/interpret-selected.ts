/**
 * Interprets a submission with the packages that fit it. What it uses is only known from its transaction: where that uses a
 * package that is not vetted, others are chosen so that everything it used would be, and it runs again.
 */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import {
  type CheckRequest,
  type InterpretRequest,
  type PackageNeed,
  type Selection,
  type SelectionError,
  showPackage,
} from "../ledger/engine/index.js";
import type { Command, Engine, EngineError, Interpretation, InterpretOptions, Submission } from "../lf/index.js";
import type { PackageCache } from "./package-cache.js";
import { decodeCommands, decodeKeyHints } from "./commands.js";
import { packagesByInformee } from "./packages-by-informee.js";
import { engineSubmission } from "./submission.js";

export interface SelectedInterpretation {
  readonly interpretation: Interpretation;
  readonly submission: Submission;
}

export interface SelectionTools {
  readonly engine: Engine;
  readonly packages: PackageCache;
  readonly mode: Submission["mode"];
}

/** `preparationTime`: undefined stands for the ledger time. */
export function interpretSelected(
  request: InterpretRequest,
  options: InterpretOptions,
  tools: SelectionTools,
  preparationTime = request.ledgerTime,
): Result<SelectedInterpretation, EngineError | SelectionError> {
  const { engine, packages, mode } = tools;
  const { packagesRevision: revision, synchronizer, ledgerTime, choosing, packageIdSelectionPreference: preferred } = request,
    at = choosing?.at ?? ledgerTime,
    onlyPass = choosing?.pass ?? 0;
  const submission = engineSubmission(request, mode, preparationTime),
    roots = namesIn(submission.commands),
    needs = needsOf(request, roots);
  const unreadable = roots.size > 0 ? readingProblem(submission.commands, roots, request, { engine, packages }) : undefined;
  if (unreadable) return fail(unreadable);
  const passesMax = onlyPass || Math.min(request.selectionPassesMax ?? limits.packageSelectionPasses, limits.packageSelectionPassesMax);
  for (let pass = onlyPass || 1, names = namesNeeded(needs, roots); ; pass++) {
    const selection = packages.select({ revision, synchronizer, at, names, preferred, needs });
    const without = [...roots].filter((name) => !selection.packages.has(name));
    if (without.length > 0) return fail(noVersion(without, selection, pass > 1));
    submission.packagePreference = selection.packages;
    const misfit = request.keyHints === undefined || pass > 1 ? undefined : keyHintProblem(request.keyHints, submission, request, tools);
    if (misfit) return fail(misfit);
    const interpreted = engine.interpret(submission, options);
    if (isFailure(interpreted)) return fail(explained(pass > 1 ? ofEngine(interpreted.error) : interpreted.error, selection));
    const { usedPackages, inputs } = interpreted.ok;
    const unvetted = usedPackages.filter((id) => !packages.isVetted(id, { revision, synchronizer, at: ledgerTime }));
    if (unvetted.length === 0) return ok({ interpretation: interpreted.ok, submission });
    const summaries = (ids: readonly string[]) => ids.flatMap((id) => packages.record(id, revision)?.summary ?? []);
    const more = new Set([...names, ...summaries(usedPackages).map(({ name }) => name)]);
    if (pass >= passesMax || more.size === names.size) {
      const message = summaries(unvetted).map(showPackage).join(", "),
        seen = onlyPass > 0 ? packagesByInformee(interpreted.ok) : undefined;
      return fail({ phase: "selection", kind: "unvetted", hasInputs: inputs.length > 0, message, packagesByInformee: seen });
    }
    names = more;
  }
}

/** What is wrong with the commands as they are written, of which nothing is made. */
export function checkSelected(
  request: CheckRequest & Pick<InterpretRequest, "choosing">,
  { engine, packages }: Pick<SelectionTools, "engine" | "packages">,
): Result<void, EngineError | SelectionError> {
  const { packagesRevision: revision, choosing, packageIdSelectionPreference: preferred } = request,
    at = choosing?.at ?? request.ledgerTime;
  const commands = decodeCommands(request.commands),
    names = namesIn(commands),
    needs = needsOf(request, names);
  const chosenOn = (synchronizer: number): Selection => packages.select({ revision, synchronizer, at, names, preferred, needs });
  const without = ({ packages: chosen }: Selection): readonly string[] => [...names].filter((name) => !chosen.has(name));
  const selection = request.readableOn.map(chosenOn).find((choice) => without(choice).length === 0) ?? chosenOn(request.synchronizer);
  return without(selection).length > 0
    ? fail(noVersion(without(selection), selection, (choosing?.pass ?? 0) > 1))
    : engine.check({ commands, packagePreference: selection.packages });
}

/** Whoever acts first needs what the commands name. */
function needsOf({ choosing }: Pick<InterpretRequest, "choosing">, roots: ReadonlySet<string>): readonly PackageNeed[] {
  if (choosing === undefined || choosing.needs.length === 0) return nobody;
  const [first, ...others] = choosing.needs as [PackageNeed, ...PackageNeed[]];
  return [{ ...first, names: [...first.names, ...roots] }, ...others];
}
const nobody: readonly PackageNeed[] = [];

const namesNeeded = (needs: readonly PackageNeed[], roots: ReadonlySet<string>): ReadonlySet<string> =>
  needs.length === 0 ? roots : new Set(needs.flatMap(({ names }) => names));

/** By the packages of another synchronizer than where it runs; by those it is read anyway. */
function readingProblem(
  commands: readonly Command[],
  names: ReadonlySet<string>,
  request: InterpretRequest,
  { engine, packages }: Pick<SelectionTools, "engine" | "packages">,
): EngineError | undefined {
  const { readableOn, synchronizer: runsOn, packagesRevision: revision, packageIdSelectionPreference: preferred } = request,
    at = request.choosing?.at ?? request.ledgerTime;
  const chosenOn = (synchronizer: number): Selection["packages"] =>
    packages.select({ revision, synchronizer, at, names, preferred, needs: nobody }).packages;
  const chosen = readableOn.map(chosenOn).find((choice) => [...names].every((name) => choice.has(name)));
  if (chosen === undefined) return undefined;
  const here = chosenOn(runsOn);
  return [...names].every((name) => chosen.get(name) === here.get(name))
    ? undefined
    : engine.check({ commands, packagePreference: chosen }).error;
}

/** After what is wrong with the commands themselves. */
function keyHintProblem(
  hints: string,
  submission: Pick<Submission, "commands" | "packagePreference">,
  request: InterpretRequest,
  { engine, packages }: SelectionTools,
): EngineError | SelectionError | undefined {
  const { packagesRevision: revision, synchronizer, packageIdSelectionPreference: preferred } = request,
    at = request.choosing?.at ?? request.ledgerTime;
  const unfit = engine.check(submission).error;
  if (unfit) return unfit;
  const keys = decodeKeyHints(hints),
    names = namesIn(keys),
    selection = packages.select({ revision, synchronizer, at, names, preferred, needs: needsOf(request, names) }),
    without = [...names].filter((name) => !selection.packages.has(name));
  return without.length > 0 ? noVersion(without, selection, false) : engine.checkKeys(keys, selection.packages).error;
}

/** Names below the command are resolved while it runs: where there is none, the engine cannot know why. */
function explained(error: EngineError, selection: Selection): EngineError {
  const name = error.phase === "interpretation" && error.class === "UnresolvedPackageName" ? error.detail.packageName : undefined;
  return typeof name === "string" ? ({ ...error, message: `${error.message}. ${selection.reasonWithout(name)}` } as EngineError) : error;
}

/** The reference reads JSON by its first choice alone: what does not fit a later one is found by its engine. */
function ofEngine(error: EngineError): EngineError {
  const isFound = error.phase === "lookup" ? missing.has(error.class) : error.phase === "preprocessing" && error.origin === "json";
  return isFound ? { phase: "preprocessing", class: error.class, message: error.message } : error;
}
const missing: ReadonlySet<string> = new Set([
  "MissingTemplate",
  "MissingInterface",
  "MissingTemplateOrInterface",
  "MissingChoice",
  "MissingKey",
]);

function namesIn(commands: readonly Pick<Command, "template">[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { template } of commands) if ("name" in template.package) names.add(template.package.name);
  return names;
}

const noVersion = (names: readonly string[], selection: Selection, isRefined: boolean): SelectionError => ({
  phase: "selection",
  kind: "noVersion",
  names,
  isRefined,
  message: names.map((name) => selection.reasonWithout(name)).join(" "),
});
