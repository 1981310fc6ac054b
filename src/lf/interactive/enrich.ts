/** Gives values the labels and type ids of their types, which are signed with them. Trailing None fields stay dropped. */
import { assert } from "../../base/assert.js";
import { type DefinitionId, showId } from "../ast.js";
import type { TransactionNode } from "../transaction/index.js";
import type { LedgerValue } from "../value/index.js";
import type { ValueType } from "../conversion/index.js";

/** The types of what stands in nodes, from the packages of their templates and interfaces. */
export interface NodeTypes {
  argument(templateId: DefinitionId): ValueType;
  key(templateId: DefinitionId): ValueType;
  choiceArgument(templateId: DefinitionId, interfaceId: DefinitionId | undefined, choice: string): ValueType;
  choiceResult(templateId: DefinitionId, interfaceId: DefinitionId | undefined, choice: string): ValueType;
}

export function enrichNode<N extends TransactionNode>(node: N, types: NodeTypes): N;
export function enrichNode(node: TransactionNode, types: NodeTypes): TransactionNode {
  switch (node.kind) {
    case "create":
      return { ...node, argument: enrich(types.argument(node.templateId), node.argument), key: enrichKey(node, types) };
    case "fetch":
      return { ...node, key: enrichKey(node, types) };
    case "exercise": {
      const { templateId, interfaceId, choice, result } = node;
      return {
        ...node,
        argument: enrich(types.choiceArgument(templateId, interfaceId, choice), node.argument),
        result: result && enrich(types.choiceResult(templateId, interfaceId, choice), result),
        key: enrichKey(node, types),
      };
    }
    case "queryByKey":
      return { ...node, key: { ...node.key, key: enrich(types.key(node.templateId), node.key.key) } };
    case "rollback":
      return node;
  }
}

function enrichKey({ key, templateId }: Extract<TransactionNode, { kind: "create" | "fetch" | "exercise" }>, types: NodeTypes): typeof key {
  return key && { ...key, key: enrich(types.key(templateId), key.key) };
}

export function enrich(type: ValueType, value: LedgerValue): LedgerValue {
  assert(type.kind === value.kind, "a normalised value has its type");
  switch (value.kind) {
    case "optional":
      assert(type.kind === "optional", "checked above");
      return { kind: "optional", value: value.value && enrich(type.element, value.value) };
    case "list":
      assert(type.kind === "list", "checked above");
      return { kind: "list", elements: value.elements.map((element) => enrich(type.element, element)) };
    case "textMap":
      assert(type.kind === "textMap", "checked above");
      return { kind: "textMap", entries: value.entries.map(([key, entry]) => [key, enrich(type.value, entry)] as const) };
    case "genMap":
      assert(type.kind === "genMap", "checked above");
      return { kind: "genMap", entries: value.entries.map(([key, entry]) => [enrich(type.key, key), enrich(type.value, entry)] as const) };
    case "record":
    case "variant":
    case "enum":
      return enrichData(type, value);
    default:
      return value;
  }
}

function enrichData(type: ValueType, value: Extract<LedgerValue, { kind: "record" | "variant" | "enum" }>): LedgerValue {
  assert(type.kind === "record" || type.kind === "variant" || type.kind === "enum", "checked by the caller");
  const typeId = showId(type.id);
  if (value.kind === "record" && type.kind === "record") {
    const fields = value.fields.map((field, index) => {
      const { name, type: fieldType } = type.fields[index]!;
      return { label: name, value: enrich(fieldType, field.value) };
    });
    return { kind: "record", fields, typeId };
  }
  if (value.kind === "variant" && type.kind === "variant") {
    const rank = type.rankOf(value.constructor_);
    assert(rank !== undefined, "a normalised value has a constructor of its type");
    return { ...value, value: enrich(type.constructors[rank]!.type, value.value), typeId };
  }
  return { ...value, typeId } as LedgerValue;
}
