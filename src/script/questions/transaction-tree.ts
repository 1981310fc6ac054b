/** What a transaction is to a script: the results of its commands, and a tree of creates and exercises. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { type DefinitionId, type PackageId, type Type, type LedgerValue, showId, type TemplateChoice } from "../../lf/index.js";
import { AnyValue, ContractId, fromCommandValue, type Value } from "../../lf/running-code.js";
import type { LedgerCommand, LedgerEvent } from "../ledger.js";
import { questionFailed } from "../stop.js";
import { anyTemplate, list, templateRep, tuple } from "../values.js";
import type { Asked } from "./question.js";

/** Root events are of the package that their command named: the model may have run as another version. */
export function committedValues(
  commands: readonly LedgerCommand[],
  events: readonly LedgerEvent[],
  asked: Asked,
): { readonly results: readonly Value[]; readonly tree: Value } {
  const named = commands.flatMap((command) =>
    command.kind === "createAndExercise" ? [command.template, command.template] : [command.template],
  );
  const roots = events.map((event, index) => intended(event, named[index], asked));
  return { results: roots.map((event) => resultValue(event, asked)), tree: tuple(list(roots.map((event) => eventValue(event, asked)))) };
}

/** A command on an interface leaves the template as it is. */
function intended(event: LedgerEvent, named: DefinitionId | undefined, { packages: { engine } }: Asked): LedgerEvent {
  if (named === undefined || engine.packages.template(named) === undefined) return event;
  return { ...event, templateId: inPackage(event.templateId, named.packageId) };
}

const inPackage = ({ module, name }: DefinitionId, packageId: PackageId): DefinitionId => ({ packageId, module, name });

function resultValue(event: LedgerEvent, asked: Asked): Value {
  const made =
    event.kind === "created"
      ? asked.library.variant("CommandResult", "CreateResult", new ContractId(event.contractId))
      : asked.library.variant("CommandResult", "ExerciseResult", typed(asked, choiceOf(event, asked).returnType, event.result));
  assert(made !== undefined, "the library has results for commands");
  return made;
}

function eventValue(event: LedgerEvent, asked: Asked): Value {
  const { library } = asked;
  const contractId = tuple(templateRep(event.templateId), new ContractId(event.contractId));
  const made =
    event.kind === "created"
      ? library.variant(
          "TreeEvent",
          "CreatedEvent",
          tuple(contractId, anyTemplate(event.templateId, typed(asked, { kind: "con", id: event.templateId }, event.argument))),
        )
      : library.variant(
          "TreeEvent",
          "ExercisedEvent",
          tuple(contractId, event.choice, anyChoice(event, asked), list(event.children.map((child) => eventValue(child, asked)))),
        );
  assert(made !== undefined, "the library has events for creates and exercises");
  return made;
}

type Exercised = Extract<LedgerEvent, { kind: "exercised" }>;

function anyChoice(event: Exercised, asked: Asked): Value {
  const {
    argBinder: { type },
  } = choiceOf(event, asked);
  return tuple(new AnyValue(type, typed(asked, type, event.argument)), templateRep(event.interfaceId ?? event.templateId));
}

function choiceOf({ interfaceId, templateId, choice }: Exercised, { packages: { engine } }: Asked): TemplateChoice {
  const definition = interfaceId === undefined ? engine.packages.template(templateId) : engine.packages.interface(interfaceId);
  const found = definition?.choices.get(choice);
  assert(found !== undefined, `choice ${choice} of ${showId(interfaceId ?? templateId)}, which ran`);
  return found;
}

function typed({ packages: { engine } }: Asked, type: Type, value: LedgerValue): Value {
  const result = fromCommandValue(engine.types.of(type), value);
  if (isFailure(result)) throw questionFailed("ConverterException", result.error.message);
  return result.ok;
}
