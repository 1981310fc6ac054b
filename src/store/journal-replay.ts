/** What was acknowledged and is not in the file, as the process was killed, or the machine lost power: a start writes it there. */
import { commitsBehind, type JournaledWrite } from "./journal.js";
import type { Table } from "./table.js";
import { agree, perSetOf } from "./table-sums.js";
import { setsOfTables } from "./tables.js";
import type { Write } from "./write.js";
import type { StoreWriter } from "./writer.js";

/** `tableAt`: by its number. Gives how many commits it wrote; undefined: one of the journal does not fit to the file. */
export async function replay(journal: Buffer, writer: StoreWriter, tableAt: (number: number) => Table<never>): Promise<number | undefined> {
  // Who wrote it may have had fewer tables in each set, which gives them other numbers.
  const again = ({ kind, table: number, key, value }: JournaledWrite, perSet: number): Write => {
    const inSet = number % perSet,
      table = tableAt(((number - inSet) / perSet) * setsOfTables.perSet + inSet);
    return { kind, table, key: table.decodeKey(key), value };
  };
  let taken = 0;
  for (const { writes, before, after } of commitsBehind(journal, writer.sums)) {
    const perSet = perSetOf(before);
    await writer.write(
      writes.map((write) => again(write, perSet)),
      true,
    );
    if (!agree(after, writer.sums)) return undefined;
    taken++;
  }
  return taken;
}
