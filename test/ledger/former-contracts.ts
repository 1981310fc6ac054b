/** Contracts as the table keeps them that came before runs. */
import { type ContractState, versionOf, writeContractState } from "../../src/ledger/records/contract-record.js";
import type { RecordWriter } from "../../src/store/index.js";

export function encodeContractState(writer: RecordWriter, state: ContractState): Buffer {
  const version = versionOf(state);
  writeContractState(writer.reset(), state, version);
  return writer.finish(version);
}
