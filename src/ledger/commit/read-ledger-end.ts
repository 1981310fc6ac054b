import { offsetMax, type Tables } from "../../store/index.js";
import { decodeCompletion, decodeUpdate } from "../records/index.js";
import { readHistory } from "./history.js";
import { LedgerEnd } from "./ledger-end.js";

/** Where the log ends: every offset has an update, a completion, or both. */
export function readLedgerEnd(tables: Tables): LedgerEnd {
  const last = { start: offsetMax, end: 0, limit: 1, reverse: true };
  const [update] = [...tables.updates.entries(last)],
    [completion] = [...tables.completions.entries(last)];
  const ofUpdate = update ? decodeUpdate(update.value, update.key) : undefined;
  const ofCompletion = completion ? decodeCompletion(completion.value, completion.key) : undefined;
  const end = (ofUpdate?.offset ?? 0) > (ofCompletion?.offset ?? 0) ? ofUpdate : ofCompletion;
  const offset = end?.offset ?? 0;
  return new LedgerEnd(offset, end?.recordTime ?? 0n, readHistory(tables, offset));
}
