/** Takes the suffixes off the ids of the contracts that a transaction creates: a suffix holds the salt of one execution. */
import type { TransactionNode } from "../transaction/index.js";
import type { LedgerValue } from "../value/index.js";

const localHexLength = 66; // a version 1 id without suffix

export function withLocalIds(nodes: readonly TransactionNode[]): readonly TransactionNode[] {
  const created = new Set(nodes.flatMap((node) => (node.kind === "create" ? [node.contractId] : [])));
  if (created.size === 0) return nodes;
  const idOf = (hex: string): string => (created.has(hex) ? hex.slice(0, localHexLength) : hex);
  return nodes.map((node) => localNode(node, idOf));
}

type IdOf = (hex: string) => string;

/** Keys hold no contract ids. */
function localNode(node: TransactionNode, idOf: IdOf): TransactionNode {
  switch (node.kind) {
    case "create":
      return { ...node, contractId: idOf(node.contractId), argument: localValue(node.argument, idOf) };
    case "fetch":
      return { ...node, contractId: idOf(node.contractId) };
    case "exercise":
      return {
        ...node,
        contractId: idOf(node.contractId),
        argument: localValue(node.argument, idOf),
        result: node.result && localValue(node.result, idOf),
      };
    case "queryByKey":
      return { ...node, result: node.result.map(idOf) };
    case "rollback":
      return node;
  }
}

function localValue(value: LedgerValue, idOf: IdOf): LedgerValue {
  switch (value.kind) {
    case "contractId":
      return { kind: "contractId", hex: idOf(value.hex) };
    case "optional":
      return { kind: "optional", value: value.value && localValue(value.value, idOf) };
    case "list":
      return { kind: "list", elements: value.elements.map((element) => localValue(element, idOf)) };
    case "textMap":
      return { kind: "textMap", entries: value.entries.map(([key, entry]) => [key, localValue(entry, idOf)] as const) };
    case "genMap":
      return { kind: "genMap", entries: value.entries.map(([key, entry]) => [localValue(key, idOf), localValue(entry, idOf)] as const) };
    case "record":
      return { ...value, fields: value.fields.map((field) => ({ ...field, value: localValue(field.value, idOf) })) };
    case "variant":
      return { ...value, value: localValue(value.value, idOf) };
    default:
      return value;
  }
}
