/**
 * What a reader must get, node by node and without any index: the plainest form of the rules of the Ledger API
 * (`transaction_filter.proto`, `transaction.proto`, `event.proto`), written without looking at how the ledger does it.
 */
import type { EventFormatRequest, FilterRequest, FiltersRequest } from "../../../src/ledger/index.js";
import { contractIdOf, packageId, packageName } from "../support.js";
import { interfaceOf, templates, unmadeTemplate, type Contract, type Node, type Transaction } from "./play.js";

export type Shape = "acsDelta" | "ledgerEffects";
export type Json = Record<string, unknown>;

export interface Wanted {
  readonly blob: boolean;
  readonly views: readonly string[];
}

const nameOf = (template: string): string => `#${packageName}:${template}`;

/** What one filter wants of a template; undefined: it is not for it. */
function wantedBy(filter: FilterRequest, template: string): Wanted | undefined {
  switch (filter.kind) {
    case "wildcard":
      return { blob: filter.includeCreatedEventBlob, views: [] };
    case "template":
      return filter.templateId === nameOf(template) ? { blob: filter.includeCreatedEventBlob, views: [] } : undefined;
    case "interface": {
      const implemented = interfaceOf[template];
      if (implemented === undefined || implemented.replace(packageId, `#${packageName}`) !== filter.interfaceId) return undefined;
      return { blob: filter.includeCreatedEventBlob, views: filter.includeInterfaceView ? [implemented] : [] };
    }
    case "empty":
      return undefined;
  }
}

function wantedByAll({ cumulative }: FiltersRequest, template: string): Wanted[] {
  const said = cumulative.filter(({ kind }) => kind !== "empty");
  return said.length === 0 ? [{ blob: false, views: [] }] : said.flatMap((filter) => wantedBy(filter, template) ?? []);
}

/** Of an event of `template` that `seers` may see. */
export function wantedOf(format: EventFormatRequest, template: string, seers: Iterable<string>): Wanted | undefined {
  const all: Wanted[] = [];
  for (const party of seers) if (format.filtersByParty[party]) all.push(...wantedByAll(format.filtersByParty[party]!, template));
  if (format.filtersForAnyParty) all.push(...wantedByAll(format.filtersForAnyParty, template));
  if (all.length === 0) return undefined;
  const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
  return {
    blob: all.some(({ blob }) => blob),
    views: union(all.map(({ views }) => views)),
  };
}

/** Who asks only for interfaces that no template implements asks for nothing, and reads nothing. */
const asksForSomething = (filters: FiltersRequest | undefined): boolean =>
  filters !== undefined && [...templates, unmadeTemplate].some((template) => wantedByAll(filters, template).length > 0);

export const asked = (format: EventFormatRequest, parties: Iterable<string>): string[] =>
  [...parties].filter((party) => asksForSomething(format.filtersForAnyParty) || asksForSomething(format.filtersByParty[party])).sort();

const identity = ({ name, template }: Contract, offset: number, nodeId: number): Json => ({
  offset,
  nodeId,
  contractId: contractIdOf(name),
  templateId: `${packageId}:${template}`,
});

export function created(contract: Contract, format: EventFormatRequest, wanted: Wanted, seers: Iterable<string>, acsDelta: boolean): Json {
  const blob = `instance of ${contract.name}`;
  return {
    ...identity(contract, contract.createdAt, contract.nodeId),
    contractKey: null,
    contractKeyHash: "",
    createArgument: { name: contract.name },
    createdEventBlob: wanted.blob ? Buffer.from(blob).toString("base64") : "",
    interfaceViews: wanted.views.map((interfaceId) => ({
      interfaceId,
      viewStatus: { code: 0, message: "", details: [] },
      viewValue: { of: blob },
      implementationPackageId: packageId,
    })),
    witnessParties: asked(format, seers),
    signatories: contract.signatories,
    observers: contract.observers,
    createdAt: "2026-01-01T00:00:00Z",
    packageName,
    representativePackageId: packageId,
    acsDelta,
  };
}

function eventOf(transaction: Transaction, node: Node, format: EventFormatRequest, shape: Shape): Json | undefined {
  const { contract, exercise } = node;
  if (shape === "acsDelta" && !node.changesActive) return undefined;
  const seers = shape === "acsDelta" ? contract.stakeholders : node.witnesses,
    wanted = wantedOf(format, contract.template, seers);
  if (!wanted) return undefined;
  const acsDelta = node.changesActive && asked(format, contract.stakeholders).length > 0;
  if (!exercise) return { CreatedEvent: created(contract, format, wanted, seers, acsDelta) };
  const head = identity(contract, transaction.offset, node.nodeId),
    witnessParties = asked(format, seers);
  if (shape === "acsDelta") return { ArchivedEvent: { ...head, witnessParties, packageName, implementedInterfaces: wanted.views } };
  return {
    ExercisedEvent: {
      ...head,
      interfaceId: null,
      choice: exercise.choice,
      choiceArgument: {},
      actingParties: exercise.by,
      consuming: exercise.consuming,
      witnessParties,
      lastDescendantNodeId: exercise.lastDescendant,
      exerciseResult: {},
      packageName,
      implementedInterfaces: exercise.consuming ? wanted.views : [],
      acsDelta,
    },
  };
}

export interface Projected {
  readonly offset: number;
  readonly updateId: string;
  readonly commandId: string;
  readonly workflowId: string;
  readonly paidTrafficCost: 0 | null;
  readonly events: readonly Json[];
}

/** Undefined: the reader does not hear of it. */
export function project(transaction: Transaction, format: EventFormatRequest, shape: Shape): Projected | undefined {
  const events = transaction.nodes.map((node) => eventOf(transaction, node, format, shape)).filter((event) => event !== undefined);
  if (events.length === 0) return undefined;
  const { offset, updateId, workflowId } = transaction,
    isSubmitter = asked(format, transaction.submitters).length > 0;
  return {
    offset,
    updateId,
    commandId: isSubmitter ? transaction.commandId : "",
    workflowId,
    paidTrafficCost: isSubmitter ? 0 : null,
    events,
  };
}

/** The active contracts at an offset in the order of their creation, as created events. */
export function activeAt(transactions: readonly Transaction[], format: EventFormatRequest, offset: number): Json[] {
  return transactions
    .flatMap(({ nodes }) => nodes)
    .flatMap(({ contract, exercise, changesActive }) => {
      const isActive =
        !exercise && changesActive && contract.createdAt <= offset && (contract.archivedAt === undefined || contract.archivedAt > offset);
      const wanted = isActive ? wantedOf(format, contract.template, contract.stakeholders) : undefined;
      return wanted ? [created(contract, format, wanted, contract.stakeholders, true)] : [];
    });
}

/** Undefined: not found, or not visible. */
export function eventsOfContract(
  transactions: readonly Transaction[],
  format: EventFormatRequest,
  name: string,
): { readonly created: Json; readonly archived: Json | null } | undefined {
  const [made, end] = transactions.flatMap((transaction) =>
    transaction.nodes
      .filter(({ contract, exercise }) => contract.name === name && exercise?.consuming !== false)
      .map((node) => ({ transaction, node })),
  );
  const contract = made?.node.contract,
    wanted = contract && wantedOf(format, contract.template, contract.stakeholders);
  if (!wanted) return undefined;
  const archived = end && eventOf(end.transaction, { ...end.node, changesActive: true }, format, "acsDelta");
  return {
    created: created(contract, format, wanted, contract.stakeholders, made!.node.changesActive),
    archived: (archived?.["ArchivedEvent"] as Json | undefined) ?? null,
  };
}
