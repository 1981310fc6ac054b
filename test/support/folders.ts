import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

process.once("exit", () => {
  made.forEach(removeFolder);
});

/**
 * A new folder, which is removed as the process of the test ends. Hooks run in the order that they were given in: one of the test's
 * would take the folder from the node that the next one stops, and a node whose ledger is gone ends with that error.
 */
export function temporaryFolder(name = "test"): string {
  const folder = mkdtempSync(join(tmpdir(), `ledgerline-${name}-`));
  made.push(folder);
  return folder;
}

/** Before that, where there are many in one process. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
