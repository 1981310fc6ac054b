/** The DARs of a folder, and as much of what is in them as has to be known before anything is uploaded. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { sha256Hex } from "../../base/sha256.js";
import { limits } from "../../config.js";
import type { PackageSummary } from "../../ledger/index.js";
import { decodePackage, readDar, summarizePackage } from "../../lf/index.js";

export interface DarFile {
  readonly file: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** The main package first. */
  readonly packages: readonly PackageSummary[];
}

/** What the ledger, or an earlier file, knows of a package. */
type Known = (packageId: string) => PackageSummary | undefined;

/** What is known of a DAR by its hash. */
interface KnownFiles {
  get(hash: string): readonly PackageSummary[] | undefined;
}

/** In the order of their names. Why not, in words for the operator. */
export function readDarFolder(folder: string, knownFiles: KnownFiles, knownToLedger: Known): Result<readonly DarFile[], string> {
  const files = namesIn(folder);
  if (isFailure(files)) return files;
  const read = new Map<string, PackageSummary>(),
    dars: DarFile[] = [];
  for (const name of files.ok) {
    const file = join(folder, name),
      bytes = bytesOf(file);
    if (isFailure(bytes)) return fail(`${file}: ${bytes.error}`);
    const hash = sha256Hex(bytes.ok),
      known = knownFiles.get(hash),
      packages = known === undefined ? packagesIn(bytes.ok, (id) => read.get(id) ?? knownToLedger(id)) : ok(known);
    if (isFailure(packages)) return fail(`${file}: ${packages.error}`);
    for (const summary of packages.ok) read.set(summary.packageId, summary);
    dars.push({ file, hash, packages: packages.ok });
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

function bytesOf(file: string): Result<Uint8Array, string> {
  try {
    return ok(readFileSync(file));
  } catch (error) {
    return fail((error as Error).message);
  }
}

function packagesIn(bytes: Uint8Array, known: Known): Result<readonly PackageSummary[], string> {
  const dar = readDar(bytes, limits);
  if (isFailure(dar)) return fail(dar.error.message);
  const packages: PackageSummary[] = [];
  for (const { id, payload } of dar.ok.archives) {
    const before = known(id),
      decoded = before ? undefined : decodePackage(id, payload);
    if (decoded && isFailure(decoded)) return fail(decoded.error.message);
    packages.push(before ?? summarizePackage(decoded!.ok!));
  }
  return ok(packages);
}
