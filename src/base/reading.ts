import type { Cursor, ElementWriter } from "./element-writer.js";

/**
 * Reads for as long as somebody waits for it: when `waiting` aborts, the cursor is closed, and what goes on looking ends with
 * nothing. The signal is asked for where a read takes more than a turn: most do not.
 */
export function readWhile(waiting: () => AbortSignal, cursor: Cursor, max: number, out: ElementWriter): number | Promise<number> {
  const read = cursor.read(max, out);
  return typeof read === "number" ? read : untilAborted(waiting(), cursor, read);
}

async function untilAborted(signal: AbortSignal, cursor: Cursor, read: Promise<number>): Promise<number> {
  const close = (): void => cursor.close();
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
  try {
    return await read;
  } finally {
    signal.removeEventListener("abort", close);
  }
}
