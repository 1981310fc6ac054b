/** What LMDB says by number. */
import { damaged } from "../base/damage.js";
import { placeText } from "./records.js";

/** MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_INVALID, MDB_CURSOR_FULL (a tree deeper than any can be), MDB_INCOMPATIBLE. */
const damageCodes: readonly unknown[] = [-30797, -30796, -30795, -30793, -30787, -30784];

/** The error itself where it is none that tells of damage. */
export function asDamage(error: unknown, table: string, key?: unknown): unknown {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  return damageCodes.includes(code) ? damaged(placeText(table, key), `LMDB says ${message}`) : error;
}
