/** What commits changed of contracts, as the table `contractChanges` keeps it until the index of contracts has it. */
import { type EventPlace, RecordReader, type RecordWriter, unseal } from "../../store/index.js";
import type { WaitingEntries } from "../runs/index.js";
import { type ContractState, packedState, packedStateBytes } from "./contract-record.js";

const version = 1;

export type ContractChange = readonly [contractId: string, state: ContractState];

export function encodeContractChanges(writer: RecordWriter, changes: readonly ContractChange[]): Buffer {
  writer.reset().u32(changes.length);
  for (const [contractId, state] of changes) packedState.write(writer.hex(contractId), state);
  return writer.finish(version);
}

/** Adds what a record tells; gives how many changes these are. */
export function addContractChanges(record: Buffer, place: EventPlace, waiting: WaitingEntries<ContractState>): number {
  const reader = new RecordReader(unseal(record, version, "contractChanges", place)),
    changes = reader.u32();
  for (let left = changes; left > 0; left--) {
    const keyBytes = reader.u32(),
      { position } = reader,
      stateBytes = packedStateBytes(record, position + keyBytes);
    waiting.addPacked(record, position, keyBytes, stateBytes, place.offset);
    reader.skip(keyBytes + stateBytes);
  }
  return changes;
}
