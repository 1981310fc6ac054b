/** Transactions as text: who did what on whose authority, who saw it, and what became of the contracts. */
import {
  type LedgerNode,
  type LedgerRecord,
  type LedgerStep,
  showDefinition,
  type ShownFields,
  type SourceLocation,
  type TransactionTree,
} from "../outcome.js";

/** What later steps did with contracts, by their labels. */
export type ConsumedBy = ReadonlyMap<string, string>;

function consumedBy({ steps, firstStep }: LedgerRecord): ConsumedBy {
  const consumed = new Map<string, string>();
  steps.forEach((step, index) => {
    if (step.kind !== "transaction") return;
    const { roots, nodes } = step.tree;
    const visit = (id: number): void => {
      const node = nodes[id]!;
      if (node.kind !== "exercise") return; // what was rolled back consumed nothing
      if (node.consuming) consumed.set(node.contract, `#${firstStep + index}:${id}`);
      node.children.forEach(visit);
    };
    roots.forEach(visit);
  });
  return consumed;
}

export const showLocation = ({ module, startLine, startColumn }: SourceLocation): string => `${module}:${startLine}:${startColumn}`;
const parties = (names: readonly string[]): string => (names.length === 0 ? "nobody" : names.map((name) => `'${name}'`).join(", "));
const at = (location: SourceLocation | undefined): string => (location === undefined ? "" : ` (${showLocation(location)})`);

/** All steps of a record. */
export function recordLines(record: LedgerRecord): readonly string[] {
  const { steps, firstStep } = record,
    consumed = consumedBy(record);
  return [...leftOut(firstStep, "earlier step"), ...steps.flatMap((step, index) => stepLines(step, firstStep + index, consumed))];
}

export const leftOut = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`... (${count.toLocaleString("en")} ${what}${count === 1 ? " is" : "s are"} left out)`];

function stepLines(step: LedgerStep, index: number, consumed: ConsumedBy): readonly string[] {
  switch (step.kind) {
    case "transaction":
      return [`TX ${index} ${step.time}${at(step.location)}`, ...treeLines(step.tree, `#${index}:`, consumed)];
    case "failure":
      return [
        `TX ${index} ${step.expected ? "must fail" : "tried"}${at(step.location)}`,
        ...indented([`actAs: ${parties(step.actAs)}  readAs: ${parties(step.readAs)}`, `failed: ${step.error}`]),
      ];
    case "time":
      return [`TX ${index} time passes: ${step.from} -> ${step.to}`];
  }
}

/** `prefix`: of the numbers of nodes. */
export const treeLines = ({ roots, nodes }: TransactionTree, prefix: string, consumed: ConsumedBy): readonly string[] =>
  roots.flatMap((root) => nodeLines(nodes, root, prefix, consumed));

function nodeLines(nodes: readonly LedgerNode[], id: number, prefix: string, consumed: ConsumedBy): readonly string[] {
  const node = nodes[id]!;
  const children = "children" in node ? node.children.flatMap((child) => nodeLines(nodes, child, prefix, consumed)) : [];
  const facts = [
    ...(node.kind === "create" && consumed.has(node.contract) ? [`consumed by ${consumed.get(node.contract)!}`] : []),
    ...(node.witnesses.length > 0 ? [`seen by ${parties(node.witnesses)}`] : []),
  ];
  return [`${prefix}${id}`, ...facts.map((fact) => `│   ${fact}`), ...hung(actionLines(node)), ...indented(children, "    ")];
}

const hung = (lines: readonly string[]): readonly string[] => lines.map((line, index) => `${index === 0 ? "└─> " : "    "}${line}`);
const indented = (lines: readonly string[], by = "  "): readonly string[] => lines.map((line) => by + line);

function actionLines(node: LedgerNode): readonly string[] {
  switch (node.kind) {
    case "create":
      return [
        `${parties(node.signatories)} create${node.signatories.length === 1 ? "s" : ""} ${showDefinition(node.template)}${withFields(node.argument)}`,
        ...fieldLines(node.argument),
        ...(node.key === undefined ? [] : [`  key ${node.key}`]),
      ];
    case "exercise": {
      const through = node.interface === undefined ? "" : ` through ${showDefinition(node.interface)}`;
      return [
        `${parties(node.actors)} exercise${node.actors.length === 1 ? "s" : ""} ${node.choice} on ${node.contract} (${showDefinition(node.template)})${through}${node.byKey ? " by key" : ""}${withFields(node.argument)}`,
        ...fieldLines(node.argument),
        ...(node.result === undefined ? ["did not end"] : node.result === "()" ? [] : `returns ${node.result}`.split("\n")),
        ...(node.children.length > 0 ? ["children:"] : []),
      ];
    }
    case "fetch":
      return [
        `${parties(node.actors)} fetch${node.actors.length === 1 ? "es" : ""} ${node.contract} (${showDefinition(node.template)})${node.byKey ? " by key" : ""}`,
      ];
    case "queryByKey":
      return [`queries ${showDefinition(node.template)} by key ${node.key}: ${node.found.join(", ") || "nothing"}`];
    case "rollback":
      return ["rollback:"];
  }
}

const withFields = (fields: ShownFields): string => (fields.length === 0 ? "" : " with");
export const fieldLines = (fields: ShownFields): readonly string[] =>
  fields.flatMap(({ name, value }) => `${name === "" ? "" : `${name} = `}${value}`.split("\n").map((line) => `  ${line}`));
export { parties as showParties };
