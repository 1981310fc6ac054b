/** Why a node did not start, in words for its user; and which failures of its parts are such. */
import { Damage, Unwritable } from "./base/damage.js";
import { DataFolderUnusable } from "./data-folder.js";
import { FirstUserRefused, ParticipantNameDiffers, ParticipantNotNamed, SynchronizersDiffer } from "./ledger/index.js";
import { StoreDamaged, StoreFormatError, StoreNeedsAddresses, StoreNeedsRoom } from "./store/index.js";

export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

/** By the names under which runtimes tell their version beside that of the Node.js that they stand for. */
const others = [
  ["bun", "Bun"],
  ["deno", "Deno"],
] as const;

/**
 * Where a runtime runs this that is not Node.js: the native part that locks files asks for more of Node.js than they have, and ends
 * their process without a word, at once or later. So it is not loaded there.
 */
export function runtimeFailure(): StartFailure | undefined {
  const versions: { readonly [name: string]: string | undefined } = process.versions,
    other = others.find(([key]) => versions[key] !== undefined);
  if (other === undefined) return undefined;
  const [key, name] = other;
  return new StartFailure(`Ledgerline needs Node.js, 20.15 or later; this is ${name} ${versions[key]}.`);
}

/** What is stored is not what was written: nothing may be served from it. */
export class LedgerDamaged extends StartFailure {}

/** Whatever is no such failure is given back. */
export function asStartFailure(error: unknown): unknown {
  if (error instanceof StoreDamaged) return new LedgerDamaged(error.message);
  if (error instanceof Damage) return new LedgerDamaged(`The ledger is damaged: ${error.message}.`);
  if (error instanceof Unwritable)
    return new StartFailure(`The ledger ${error.verdict}: ${error.message}. Its disk refuses what is written.`);
  return error instanceof DataFolderUnusable
    || error instanceof StoreFormatError
    || error instanceof StoreNeedsAddresses
    || error instanceof StoreNeedsRoom
    || error instanceof FirstUserRefused
    || error instanceof ParticipantNameDiffers
    || error instanceof ParticipantNotNamed
    || error instanceof SynchronizersDiffer
    ? new StartFailure(error.message)
    : error;
}
