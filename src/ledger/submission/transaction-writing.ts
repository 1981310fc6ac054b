/** What one participant writes of a transaction: the update, contracts, indexes. Part after part, as it may be large. */
import { assert } from "../../base/assert.js";
import type { CommitGroup, Place } from "../commit/index.js";
import {
  anyParty, type ContractState, encodeContractState, encodeInstance, encodeKeyed, type EventNumbers, indexVisitor, templateName,
  TransactionEncoder, writeUpdateId,
} from "../records/index.js";
import type { Offset, Party, StoredEvent, StoredTransaction } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";

/** Something to be written so many times. */
export type Part = readonly [items: number, write: (index: number) => void];

/** What is the same of a transaction for all who see any of it. */
export type SharedFacts = Pick<StoredTransaction, "updateId" | "workflowId" | "effectiveAt" | "trace" | "externalTransactionHash"> & { readonly synchronizerId: string };

export interface WrittenTransaction {
  readonly facts: SharedFacts;
  readonly events: readonly StoredEvent[];
  /** Empty where others submitted it. */
  readonly commandId: string;
  readonly submitters: readonly Party[];
}

export function transactionParts(group: CommitGroup, parties: PartyRegistry, { offset, recordTime }: Place, { facts, events, commandId, submitters }: WrittenTransaction): readonly Part[] {
  const numbers: EventNumbers[] = [], { synchronizerId, ...shared } = facts;
  const encoder = new TransactionEncoder(group.writer, { offset, recordTime, commandId, events, ...shared }, synchronizerId);
  const visitIndex = indexVisitor((party, template) => {
    group.batch.insert(group.tables.updateIndex, { party, template, offset });
    group.concern(party);
  });
  const numberAndEncode = (index: number): void => {
    const ofEvent = numbersOf(events[index]!, group, parties);
    numbers.push(ofEvent);
    visitIndex(ofEvent);
    encoder.addEvent(index);
  };
  const finish = (): void => {
    group.batch.append(group.tables.updates, offset, encoder.finish());
    writeUpdateId(group, facts.updateId, offset);
  };
  return [
    [events.length, numberAndEncode],
    [1, () => encoder.begin(numbers, parties.numbersOf(submitters))],
    [events.length, (index) => encoder.writeEvent(index, numbers[index]!)],
    [1, finish],
    [events.length, (index) => writeCreated(group, events[index]!, offset, numbers[index]!)],
    [events.length, (index) => writeArchived(group, events[index]!, offset, numbers[index]!)],
  ];
}

function numbersOf(event: StoredEvent, group: CommitGroup, parties: PartyRegistry): EventNumbers {
  return {
    template: group.templates.intern(templateName(event.packageName, event.templateId), group),
    stakeholders: parties.numbersOf(event.stakeholders), witnesses: parties.numbersOf(event.witnesses),
  };
}

function writeCreated(group: CommitGroup, event: StoredEvent, offset: Offset, { template, stakeholders }: EventNumbers): void {
  const { batch, tables, writer } = group;
  if (event.kind !== "create") return;
  const { contractId, nodeId, keyHash } = event, place = { offset, nodeId };
  batch.append(tables.instances, place, encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance: event.createdEventBlob }));
  if (!event.activates) return;
  assert(stakeholders.length > 0, "a contract has stakeholders");
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  const state: ContractState = { created: place, archived: undefined, keyHash };
  group.setContract(contractId, state);
  batch.insert(tables.contracts, contractId, encodeContractState(writer, state));
  batch.insert(tables.active, { party: anyParty, template, offset, nodeId });
  for (const party of stakeholders) batch.insert(tables.active, { party, template, offset, nodeId });
  if (!keyHash) return;
  const keyed = { contractId, stakeholders, createdOffset: offset };
  group.addKeyed(keyHash, keyed);
  batch.insert(tables.activeKeys, { keyHash, offset, nodeId }, encodeKeyed(writer, keyed));
}

/** All versions of a template share a number. */
function writeArchived(group: CommitGroup, event: StoredEvent, archivedOffset: Offset, { template, stakeholders }: EventNumbers): void {
  const { batch, tables, writer } = group;
  if (event.kind !== "exercise" || !event.deactivates) return;
  const before = group.contract(event.contractId);
  assert(before && !before.archived, "an archived contract was active");
  const { created: { offset, nodeId }, keyHash } = before;
  const state: ContractState = { created: before.created, archived: { offset: archivedOffset, nodeId: event.nodeId }, keyHash };
  group.setContract(event.contractId, state);
  batch.put(tables.contracts, event.contractId, encodeContractState(writer, state));
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  for (const party of [anyParty, ...stakeholders]) {
    batch.remove(tables.active, { party, template, offset, nodeId });
    batch.insert(tables.archived, { party, template, offset, nodeId, archivedOffset });
    group.markArchived(party, template, offset, archivedOffset);
  }
  if (!keyHash) return;
  group.removeKeyed(keyHash, event.contractId);
  batch.remove(tables.activeKeys, { keyHash, offset, nodeId });
}

const areDifferent = (numbers: readonly number[]): boolean => numbers.length < 2 || new Set(numbers).size === numbers.length;
