/** What was acknowledged and is not in the file, as the process was killed, or the machine lost power: a start writes it there. */
import { commitsBehind, type JournaledWrite } from "./journal.js";
import type { Table } from "./table.js";
import { agree } from "./table-sums.js";
import type { Write } from "./write.js";
import type { StoreWriter } from "./writer.js";

/** `tableAt`: by its number. False: a commit of the journal does not fit to the file. */
export async function replay(journal: Buffer, writer: StoreWriter, tableAt: (number: number) => Table<never>): Promise<boolean> {
  const again = ({ kind, table: number, key, value }: JournaledWrite): Write => {
    const table = tableAt(number);
    return { kind, table, key: table.decodeKey(key), value };
  };
  for (const { writes, after } of commitsBehind(journal, writer.sums)) {
    await writer.write(writes.map(again), true);
    if (!agree(after, writer.sums)) return false;
  }
  return true;
}
