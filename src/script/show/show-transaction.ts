/** Transactions of the engine as plain data for people. */
import { assert } from "../../base/assert.js";
import type { DefinitionId, LedgerValue, Transaction, TransactionNode, Type } from "../../lf/index.js";
import { FatalError, toLedgerValue, type Value } from "../../lf/running-code.js";
import type { LedgerNode, ShownFields, TransactionTree } from "../outcome.js";
import type { ScriptPackages } from "../packages.js";
import { type Readable, readableBy } from "./readable.js";
import { showFields, showValue, type ShowRules } from "./show-value.js";

export interface TransactionToShow {
  readonly transaction: Transaction;
  /** By node; absent for one that failed. */
  readonly witnesses: readonly (readonly string[])[] | undefined;
}

export class Shower {
  /** What the engine says, as this shows it. */
  readonly readable: Readable;

  constructor(
    readonly packages: ScriptPackages,
    readonly rules: ShowRules,
  ) {
    this.readable = readableBy(packages, rules.labelOf);
  }

  tree({ transaction: { roots, nodes }, witnesses }: TransactionToShow): TransactionTree {
    return { roots, nodes: nodes.map((node, index) => this.#node(node, witnesses?.[index] ?? [])) };
  }

  payload(template: DefinitionId, argument: LedgerValue): ShownFields {
    return this.fields({ kind: "con", id: template }, argument);
  }

  /** A value whose type does not fit is shown as far as it can be. */
  fields(type: Type, value: LedgerValue): ShownFields {
    return this.#typed(() => showFields(this.packages.engine.types.of(type), value, this.rules)) ?? [{ name: "", value: "?" }];
  }
  value(type: Type, value: LedgerValue): string {
    return this.#typed(() => showValue(this.packages.engine.types.of(type), value, this.rules)) ?? "?";
  }

  /** Undefined where the type is none that a ledger could hold. */
  runtimeValue(type: Type, value: Value): string | undefined {
    return this.#typed(() => {
      const known = this.packages.engine.types.of(type);
      return showValue(known, toLedgerValue(known, value), this.rules);
    });
  }

  #typed<T>(show: () => T): T | undefined {
    try {
      return show();
    } catch (error) {
      if (error instanceof FatalError) return undefined;
      throw error;
    }
  }

  #node(node: TransactionNode, witnesses: readonly string[]): LedgerNode {
    const {
      packages,
      rules: { labelOf },
    } = this;
    switch (node.kind) {
      case "create": {
        const { templateId, contractId, argument, signatories, stakeholders, key } = node;
        return {
          kind: "create",
          contract: labelOf(contractId),
          template: packages.nameOf(templateId),
          argument: this.payload(templateId, argument),
          signatories,
          observers: stakeholders.filter((party) => !signatories.includes(party)),
          key: key && this.#key(templateId, key.key),
          witnesses,
        };
      }
      case "exercise": {
        const { templateId, interfaceId, contractId, choice, consuming, actingParties, argument, result, byKey, children } = node;
        const definition =
          interfaceId === undefined ? packages.engine.packages.template(templateId) : packages.engine.packages.interface(interfaceId);
        const declared = definition?.choices.get(choice);
        assert(declared !== undefined, `choice ${choice}, which ran`);
        return {
          kind: "exercise",
          contract: labelOf(contractId),
          template: packages.nameOf(templateId),
          choice,
          consuming,
          interface: interfaceId && packages.nameOf(interfaceId),
          actors: actingParties,
          argument: this.fields(declared.argBinder.type, argument),
          result: result && this.value(declared.returnType, result),
          byKey,
          children,
          witnesses,
        };
      }
      case "fetch":
        return {
          kind: "fetch",
          contract: labelOf(node.contractId),
          template: packages.nameOf(node.templateId),
          actors: node.actingParties,
          interface: node.interfaceId && packages.nameOf(node.interfaceId),
          byKey: node.byKey,
          witnesses,
        };
      case "queryByKey":
        return {
          kind: "queryByKey",
          template: packages.nameOf(node.templateId),
          key: this.#key(node.templateId, node.key.key),
          found: node.result.map(labelOf),
          witnesses,
        };
      case "rollback":
        return { kind: "rollback", children: node.children, witnesses };
    }
  }

  #key(template: DefinitionId, key: LedgerValue): string {
    const type = this.packages.engine.packages.template(template)?.key?.type;
    return type === undefined ? "?" : this.value(type, key);
  }
}
