/**
 * A script tells the choice by the name of its argument's type, since a compiler makes one for each. The models of the
 * recording were written in LF, and many of their choices take a plain value: scripts put it into a record that is called
 * like the choice, and the ledger of the replay takes it out again.
 */
import type { Type } from "../../../src/lf/ast.js";
import type { Engine, LedgerValue } from "../../../src/lf/index.js";
import type { LedgerCommand } from "../../../src/script/ledger.js";
import { expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import type { Typed } from "../../support/script-payloads.js";

const isNamed = (argument: Type, choice: string): boolean => argument.kind === "con" && argument.id.name === choice;

export class ChoiceBoxes {
  /** One for each type, as choices of equal names may differ in it. */
  readonly #modules = new Map<string, ModuleBuilder>();

  get modules(): Iterable<ModuleBuilder> {
    return this.#modules.values();
  }

  put(choice: string, argument: Typed): Typed {
    if (isNamed(argument.type, choice)) return argument;
    const key = JSON.stringify(argument.type),
      module = this.#modules.get(key) ?? new ModuleBuilder(`Boxes.Of${this.#modules.size}`);
    this.#modules.set(key, module);
    const id = module.record(choice, { value: argument.type });
    return { type: type.con(id), expr: expr.record(id, { value: argument.expr }) };
  }
}

export function unboxed(command: LedgerCommand, { packages }: Engine): LedgerCommand {
  if (command.kind === "create") return command;
  const { template, choice, argument } = command,
    declared = (packages.template(template) ?? packages.interface(template))?.choices.get(choice);
  if (declared === undefined || isNamed(declared.argBinder.type, choice) || argument.kind !== "record") return command;
  return { ...command, argument: argument.fields[0]?.value ?? none };
}

/** Left out at the end of records. */
const none: LedgerValue = { kind: "optional", value: undefined };
