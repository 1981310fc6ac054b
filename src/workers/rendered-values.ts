/** Values of a transaction as JSON: the position in the transaction tells the type. */
import { assert } from "../base/assert.js";
import type { RenderedValues, ValuePosition } from "../ledger/engine/index.js";
import { toJson, type DefinitionId, type Engine, type LedgerValue, type TemplateChoice, type Type, type ValueType } from "../lf/index.js";

export class EngineValues implements RenderedValues {
  constructor(private readonly engine: Engine) {}

  toJson(position: ValuePosition, value: LedgerValue): string {
    return toJson(this.typeAt(position), value);
  }

  typeAt(position: ValuePosition): ValueType {
    const { types } = this.engine;
    switch (position.kind) {
      case "createArgument":
        return types.ofData(position.templateId);
      case "contractKey":
        return types.of(this.#keyType(position.templateId));
      case "interfaceView":
        return types.of(this.#viewType(position.interfaceId));
      case "choiceArgument":
        return types.of(this.#choice(position).argBinder.type);
      case "exerciseResult":
        return types.of(this.#choice(position).returnType);
    }
  }

  #keyType(templateId: DefinitionId): Type {
    const key = this.engine.packages.template(templateId)?.key;
    assert(key, "a contract with a key has a template with a key");
    return key.type;
  }

  #viewType(interfaceId: DefinitionId): Type {
    const type = this.engine.packages.interface(interfaceId)?.view;
    assert(type, "a view is one of a known interface");
    return type;
  }

  #choice({ templateId, interfaceId, choice: name }: Extract<ValuePosition, { readonly choice: string }>): TemplateChoice {
    const { packages } = this.engine;
    const choice = (interfaceId ? packages.interface(interfaceId) : packages.template(templateId))?.choices.get(name);
    assert(choice, `choice ${name} of an exercise is known`);
    return choice;
  }
}
