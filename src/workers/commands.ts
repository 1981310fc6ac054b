/** The commands array of the Ledger API (its shape was checked by the API) to the engine's commands. */
import { assert } from "../base/assert.js";
import type { Command, TemplateKey, TemplateReference } from "../lf/index.js";

interface WireCommand {
  readonly CreateCommand?: { readonly templateId: string; readonly createArguments: unknown };
  readonly ExerciseCommand?: {
    readonly templateId: string;
    readonly contractId: string;
    readonly choice: string;
    readonly choiceArgument: unknown;
  };
  readonly ExerciseByKeyCommand?: {
    readonly templateId: string;
    readonly contractKey: unknown;
    readonly choice: string;
    readonly choiceArgument: unknown;
  };
  readonly CreateAndExerciseCommand?: {
    readonly templateId: string;
    readonly createArguments: unknown;
    readonly choice: string;
    readonly choiceArgument: unknown;
  };
}

export const decodeCommands = (json: string | readonly unknown[]): readonly Command[] =>
  ((typeof json === "string" ? JSON.parse(json) : json) as readonly WireCommand[]).map(decodeCommand);

function decodeCommand(wire: WireCommand): Command {
  if (wire.CreateCommand) {
    const { templateId, createArguments } = wire.CreateCommand;
    return { kind: "create", template: reference(templateId), argument: { json: createArguments } };
  }
  if (wire.ExerciseCommand) {
    const { templateId, contractId, choice, choiceArgument } = wire.ExerciseCommand;
    return { kind: "exercise", template: reference(templateId), contractId, choice, argument: choiceJson(choiceArgument) };
  }
  if (wire.ExerciseByKeyCommand) {
    const { templateId, contractKey, choice, choiceArgument } = wire.ExerciseByKeyCommand;
    return {
      kind: "exerciseByKey",
      template: reference(templateId),
      key: { json: contractKey },
      choice,
      argument: choiceJson(choiceArgument),
    };
  }
  const both = wire.CreateAndExerciseCommand;
  assert(both, "the API let an unknown command through");
  return {
    kind: "createAndExercise",
    template: reference(both.templateId),
    createArgument: { json: both.createArguments },
    choice: both.choice,
    argument: choiceJson(both.choiceArgument),
  };
}

export const decodeKeyHints = (json: string): readonly TemplateKey[] =>
  (JSON.parse(json) as readonly { readonly templateId: string; readonly contractKey: unknown }[]).map(({ templateId, contractKey }) => ({
    template: reference(templateId),
    key: { json: contractKey },
  }));

/** A missing or null choice argument stands for the empty record. */
const choiceJson = (json: unknown): { readonly json: unknown } => ({ json: json ?? {} });

/** `packageId:Module:Entity` or `#package-name:Module:Entity`. */
export function reference(text: string): TemplateReference {
  const headEnd = text.indexOf(":"),
    moduleEnd = text.indexOf(":", headEnd + 1),
    head = text.slice(0, headEnd),
    module = text.slice(headEnd + 1, moduleEnd),
    name = text.slice(moduleEnd + 1);
  return { package: head.startsWith("#") ? { name: head.slice(1) } : { id: head }, module, name };
}
