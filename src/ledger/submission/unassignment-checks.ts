/** Whether contracts may leave their synchronizer for another one. */
import { fail, ok } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { EventPlace, Tables } from "../../store/index.js";
import { reassignmentRefused } from "../intake/index.js";
import {
  type LedgerClock,
  type LedgerErrorData,
  type Outcome,
  type Party,
  shortIdentifier,
  shownSynchronizer,
  type Synchronizer,
} from "../model/index.js";
import type { PartyHosting } from "../parties/index.js";
import { type ContractIndex, type ContractState, decodeUpdate, idOfReassignment, isActive, readReassignment } from "../records/index.js";
import { eventAt } from "../reading/index.js";
import type { MovedContract } from "./moved-contracts.js";
import type { CommitContext } from "./transaction-commit.js";

export interface UnassignmentContext extends CommitContext {
  readonly participantId: string;
  readonly tables: Tables;
  readonly contracts: ContractIndex;
  readonly clock: LedgerClock;
  hostingOf(party: Party, synchronizer: number): PartyHosting;
}

/** Who has a stake in a contract: what is moved together has the same stakeholders and signatories. */
export interface Stake {
  readonly stakeholders: readonly Party[];
  readonly signatories: readonly Party[];
}

export function findActive(contractId: string, source: Synchronizer, context: UnassignmentContext): Outcome<ContractState> {
  const state = context.contracts.find(contractId);
  if (!state) return fail(unknownContract(contractId));
  const isHere = state.synchronizer === source.number;
  if (!isHere && !wasOn(state, source.number, context)) return fail(unknownContract(contractId));
  if (isHere && isActive(state)) return ok(state);
  const { id } = context.synchronizers.at(isHere ? (targetOf(state, context) ?? state.synchronizer) : state.synchronizer);
  const status = isHere && state.archived ? "Archived" : `ReassignedAway(${shortIdentifier(id)})`;
  return fail(reassignmentRefused(`Cannot unassign contract ${contractId} because it is not active. Current status ${status}`));
}

/** Whether a contract that is elsewhere has been on a synchronizer before. */
function wasOn({ created, reassignmentCounter, unassigned }: ContractState, synchronizer: number, context: UnassignmentContext): boolean {
  if (reassignmentCounter === 0) return false; // what is on its way has left where it was made, and arrived nowhere
  return created === undefined || unassigned !== undefined || reassignmentCounter > 1 || mayBeMadeOn(created, synchronizer, context);
}

/** Of what is pruned that is not known any more, and it has been moved since. */
function mayBeMadeOn({ offset }: EventPlace, synchronizer: number, { tables }: UnassignmentContext): boolean {
  const record = tables.updates.read(offset);
  return record === undefined || decodeUpdate(record, offset).synchronizer === synchronizer;
}

function targetOf({ unassigned }: ContractState, { tables }: UnassignmentContext): number | undefined {
  if (!unassigned) return undefined;
  const { offset } = unassigned,
    update = decodeUpdate(tables.updates.read(offset)!, offset),
    event = eventAt(update, unassigned.nodeId);
  return readReassignment(tables, idOfReassignment(update, event))?.target;
}

export function* stakeholdersProblem(
  contracts: readonly MovedContract[],
  { source, target }: { readonly source: Synchronizer; readonly target: Synchronizer },
  submitter: Party,
  ids: readonly string[],
  context: UnassignmentContext,
): Steps<LedgerErrorData | undefined> {
  const { parties, participantId } = context,
    [first] = contracts,
    { stakeholders } = first!.created,
    all = new Set<string>();
  for (const contract of contracts) {
    yield;
    all.add(stakeOf(contract));
  }
  if (all.size > 1)
    return reassignmentRefused(`The contracts have different stakeholders: ${[...all].join("; and ")} (DifferingStakeholders)`);
  const what = `Submission failed because: For unassignment of ${ids.join(", ")}`;
  if (!stakeholders.includes(submitter)) return reassignmentRefused(`${what}: submitter \`${submitter}\` is not a stakeholder.`);
  if (!parties.get(submitter)!.hostedOn.includes(source.number))
    return reassignmentRefused(`${what}: ${submitter} is not hosted on ${shortIdentifier(participantId)}`);
  const elsewhere = stakeholders.filter((party) => !parties.get(party)!.synchronizers.includes(target.number));
  if (elsewhere.length > 0)
    return reassignmentRefused(
      `Submission failed because: The following stakeholders are not active on the target synchronizer: ${elsewhere.join(", ")}`,
    );
  const unfit = hostingProblem({ stakeholders, signatories: first!.signatories }, source.number, target.number, context);
  if (unfit !== undefined) return reassignmentRefused(`Submission failed because: ${unfit}`);
  const unvetted = vettingProblem(contracts, source, context) ?? vettingProblem(contracts, target, context);
  return unvetted === undefined
    ? undefined
    : reassignmentRefused(`Submission failed because: Cannot unassign contracts ${ids.join(", ")} on synchronizer ${unvetted}`);
}

/** Who hosts a stakeholder at an end of the way has to have vetted there what the contracts are made by. */
function vettingProblem(
  contracts: readonly MovedContract[],
  synchronizer: Synchronizer,
  { parties, packages, participantId, clock, others }: UnassignmentContext,
): string | undefined {
  const { stakeholders } = contracts[0]!.created,
    used = [...new Set(contracts.map(({ created: { templateId } }) => templateId.slice(0, templateId.indexOf(":"))))],
    now = clock.nowMicros();
  for (const host of [{ participantId, parties, packages }, ...others]) {
    const isHost = stakeholders.some((party) => host.parties.get(party)?.hostedOn.includes(synchronizer.number));
    const unvetted = isHost ? used.find((id) => !host.packages.isVetted(id, synchronizer.number, now)) : undefined;
    if (unvetted !== undefined)
      return `${shownSynchronizer(synchronizer)}: ${shortIdentifier(host.participantId)} has not vetted package ${unvetted}`;
  }
  return undefined;
}

/** Each stakeholder needs a participant that hosts it at both ends, a signatory as many that confirm as its threshold says at each. */
export function hostingProblem(
  { stakeholders, signatories }: Stake,
  source: number,
  target: number,
  { hostingOf }: UnassignmentContext,
): string | undefined {
  const bothOf = (party: Party): readonly string[] => {
    const there = hostingOf(party, target).hosts.map(({ participant }) => participant);
    return hostingOf(party, source).hosts.flatMap(({ participant }) => (there.includes(participant) ? [participant] : []));
  };
  const without = stakeholders.filter((party) => bothOf(party).length === 0);
  if (without.length > 0) return `The following stakeholders are not hosted on any reassigning participants: Set(${without.join(", ")})`;
  for (const [end, synchronizer] of [
    ["source", source],
    ["target", target],
  ] as const)
    for (const party of signatories) {
      const { hosts, threshold } = hostingOf(party, synchronizer),
        both = bothOf(party);
      const confirming = hosts.filter(({ participant, permission }) => permission !== "observation" && both.includes(participant)).length;
      if (confirming < threshold)
        return `Signatory ${party} requires at least ${threshold} signatory reassigning participants on synchronizer ${end}, but only ${confirming} are available`;
    }
  return undefined;
}

/** Those of one reassignment also have the same signatories among their stakeholders. */
const stakeOf = ({ created, signatories }: MovedContract): string =>
  `${created.stakeholders.join(", ")} (signed by ${signatories.join(", ")})`;

export const unknownContract = (contractId: string): LedgerErrorData =>
  reassignmentRefused(`Cannot unassign contract ${contractId}: unknown contract`);
