/** What LMDB says by number. */
import type { Transaction } from "lmdb";
import { damaged, unwritable } from "../base/damage.js";
import { placeText } from "./records.js";

/** MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_INVALID, MDB_CURSOR_FULL (a tree deeper than any can be), MDB_INCOMPATIBLE. */
const damageCodes: readonly unknown[] = [-30797, -30796, -30793, -30787, -30784];

/** MDB_PANIC: the disk refused the page that makes a commit count, and LMDB does nothing any more until the file is opened again. */
const panic = -30795;

/** MDB_BAD_TXN. */
const badTransaction = -30782;

/** The error itself where it is none that ends the process. */
export function asEnding(error: unknown, table: string, key?: unknown): unknown {
  const { code, message } = told(error);
  if (code === panic) return unwritable(placeText(table, key), `LMDB says ${message}`);
  return damageCodes.includes(code) ? damaged(placeText(table, key), `LMDB says ${message}`) : error;
}

/**
 * Of a read. One that meets such a page spoils its transaction, and is tried again with that: then it is the transaction that is bad,
 * which without damage it is only when it is over.
 */
export function asEndingOfRead(error: unknown, snapshot: Transaction | undefined, table: string, key?: unknown): unknown {
  const { code, message } = told(error),
    isSpoilt = code === badTransaction && (snapshot as Ended | undefined)?.isDone !== true;
  return isSpoilt ? damaged(placeText(table, key), `LMDB says ${message}`) : asEnding(error, table, key);
}

/** What the library's types do not say of a transaction. */
interface Ended {
  readonly isDone?: boolean;
}

const told = (error: unknown): { readonly code?: unknown; readonly message?: string } => error ?? {};
