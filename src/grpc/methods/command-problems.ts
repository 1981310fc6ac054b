/** What a command of gRPC may leave out and one of JSON may not. */
import { type LedgerErrorData, missingField } from "../../ledger/index.js";
import type { Json } from "../method.js";

export interface WithCommands extends Json {
  readonly commands: readonly Json[];
  readonly prefetchContractKeys: readonly Json[];
}

type Needed = readonly (readonly [member: string, name: string])[];

const template = ["templateId", "template_id"] as const,
  argument = ["createArguments", "create_arguments"] as const,
  key = ["contractKey", "contract_key"] as const,
  choiceArgument = ["choiceArgument", "value"] as const; // the reference calls it so

const neededBy: Readonly<Record<string, Needed>> = {
  CreateCommand: [template, argument],
  ExerciseCommand: [template, choiceArgument],
  ExerciseByKeyCommand: [template, key, choiceArgument],
  CreateAndExerciseCommand: [template, argument, choiceArgument],
};

/** Of the first command, or prefetched key, that is not whole. */
export function commandsProblem({ commands, prefetchContractKeys }: WithCommands): LedgerErrorData | undefined {
  for (const command of commands) {
    const [chosen] = Object.entries(command);
    if (chosen === undefined) return missingField("command");
    const problem = problemOf(chosen[1] as Json, neededBy[chosen[0]]!);
    if (problem !== undefined) return problem;
  }
  return prefetchContractKeys.map((each) => problemOf(each, [template, key])).find((problem) => problem !== undefined);
}

function problemOf(holder: Json, needed: Needed): LedgerErrorData | undefined {
  const missing = needed.find(([member]) => holder[member] === undefined);
  return missing === undefined ? undefined : missingField(missing[1]);
}
