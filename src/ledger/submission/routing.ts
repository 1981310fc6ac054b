/**
 * On which synchronizer a transaction can be, and which contracts have to move there first: all who are told have to be there, all
 * packages have to be vetted there, and of several the one with the fewest moves is taken.
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { Tables } from "../../store/index.js";
import { type ContractState, decodeContractState, decodeInstance } from "../records/index.js";
import {
  ledgerError, type LedgerErrorData, noCommonSynchronizer, type Party, shownSynchronizer, type Synchronizer,
  type Synchronizers,
} from "../model/index.js";
import type { InterpretedTransaction } from "../interpretation/index.js";
import type { PackageRegistry } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";
import type { NetworkMember } from "../topology/index.js";
import { lackText, seenBy } from "./hosted-vetting.js";
import { notVetted } from "./selection-errors.js";

export interface RoutingContext {
  readonly tables: Tables;
  readonly parties: PartyRegistry;
  readonly packages: PackageRegistry;
  readonly synchronizers: Synchronizers;
  /** The other participants. */
  readonly others: readonly NetworkMember[];
}

/** A contract that is not where the transaction will be. */
export interface Move { readonly contractId: string; readonly from: number }

export interface Route { readonly synchronizer: number; readonly moves: readonly Move[] }

export interface Routed {
  readonly transaction: InterpretedTransaction;
  readonly ledgerTime: bigint;
  /** What the command names. */
  readonly prescribed: Synchronizer | undefined;
}

/** Where a command may be tried: the synchronizer it names, else those on which this node can submit for all its parties. */
export function candidatesFor(actAs: readonly Party[], prescribed: Synchronizer | undefined, { parties, synchronizers }: RoutingContext): readonly Synchronizer[] {
  if (prescribed) return [prescribed];
  return synchronizers.connected.filter(({ number }) => actAs.every((party) => {
    const known = parties.get(party);
    return (known?.isLocal ? known.hostedOn : known?.synchronizers ?? []).includes(number);
  }));
}

export function findRoute(routed: Routed, context: RoutingContext): Result<Route, LedgerErrorData> {
  const { synchronizers } = context, { transaction, prescribed, ledgerTime } = routed;
  if (synchronizers.all.length === 1) return ok(onlyRoute);
  const inputs = transaction.inputs.flatMap((contractId) => { const state = readState(contractId, context); return state ? [{ contractId, state }] : []; });
  const underWay = inputs.filter(({ state }) => state.unassigned !== undefined).map(({ contractId }) => contractId);
  if (underWay.length > 0) return fail(onTheirWay(underWay));
  const informees = informeesOf(transaction, inputs.map(({ state }) => state), context);
  const common = synchronizers.connected.filter(({ number }) => informees.every((party) => context.parties.get(party)?.synchronizers.includes(number)));
  const problem = prescribed ? prescriptionProblem(prescribed, common) : common.length === 0 ? noCommonSynchronizer(informees, synchronizers) : undefined;
  if (problem) return fail(problem);
  const unvettedOn = ({ number }: Synchronizer): readonly string[] => transaction.usedPackages.filter((id) => !context.packages.isVetted(id, number, ledgerTime));
  const isVettedByAll = ({ number }: Synchronizer): boolean => lackText(seenBy(transaction.events, context.others, { synchronizer: number, ledgerTime })) === undefined;
  const fitting = (prescribed ? [prescribed] : common).filter((one) => unvettedOn(one).length === 0 && isVettedByAll(one));
  if (fitting.length === 0) return fail(notVetted(unvettedOn(prescribed ?? common[0]!).join(", "), inputs.length > 0 || prescribed !== undefined));
  const routes = fitting.map(({ number }): Route => ({ synchronizer: number, moves: inputs.filter(({ state }) => state.synchronizer !== number && !state.archived).map(({ contractId, state }) => ({ contractId, from: state.synchronizer })) }));
  return ok(routes.reduce((best, route) => (isBetter(route, best, inputs[0]?.state.synchronizer) ? route : best)));
}

/** Fewer moves, or as many to where the first contract is that the transaction uses. */
const isBetter = ({ synchronizer, moves }: Route, best: Route, first: number | undefined): boolean =>
  moves.length < best.moves.length || (moves.length === best.moves.length && synchronizer === first && best.synchronizer !== first);

const onlyRoute: Route = { synchronizer: 0, moves: [] };

function readState(contractId: string, { tables }: RoutingContext): ContractState | undefined {
  const record = tables.contracts.read(contractId);
  return record && decodeContractState(record, contractId);
}

function informeesOf({ events }: InterpretedTransaction, inputs: readonly ContractState[], { tables, parties }: RoutingContext): readonly Party[] {
  const informees = new Set<Party>();
  for (const { witnesses, stakeholders } of events) for (const party of [...witnesses, ...stakeholders]) informees.add(party);
  for (const { activated } of inputs) {
    const record = tables.instances.read(activated);
    for (const number of record ? decodeInstance(record, activated).stakeholders : []) informees.add(parties.byNumber(number).party);
  }
  return [...informees].sort();
}

const setOf = (texts: readonly string[]): string => `Set(${texts.join(", ")})`;

function prescriptionProblem(prescribed: Synchronizer, common: readonly Synchronizer[]): LedgerErrorData | undefined {
  if (common.includes(prescribed)) return undefined;
  const synchronizersOfAllInformees = setOf(common.map(shownSynchronizer)), physicalSynchronizerId = shownSynchronizer(prescribed);
  return ledgerError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", `Not all informees are on the synchronizer that the command names, ${physicalSynchronizerId}, but on ${synchronizersOfAllInformees}.`, { context: { physicalSynchronizerId, synchronizersOfAllInformees } });
}

const onTheirWay = (contractIds: readonly string[]): LedgerErrorData => ledgerError(
  "UNKNOWN_CONTRACT_SYNCHRONIZERS", `Contracts that the command uses are on their way between synchronizers: ${contractIds.join(", ")}.`,
  { context: { notFound: `List(${contractIds.join(", ")})`, archived: "Map()" }, resources: [["CONTRACT_IDS", `[${contractIds.join(", ")}]`]] },
);
