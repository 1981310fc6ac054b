/**
 * The entries that the tables beside the log must have, as the log itself tells: every update and completion is taken for
 * itself, so that a ledger of any size is gone through in little memory. Whether a contract is active is told by its own
 * record, which is held against both its create and its archive.
 */
import type { Tables } from "../../store/index.js";
import {
  anyParty, contractIdOf, type ContractState, decodeCompletion, decodeContractState, type EventMarks, indexOf,
  isForeignUpdateId, type UpdateMarks,
} from "../records/index.js";
import type { Offset } from "../model/index.js";

/** Tables that follow from the log. */
export const derivedTables = ["updateIndex", "contracts", "instances", "active", "archived", "activeKeys", "completionIndex", "updateIds"] as const;
export type DerivedTable = (typeof derivedTables)[number];

export interface ExpectedEntry { readonly table: DerivedTable; readonly key: unknown }

/** Of an update before the pruning offset only contracts are left, and no one finds it by itself. */
export function* entriesOfUpdate(tables: Tables, update: UpdateMarks, clearedTo: Offset): Generator<ExpectedEntry> {
  const { offset } = update;
  if (offset > clearedTo) {
    for (const entry of indexOf(update)) yield { table: "updateIndex", key: { ...entry, offset } };
    if (isForeignUpdateId(update.updateId, offset)) yield { table: "updateIds", key: update.updateId };
  }
  for (const event of update.events) if (event.isCreate) yield* entriesOfCreate(tables, update, event);
}

function* entriesOfCreate(tables: Tables, update: UpdateMarks, event: EventMarks): Generator<ExpectedEntry> {
  const { template, stakeholders } = event, place = { offset: update.offset, nodeId: event.nodeId };
  yield { table: "instances", key: place };
  if (!event.changesActiveContracts) return;
  const contractId = contractIdOf(update, event);
  yield { table: "contracts", key: contractId };
  const state = readState(tables, contractId);
  if (!state) return;
  const { archived, keyHash } = state;
  for (const party of [anyParty, ...stakeholders]) {
    if (archived) yield { table: "archived", key: { party, template, archivedOffset: archived.offset, ...place } };
    else yield { table: "active", key: { party, template, ...place } };
  }
  if (!archived && keyHash !== "") yield { table: "activeKeys", key: { keyHash, ...place } };
}

export function* entriesOfCompletion(record: Buffer, offset: Offset): Generator<ExpectedEntry> {
  for (const party of new Set(decodeCompletion(record, offset).actAs)) yield { table: "completionIndex", key: { party, offset } };
}

export function readState(tables: Tables, contractId: string): ContractState | undefined {
  const record = tables.contracts.read(contractId);
  return record && decodeContractState(record, contractId);
}
