/** What commits changed of contracts, as the table `contractChanges` keeps it until the index of contracts has it. */
import { type EventPlace, RecordReader, type RecordWriter, unseal } from "../../store/index.js";
import { type ContractState, readContractState, versionOf, writeContractState } from "./contract-record.js";

const version = 1;

export type ContractChange = readonly [contractId: string, state: ContractState];

export function encodeContractChanges(writer: RecordWriter, changes: readonly ContractChange[]): Buffer {
  writer.reset().u32(changes.length);
  for (const [contractId, state] of changes) {
    const fields = versionOf(state);
    writeContractState(writer.hex(contractId).u8(fields), state, fields);
  }
  return writer.finish(version);
}

export function* decodeContractChanges(record: Buffer, place: EventPlace): Generator<ContractChange> {
  const reader = new RecordReader(unseal(record, version, "contractChanges", place));
  for (let left = reader.u32(); left > 0; left--) yield [reader.hex(), readContractState(reader, reader.u8())];
}
