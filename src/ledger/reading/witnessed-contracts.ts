/**
 * Contracts of others: a party that is hosted here saw them being made, but no stakeholder of theirs is. Canton's participants keep
 * them as long as the update that made them. The index of contracts has none of them, so that they are found by what the participants of
 * their stakeholders know: the update of their creation has the same id everywhere.
 */
import type { Tables } from "../../store/index.js";
import { contractIdOf, type ContractIndex, decodeUpdate, type EventMarks, type UpdateMarks } from "../records/index.js";

/** A participant as one that hosts stakeholders. */
export interface ContractKeeper {
  readonly contracts: Pick<ContractIndex, "find">;
  readonly tables: Pick<Tables, "updates">;
}

/** An event in its update. */
export interface PlacedEvent {
  readonly update: UpdateMarks;
  readonly event: EventMarks;
}

/**
 * `findUpdate`: the update of an id as this participant has it. Undefined also once no other knows the contract any more, which is
 * when it was archived and all of them pruned that.
 */
export function findWitnessed(
  contractId: string,
  others: readonly ContractKeeper[],
  findUpdate: (updateId: string) => UpdateMarks | undefined,
): PlacedEvent | undefined {
  for (const { contracts, tables } of others) {
    const created = contracts.find(contractId)?.created,
      record = created && tables.updates.read(created.offset);
    if (!record) continue; // not seen being made there either, or not told of any more
    const update = findUpdate(decodeUpdate(record, created.offset).updateId),
      event = update?.events.find((one) => one.isCreate && contractIdOf(update, one) === contractId);
    if (update && event) return { update, event };
  }
  return undefined;
}
