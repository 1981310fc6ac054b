/** The commit's part in a transaction whose records were made on an engine thread: it fills in their place, and writes them. */
import type { CommitGroup, Place } from "../commit/index.js";
import { PartyLists, placeCompletion, placeUpdate, writeUpdateId } from "../records/index.js";
import type { UnplacedTransaction } from "../interpretation/index.js";
import { appendCompletion } from "./completion-writing.js";
import { writeArchive, writeContract } from "./transaction-writing.js";

const partyLists = new PartyLists();

/** Gives the record of its update. */
export function placeTransaction(
  group: CommitGroup,
  { update, index, creates, archives }: UnplacedTransaction,
  place: Place,
  updateId: string,
): Buffer {
  const { offset } = place,
    record = placeUpdate(bufferOf(update), updateId, place, partyLists);
  for (let at = 0; at < index.length; at += 2) group.indexUpdate(index[at]!, index[at + 1]!, offset);
  group.appendUpdate(offset, record);
  writeUpdateId(group, updateId, offset);
  for (const create of creates) writeContract(group, create, { offset, synchronizer: 0 });
  for (const archive of archives) writeArchive(group, archive, offset);
  return record;
}

/** Its completion. */
export function placeAccepted(
  group: CommitGroup,
  { completion, submitters }: UnplacedTransaction,
  place: Place,
  updateId: string,
  synchronizerIdJson: string,
): void {
  appendCompletion(group, place.offset, placeCompletion(bufferOf(completion), updateId, place, synchronizerIdJson), submitters);
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
