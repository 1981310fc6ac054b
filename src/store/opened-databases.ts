/** lmdb lists every database that a process opens, for ever; a process that opens one ledger after the other would grow with each. */
import * as lmdb from "lmdb";

/** lmdb's types leave these out. */
interface WithList {
  readonly allDbs: Map<string, WithEnvironment>;
}
interface WithEnvironment {
  readonly env: object;
}

/** Once it is closed: takes it, and the tables in it, from the list. */
export function forgetDatabases(root: lmdb.RootDatabase): void {
  const { allDbs } = lmdb as unknown as WithList,
    { env } = root as unknown as WithEnvironment;
  for (const [name, database] of allDbs) if (database.env === env) allDbs.delete(name);
}
