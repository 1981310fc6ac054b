/** The engine's answers and the oracle's in one form, in which they are held together. */
import type { EngineError, Interpretation } from "../../../src/lf/index.js";
import type { TransactionNode } from "../../../src/lf/transaction/node.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import type { Outcome } from "../compile/oracle.js";
import { type Action, normal, type Refused, seen } from "./ledger.js";
import type { LedgerOracle } from "./oracle.js";

type Json = unknown;
type Name = (contractId: string) => string;

// The engine's side

export function showInterpretation({ transaction, blinding, metadata }: Interpretation, name: Name): Json {
  const show = (id: number): Json => showNode(transaction.nodes[id]!, show, name);
  const { min, max } = metadata.timeBoundaries;
  return {
    tree: transaction.roots.map(show),
    witnesses: blinding.disclosure,
    divulged: Object.fromEntries(
      [...blinding.divulgence]
        .map(([id, parties]): [string, readonly string[]] => [name(id), parties])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    time: metadata.dependsOnTime ? [String(min), String(max)] : "any",
  };
}

function showNode(node: TransactionNode, child: (id: number) => Json, name: Name): Json {
  const value = (of: LedgerValue): Json => showValue(of, name);
  const key = "key" in node && node.key !== undefined ? { key: value(node.key.key), maintainers: node.key.maintainers } : {};
  switch (node.kind) {
    case "rollback":
      return { rollback: node.children.map(child) };
    case "create":
      return {
        create: name(node.contractId),
        template: node.templateId.name,
        argument: value(node.argument),
        signatories: node.signatories,
        stakeholders: node.stakeholders,
        ...key,
      };
    case "fetch":
      return {
        fetch: name(node.contractId),
        template: node.templateId.name,
        by: node.interfaceId?.name ?? null,
        byKey: node.byKey,
        actors: node.actingParties,
        ...key,
      };
    case "queryByKey":
      return { query: node.templateId.name, result: node.result.map(name), exhaustive: node.exhaustive, ...key };
    case "exercise":
      return {
        exercise: name(node.contractId),
        template: node.templateId.name,
        by: node.interfaceId?.name ?? null,
        byKey: node.byKey,
        choice: node.choice,
        consuming: node.consuming,
        controllers: node.actingParties,
        observers: node.choiceObservers,
        argument: value(node.argument),
        result: node.result === undefined ? "aborted" : value(node.result),
        children: node.children.map(child),
        ...key,
      };
  }
}

function showValue(value: LedgerValue, name: Name): Json {
  switch (value.kind) {
    case "unit":
      return "unit";
    case "bool":
      return value.value;
    case "int64":
      return String(value.value);
    case "party":
    case "text":
      return `'${value.value}`;
    case "contractId":
      return name(value.hex);
    case "optional":
      return value.value === undefined ? null : { some: showValue(value.value, name) };
    case "list":
      return value.elements.map((element) => showValue(element, name));
    case "record":
      return { record: value.fields.map((field) => showValue(field.value, name)) };
    default:
      throw new Error(`a random ledger has no values of kind ${value.kind}`);
  }
}

/** What both tell of an error; node numbers and values are left out. */
export function showError(error: EngineError, name: Name): Json {
  if (error.phase !== "interpretation") return { class: `${error.phase}.${error.class}` };
  return { class: error.class, told: told(error.class, error.detail as Readonly<Record<string, unknown>>, name) };
}

/** The parts of a detail by which errors are compared, in the order in which they are told. */
const parts: readonly string[] = [
  "message",
  "errorId",
  "errorMessage",
  "templateId",
  "expected",
  "actual",
  "interfaceId",
  "cid",
  "coid",
  "choiceid",
  "authorizingParties",
  "requiredParties",
  "stakeholders",
  "signatories",
  "maintainers",
];

function told(class_: string, detail: Readonly<Record<string, unknown>>, name: Name): Json {
  if (class_ === "Internal") return {};
  if (class_ === "EffectfulRollback")
    return (detail["nodes"] as readonly { class: string; templateId: string; choiceId?: string }[]).map(
      (node) => `${node.class} ${shortName(node.templateId)} ${node.choiceId ?? ""}`,
    );
  const all = { ...detail, ...(detail["fa"] as object | undefined) } as Readonly<Record<string, unknown>>;
  const wanted = class_.startsWith("FailedAuthorization")
    ? parts.filter((part) => part !== "templateId")
    : class_ === "ContractKeyNotFound" || class_.endsWith("EmptyContractKeyMaintainers")
      ? []
      : parts;
  return Object.fromEntries(
    wanted
      .filter((part) => part in all)
      .map((part) => {
        const value = all[part];
        if (typeof value !== "string") return [part, value];
        return [
          part,
          part === "cid" || part === "coid"
            ? name(value)
            : ["templateId", "expected", "actual", "interfaceId"].includes(part)
              ? shortName(value)
              : value,
        ];
      }),
  );
}

const shortName = (id: string): string => id.split(":").at(-1)!;

// The oracle's side

export function showActions(actions: readonly Action[], oracle: LedgerOracle): Json {
  const tree = normal(actions),
    { witnesses, divulged } = seen(tree),
    { min, max } = oracle.time;
  return {
    tree: tree.map(showAction),
    witnesses,
    divulged: Object.fromEntries(
      [...divulged].map(([id, parties]): [string, readonly string[]] => [id, [...parties].sort()]).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    time: min === undefined && max === undefined ? "any" : [String(min ?? earliest), String(max ?? latest)],
  };
}

/** Of the ledger model: from the first to the last instant that a Time can be. */
const earliest = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1_000n;
const latest = BigInt(Date.parse("9999-12-31T23:59:59Z")) * 1_000n + 999_999n;

function showAction(action: Action): Json {
  if (action.kind === "rollback") return { rollback: action.children.map(showAction) };
  if (action.kind === "query")
    return {
      query: action.template,
      result: action.result,
      exhaustive: action.exhaustive,
      key: showOutcome(action.key),
      maintainers: action.maintainers,
    };
  const { id, template, payload, signatories, stakeholders } = action.contract;
  const key =
    action.contract.key === undefined ? {} : { key: showOutcome(action.contract.key.value), maintainers: action.contract.key.maintainers };
  switch (action.kind) {
    case "create":
      return { create: id, template, argument: showOutcome(payload), signatories, stakeholders, ...key };
    case "fetch":
      return { fetch: id, template, by: action.byInterface ?? null, byKey: action.byKey, actors: action.actors, ...key };
    case "exercise":
      return {
        exercise: id,
        template,
        by: action.byInterface ?? null,
        byKey: action.byKey,
        choice: action.choice,
        consuming: action.consuming,
        controllers: action.controllers,
        observers: action.observers,
        argument: showOutcome(action.argument),
        result: action.result === undefined ? "aborted" : showOutcome(action.result),
        children: action.children.map(showAction),
        ...key,
      };
  }
}

/** A stored record ends with its last field that is not None. */
function showOutcome(outcome: Outcome): Json {
  if (typeof outcome === "bigint") return String(outcome);
  if (typeof outcome === "boolean") return outcome;
  if (outcome === "unit") return "unit";
  if (outcome === "none") return null;
  if (Array.isArray(outcome)) return (outcome as readonly Outcome[]).map(showOutcome);
  const value = outcome as Exclude<Outcome, readonly Outcome[]> & object;
  if ("text" in value) return `'${value.text}`;
  if ("contractId" in value) return value.contractId;
  if ("some" in value) return { some: showOutcome(value.some) };
  if ("record" in value)
    return { record: value.record.slice(0, value.record.findLastIndex((field) => field !== "none") + 1).map(showOutcome) };
  throw new Error("a value that no node holds");
}

export const showRefusal = ({ class_, told: detail }: Refused, name: Name): Json => ({
  class: class_,
  told: told(
    class_,
    class_ === "EffectfulRollback"
      ? {
          nodes: (detail["nodes"] as readonly string[]).map((node) => {
            const [kind, templateId, choiceId] = node.split(" ");
            return { class: kind, templateId, choiceId };
          }),
        }
      : detail,
    name,
  ),
});
