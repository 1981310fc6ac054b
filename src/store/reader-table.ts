/** The file's readers, as LMDB lists them: a line for each place that a reader has or had, with its snapshot while it holds one. */

export interface SnapshotHolder {
  readonly pid: number;
  /** The number of the commit that it sees. */
  readonly snapshot: number;
}

/** Process, thread, commit; "-" is a reader at rest. */
const heldLine = /^\s*(\d+)\s+[0-9a-f]+\s+(\d+)\s*$/;

export function readerTable(list: string): SnapshotHolder[] {
  const holders: SnapshotHolder[] = [];
  for (const line of list.split("\n")) {
    const [, pid, snapshot] = heldLine.exec(line) ?? [];
    if (pid !== undefined) holders.push({ pid: Number(pid), snapshot: Number(snapshot) });
  }
  return holders;
}
