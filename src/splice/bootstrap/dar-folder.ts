/** The DARs of a folder, and as much of what is in them as has to be known before anything is uploaded. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { sha256Hex } from "../../base/sha256.js";
import { limits } from "../../config.js";
import type { PackageSummary, Participant } from "../../ledger/index.js";

export interface DarFile {
  readonly file: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** The main package first. */
  readonly packages: readonly PackageSummary[];
}

/** What is known of a DAR by its hash. */
interface KnownFiles {
  get(hash: string): readonly PackageSummary[] | undefined;
}

/** In the order of their names; by an engine thread, one after another. Why not, in words for the operator. */
export async function readDarFolder(
  folder: string,
  knownFiles: KnownFiles,
  ledger: Pick<Participant, "listDar">,
): Promise<Result<readonly DarFile[], string>> {
  const files = namesIn(folder);
  if (isFailure(files)) return files;
  const read = new Map<string, PackageSummary>(),
    dars: DarFile[] = [];
  for (const name of files.ok) {
    const file = join(folder, name),
      bytes = await bytesOf(file);
    if (isFailure(bytes)) return fail(`${file}: ${bytes.error}`);
    const hash = sha256Hex(bytes.ok),
      known = knownFiles.get(hash),
      listed = known === undefined ? await ledger.listDar(bytes.ok) : ok(known);
    if (isFailure(listed)) return fail(`${file}: ${listed.error}`);
    for (const summary of listed.ok) if (!read.has(summary.packageId)) read.set(summary.packageId, summary);
    dars.push({ file, hash, packages: listed.ok.map(({ packageId }) => read.get(packageId)!) });
  }
  return ok(dars);
}

function namesIn(folder: string): Result<readonly string[], string> {
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch (error) {
    return fail(`${folder} cannot be read: ${(error as Error).message}`);
  }
  const names = entries.filter((name) => name.endsWith(".dar")).sort();
  const { folderDarsMax } = limits;
  return names.length > folderDarsMax ? fail(`${folder} holds ${names.length} DARs; at most ${folderDarsMax} are read`) : ok(names);
}

async function bytesOf(file: string): Promise<Result<Uint8Array, string>> {
  try {
    return ok(await readFile(file));
  } catch (error) {
    return fail((error as Error).message);
  }
}
