/** Where in the model a submission failed: the choices that were open, the innermost first, and the command they came from. */
import { type DefinitionId, showId } from "../ast.js";
import { FatalError } from "../errors.js";
import type { ReadyCommand } from "./preprocess.js";
import type { OpenExercise } from "./partial-transaction.js";

/** Failures that a model raises tell it; for the others the error itself names what it is about. */
export function withTrace(
  error: FatalError,
  open: () => Iterable<OpenExercise>,
  command: ReadyCommand | undefined,
  choicesMax: number,
): FatalError {
  const { error: failure } = error;
  if (failure.phase !== "interpretation" || failure.class !== "FailureStatus") return error;
  return new FatalError({
    ...failure,
    exerciseTrace: lines([...choiceLines(open(), choicesMax), ...(command === undefined ? [] : [commandLine(command)])]),
  });
}

const lines = (told: readonly string[]): string => told.map((line) => `    ${line}\n`).join("");

function choiceLines(open: Iterable<OpenExercise>, choicesMax: number): readonly string[] {
  const told: string[] = [];
  for (const { nodeId, definition, choice, contractId } of open) {
    if (told.length === choicesMax) return [...told, "..."];
    told.push(`in choice ${shortId(definition)}:${choice} on contract ${shortContract(contractId)} (#${nodeId})`);
  }
  return told;
}

function commandLine(command: ReadyCommand): string {
  switch (command.kind) {
    case "create":
      return `in create command ${shortId(command.templateId)}.`;
    case "exercise":
      return `in exercise command ${shortId(command.templateId)}:${command.choice} on contract ${shortContract(command.contractId.hex)}.`;
    case "exerciseInterface":
      return `in exercise command ${shortId(command.interfaceId)}:${command.choice} on contract ${shortContract(command.contractId.hex)}.`;
    case "exerciseByKey":
      return `in exercise-by-key command ${shortId(command.templateId)}:${command.choice}.`;
    case "createAndExercise":
      return `in create-and-exercise command ${shortId(command.templateId)}:${command.choice}.`;
  }
}

/** Ids are cut, as in the reference's traces. */
const shortId = (id: DefinitionId): string => showId({ ...id, packageId: id.packageId.slice(0, 8) });
const shortContract = (contractId: string): string => contractId.slice(0, 10);
