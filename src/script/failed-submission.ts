/** What there is to say of a submission that failed. */
import { limits } from "../config.js";
import { isOfFamily, type EngineError, type Transaction } from "../lf/index.js";
import type { LedgerCommand, LedgerSubmission } from "./ledger.js";
import { type FailedSubmission, type MissingAuthority, showDefinition, type ShownCommand } from "./outcome.js";
import type { ScriptPackages } from "./packages.js";
import { Shower } from "./show/index.js";

export interface Failed {
  readonly submission: LedgerSubmission;
  readonly soFar: Transaction | undefined;
  readonly engineError: EngineError | undefined;
  readonly packages: ScriptPackages;
  readonly labelOf: (contractId: string) => string;
  /** Its number among the steps of the ledger, had it been committed. */
  readonly step: number;
}

export function failedSubmission({ submission, soFar, engineError, packages, labelOf, step }: Failed): FailedSubmission {
  const { actAs, readAs, location, commands } = submission;
  const own = new Map(
    (soFar?.nodes ?? []).flatMap((node, index) => (node.kind === "create" ? [[node.contractId, `#${step}:${index}`] as const] : [])),
  );
  const shower = new Shower(packages, {
    labelOf: (contractId) => own.get(contractId) ?? labelOf(contractId),
    charsMax: limits.scriptValueCharsMax,
  });
  return {
    actAs,
    readAs,
    location,
    commands: commands.map((command) => showCommand(command, shower)),
    failed: soFar && failedCommand(commands, soFar),
    partial: soFar === undefined ? { roots: [], nodes: [] } : shower.tree({ transaction: soFar, witnesses: undefined }),
    authority: engineError && missingAuthority(engineError),
  };
}

function showCommand(command: LedgerCommand, shower: Shower): ShownCommand {
  const {
    packages,
    rules: { labelOf },
  } = shower;
  const template = showDefinition(packages.nameOf(command.template));
  switch (command.kind) {
    case "create":
      return { text: `create ${template}`, argument: shower.payload(command.template, command.argument) };
    case "exercise":
      return {
        text: `exercise ${command.choice} on ${labelOf(command.contractId)} (${template})`,
        argument: choiceFields(command, shower),
      };
    case "exerciseByKey":
      return { text: `exercise ${command.choice} by key (${template})`, argument: choiceFields(command, shower) };
    case "createAndExercise":
      return {
        text: `create ${template} and exercise ${command.choice}`,
        argument: [...shower.payload(command.template, command.createArgument), ...choiceFields(command, shower)],
      };
  }
}

function choiceFields(
  { template, choice, argument }: Exclude<LedgerCommand, { kind: "create" }>,
  shower: Shower,
): ShownCommand["argument"] {
  const { packages } = shower.packages.engine;
  const type = (packages.template(template) ?? packages.interface(template))?.choices.get(choice)?.argBinder.type;
  return type === undefined ? [] : shower.fields(type, argument);
}

/** The first whose roots did not all come to an end. */
function failedCommand(commands: readonly LedgerCommand[], { roots, nodes }: Transaction): number | undefined {
  let ended = roots.filter((root) => {
    const node = nodes[root]!;
    return node.kind !== "exercise" || node.result !== undefined;
  }).length;
  const index = commands.findIndex(({ kind }) => {
    ended -= kind === "createAndExercise" ? 2 : 1;
    return ended < 0;
  });
  return index < 0 ? undefined : index;
}

function missingAuthority(error: EngineError): MissingAuthority | undefined {
  if (error.phase !== "interpretation" || !isOfFamily(error, "FailedAuthorization")) return undefined;
  const { fa } = error.detail;
  if (!("authorizingParties" in fa)) return undefined;
  const given = fa.authorizingParties,
    required = "requiredParties" in fa ? fa.requiredParties : "maintainers" in fa ? fa.maintainers : fa.stakeholders;
  return { required, given, missing: required.filter((party) => !given.includes(party)) };
}
