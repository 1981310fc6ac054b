/** Values on their way to a node and back: JSON, by the types that the packages of the script declare. */
import { isFailure } from "../../base/result.js";
import { type DefinitionId, type Type, fromJson, type LedgerValue, showId, toJson } from "../../lf/index.js";
import { toLedgerValue } from "../../lf/running-code.js";
import type { LedgerEvent } from "../ledger.js";
import { definitionOfText } from "../definition-text.js";
import type { ScriptPackages } from "../packages.js";
import { questionFailed } from "../stop.js";
import type { Json } from "./json-api.js";

export class NodeValues {
  constructor(readonly packages: ScriptPackages) {}

  /** JSON, parsed: it goes into a larger body. */
  show(type: Type, value: LedgerValue): unknown {
    return JSON.parse(toJson(this.packages.engine.types.of(type), value));
  }

  read(type: Type, json: unknown): LedgerValue {
    const known = this.packages.engine.types.of(type),
      value = fromJson(known, json);
    if (isFailure(value))
      throw questionFailed("ConverterException", `The node's answer has a value of another type: ${value.error.message}`);
    return toLedgerValue(known, value.ok);
  }

  /** A template or interface in the version that the node prefers. */
  byName({ packageId, module, name }: DefinitionId): string {
    return `#${this.packages.package(packageId)?.name ?? packageId}:${module}:${name}`;
  }

  keyType(template: DefinitionId): Type {
    const type = this.packages.engine.packages.template(template)?.key?.type;
    if (type === undefined) throw questionFailed("RuntimeException", `template ${showId(template)} has no contract key`);
    return type;
  }

  argumentType(definition: DefinitionId, choice: string): Type {
    return this.#choice(definition, choice).argBinder.type;
  }
  resultType(definition: DefinitionId, choice: string): Type {
    return this.#choice(definition, choice).returnType;
  }

  #choice(definition: DefinitionId, name: string) {
    const { packages } = this.packages.engine;
    const choice = (packages.template(definition) ?? packages.interface(definition))?.choices.get(name);
    if (choice === undefined)
      throw questionFailed(
        "ConverterException",
        `The DAR has no choice ${name} of ${definition.module}:${definition.name}, which the node knows.`,
      );
    return choice;
  }

  /** A template of the DAR, in the version of the node if the DAR has that, else in any. */
  templateOf(shown: string, packageName: string): DefinitionId {
    const id = definitionOfText(shown);
    if (this.packages.package(id.packageId) !== undefined) return id;
    const other = [...this.packages.all].find(
      ({ name, modules }) => name === packageName && modules.get(id.module)?.templates.has(id.name),
    );
    if (other === undefined)
      throw questionFailed(
        "ConverterException",
        `The DAR has no package ${packageName} with ${id.module}:${id.name}, which the node knows.`,
      );
    return { ...id, packageId: other.id };
  }

  /** The trees of a transaction whose events come in the order of their nodes. */
  events(events: readonly Json[]): readonly LedgerEvent[] {
    const flat = events.map((each) => (each.CreatedEvent ?? each.ExercisedEvent) as Json);
    let index = 0;
    const until = (lastNodeId: number): LedgerEvent[] => {
      const found: LedgerEvent[] = [];
      while (index < flat.length && flat[index].nodeId <= lastNodeId) found.push(one());
      return found;
    };
    const one = (): LedgerEvent => {
      const event = flat[index++]!,
        templateId = this.templateOf(event.templateId as string, event.packageName as string),
        contractId = event.contractId as string;
      if (event.choice === undefined)
        return { kind: "created", contractId, templateId, argument: this.read({ kind: "con", id: templateId }, event.createArgument) };
      const interfaceId = typeof event.interfaceId === "string" ? definitionOfText(event.interfaceId) : undefined,
        choice = event.choice as string;
      const definition = interfaceId ?? templateId;
      return {
        kind: "exercised",
        contractId,
        templateId,
        interfaceId,
        choice,
        argument: this.read(this.argumentType(definition, choice), event.choiceArgument),
        result: this.read(this.resultType(definition, choice), event.exerciseResult),
        children: until(event.lastDescendantNodeId as number),
      };
    };
    return until(Infinity);
  }
}
