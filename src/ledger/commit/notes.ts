/** Small facts that the rooms above keep with the ledger, by name: each as durable as a commit, and no part of the history. */
import { RecordReader, RecordWriter, unseal, type Tables } from "../../store/index.js";
import type { Committer } from "./commit.js";
import type { Answer } from "../model/index.js";

const version = 1;
const keyOf = (name: string): string => `note/${name}`;

export function readNote({ state }: Pick<Tables, "state">, name: string): string | undefined {
  const record = state.read(keyOf(name));
  return record && new RecordReader(unseal(record, version, "state")).text();
}

/** Replaces what was noted under the name. */
export const keepNote = (committer: Committer, name: string, text: string): Answer<void> =>
  committer.commit((group) => group.batch.put(group.tables.state, keyOf(name), new RecordWriter().text(text).finish(version)));
