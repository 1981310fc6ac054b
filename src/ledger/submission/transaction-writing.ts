/** What one participant writes of a transaction: the update, contracts, indexes. Part after part, as it may be large. */
import { assert } from "../../base/assert.js";
import type { CommitGroup, Place } from "../commit/index.js";
import {
  anyParty,
  type ContractState,
  encodeInstance,
  encodeKeyed,
  type EventNumbers,
  indexVisitor,
  isActive,
  TransactionEncoder,
  Transients,
  writeUpdateId,
} from "../records/index.js";
import type { Offset, Party, StoredCreate, StoredEvent, StoredTransaction } from "../model/index.js";
import type { UnplacedArchive, UnplacedCreate } from "../interpretation/index.js";
import type { PartyRegistry } from "../parties/index.js";

/** Something to be written so many times. */
export type Part = readonly [items: number, write: (index: number) => void];

/** What is the same of a transaction for all who see any of it. */
export type SharedFacts = Pick<
  StoredTransaction,
  "updateId" | "workflowId" | "effectiveAt" | "trace" | "externalTransactionHash" | "synchronizer"
> & { readonly synchronizerIdJson: string };

export interface WrittenTransaction {
  readonly facts: SharedFacts;
  readonly events: readonly StoredEvent[];
  /** Empty where others submitted it. */
  readonly commandId: string;
  readonly submitters: readonly Party[];
}

export function transactionParts(
  group: CommitGroup,
  parties: PartyRegistry,
  { offset, recordTime }: Place,
  { facts, events, commandId, submitters }: WrittenTransaction,
): readonly Part[] {
  const numbers: EventNumbers[] = [],
    transients = new Transients(),
    { updateId, workflowId, effectiveAt, trace, externalTransactionHash, synchronizer } = facts;
  const encoder = new TransactionEncoder(
    group.writer,
    { offset, recordTime, commandId, events, updateId, workflowId, effectiveAt, trace, externalTransactionHash, synchronizer },
    facts.synchronizerIdJson,
  );
  const visitIndex = indexVisitor((party, template) => group.indexUpdate(party, template, offset));
  const numberAndEncode = (index: number): void => {
    const ofEvent = numbersOf(events[index]!, group, parties);
    numbers.push(ofEvent);
    transients.add(events[index]!);
    visitIndex(ofEvent);
    encoder.addEvent(index);
  };
  /** Where none of its stakeholders is hosted it is nothing that somebody asks for here. */
  const endOf = ({ contractId, activates, stakeholders }: StoredCreate): number | undefined =>
    !activates && stakeholders.some((party) => parties.get(party)?.hostedOn.includes(synchronizer))
      ? transients.endOf(contractId)
      : undefined;
  const create = (index: number): void => {
    const event = events[index]!;
    if (event.kind === "create") writeCreated(group, event, { offset, synchronizer, archivedBy: endOf(event) }, numbers[index]!);
  };
  const finish = (): void => {
    group.appendUpdate(offset, encoder.finish());
    writeUpdateId(group, facts.updateId, offset);
  };
  return [
    [events.length, numberAndEncode],
    [1, () => encoder.begin(numbers, parties.numbersOf(submitters))],
    [events.length, (index) => encoder.writeEvent(index, numbers[index]!)],
    [1, finish],
    [events.length, create],
    [events.length, (index) => writeArchived(group, events[index]!, offset, numbers[index]!)],
  ];
}

function numbersOf(event: StoredEvent, group: CommitGroup, parties: PartyRegistry): EventNumbers {
  return {
    template: group.templates.internId(event.packageName, event.templateId, group),
    stakeholders: parties.numbersOf(event.stakeholders),
    witnesses: parties.numbersOf(event.witnesses),
  };
}

interface CreatePlace {
  readonly offset: Offset;
  readonly synchronizer: number;
}

function writeCreated(
  group: CommitGroup,
  event: StoredCreate,
  { archivedBy, ...place }: CreatePlace & Pick<UnplacedCreate, "archivedBy">,
  { template, stakeholders }: EventNumbers,
): void {
  const { contractId, nodeId, keyHash, activates } = event;
  const instance = encodeInstance(group.writer, { contractId, template, stakeholders, keyHash, instance: event.createdEventBlob });
  writeContract(group, { contractId, nodeId, keyHash, activates, archivedBy, template, stakeholders, instance }, place);
}

/** A contract that was made, with the record of its instance. */
export function writeContract(
  group: CommitGroup,
  { contractId, nodeId, keyHash, activates, archivedBy, template, stakeholders, instance }: UnplacedCreate,
  { offset, synchronizer }: CreatePlace,
): void {
  const { batch, tables, writer } = group,
    place = { offset, nodeId };
  batch.append(tables.instances, place, instance);
  if (!activates && archivedBy === undefined) return;
  assert(stakeholders.length > 0, "a contract has stakeholders");
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  const state: ContractState = {
    created: place,
    activated: place,
    archived: archivedBy === undefined ? undefined : { offset, nodeId: archivedBy },
    keyHash,
    synchronizer,
    reassignmentCounter: 0,
    unassigned: undefined,
  };
  group.setContract(contractId, state);
  if (!activates) return;
  group.indexActive(stakeholders, template, place);
  if (!keyHash) return;
  const keyed = { contractId, stakeholders, createdOffset: offset };
  group.addKeyed(keyHash, keyed);
  batch.insert(tables.activeKeys, { keyHash, offset, nodeId }, encodeKeyed(writer, keyed));
}

function writeArchived(group: CommitGroup, event: StoredEvent, archivedOffset: Offset, { template, stakeholders }: EventNumbers): void {
  if (event.kind === "exercise" && event.deactivates)
    writeArchive(group, { contractId: event.contractId, nodeId: event.nodeId, template, stakeholders }, archivedOffset);
}

/** All versions of a template share a number. */
export function writeArchive(
  group: CommitGroup,
  { contractId, nodeId: archivedNodeId, template, stakeholders }: UnplacedArchive,
  archivedOffset: Offset,
): void {
  const { batch, tables } = group,
    before = group.contract(contractId);
  assert(before && isActive(before), "an archived contract was active");
  const { created, activated, keyHash, synchronizer, reassignmentCounter } = before,
    { offset, nodeId } = activated;
  const state: ContractState = {
    created,
    activated,
    archived: { offset: archivedOffset, nodeId: archivedNodeId },
    keyHash,
    synchronizer,
    reassignmentCounter,
    unassigned: undefined,
  };
  group.setContract(contractId, state);
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  for (const party of [anyParty, ...stakeholders]) {
    batch.remove(tables.active, { party, template, offset, nodeId });
    batch.insert(tables.archived, { party, template, offset, nodeId, archivedOffset });
    group.markArchived(party, template, activated, archivedOffset);
  }
  if (!keyHash) return;
  group.removeKeyed(keyHash, contractId);
  batch.remove(tables.activeKeys, { keyHash, offset, nodeId });
}

const areDifferent = (numbers: readonly number[]): boolean => numbers.length < 2 || new Set(numbers).size === numbers.length;
