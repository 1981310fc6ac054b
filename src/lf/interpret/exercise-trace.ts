/** Where in the model a submission failed: the choices that were open, the innermost first, and the command they came from. */
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { type DefinitionId, showId } from "../ast.js";
import { type ValueType, valueText } from "../conversion/index.js";
import { FatalError } from "../errors.js";
import type { LedgerValue, Value } from "../value/index.js";
import type { TemplateDefinition } from "./definitions.js";
import { labelledValue } from "./labelled-value.js";
import type { ReadyCommand } from "./preprocess.js";
import type { OpenExercise } from "./partial-transaction.js";

interface Traced {
  readonly open: () => Iterable<OpenExercise>;
  readonly command: ReadyCommand | undefined;
  readonly template: (id: DefinitionId) => TemplateDefinition;
  readonly choicesMax: number;
}

/** Failures that a model raises tell it; for the others the error itself names what it is about. */
export function withTrace(error: FatalError, { open, command, template, choicesMax }: Traced): FatalError {
  const { error: failure } = error;
  if (failure.phase !== "interpretation" || failure.class !== "FailureStatus") return error;
  const ofCommand = command === undefined ? [] : [commandLine(command, template)];
  return new FatalError({ ...failure, exerciseTrace: lines([...choiceLines(open(), choicesMax), ...ofCommand]) });
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

function commandLine(command: ReadyCommand, template: Traced["template"]): string {
  switch (command.kind) {
    case "create":
      return `in create command ${shortId(command.templateId)}.`;
    case "exercise":
      return `in exercise command ${shortId(command.templateId)}:${command.choice} on contract ${shortContract(command.contractId.hex)}.`;
    case "exerciseInterface":
      return `in exercise command ${shortId(command.interfaceId)}:${command.choice} on contract ${shortContract(command.contractId.hex)}.`;
    case "exerciseByKey": {
      const { key } = template(command.templateId);
      assert(key !== undefined, "what is used by its key has one");
      return `in exercise-by-key command ${shortId(command.templateId)}:${command.choice} on key ${shownKey(key.type, command.key)}.`;
    }
    case "createAndExercise":
      return `in create-and-exercise command ${shortId(command.templateId)}:${command.choice}.`;
  }
}

/** Ids are cut, as in the reference's traces. */
const shortId = (id: DefinitionId): string => showId({ ...id, packageId: id.packageId.slice(0, 8) });
const shortContract = (contractId: string): string => contractId.slice(0, 10);

/** As much of it as an error's context shows. */
function shownKey(type: ValueType, key: Value): string {
  const charsMax = limits.errorDetailCharsMax;
  return valueText(untyped(labelledValue(type, key, { charsLeft: charsMax })), charsMax);
}

/** The template tells the type of its key; of what is in it the reference shows the types. */
function untyped(value: LedgerValue): LedgerValue {
  switch (value.kind) {
    case "record":
      return { kind: "record", fields: value.fields };
    case "variant":
      return { kind: "variant", constructor_: value.constructor_, value: value.value };
    case "enum":
      return { kind: "enum", constructor_: value.constructor_ };
    default:
      return value;
  }
}
