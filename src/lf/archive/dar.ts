/** A DAR: a zip archive of packages with a manifest that names the main one. */
import { isFailure, type Result } from "../../base/result.js";
import type { PackageId } from "../ast.js";
import type { ArchiveError } from "../errors.js";
import { openArchive, type Archive } from "./archive.js";
import { attempt, invalidDar, missingZipEntry } from "./failure.js";
import type { KnownEntries } from "./known-entries.js";
import { type Manifest, manifestName, parseManifest } from "./manifest.js";
import { openZip, readZip, type ZipEntries, type ZipEntry, type ZipLimits } from "./zip.js";

export interface Dar {
  readonly main: PackageId;
  /** The main package first, then the others as the manifest lists them; each package once. */
  readonly archives: readonly Archive[];
}

/** Opens a DAR and checks every package id against its bytes, but for entries that are known; decodes no package. */
export const readDar = (bytes: Uint8Array, limits: ZipLimits, known?: KnownEntries): Result<Dar, ArchiveError> =>
  attempt(() => openDar(bytes, limits, known));

/** Sources of the main package by module, as compilers put them beside the packages: they are for people. */
export const readSources = (bytes: Uint8Array, limits: ZipLimits): Result<ReadonlyMap<string, string>, ArchiveError> =>
  attempt(() => {
    const sources = [...readZip(bytes, limits)].filter(([name]) => name.endsWith(sourceSuffix));
    // The folder of the package comes first.
    return new Map(
      sources.map(([name, content]) => [
        name.slice(name.indexOf("/") + 1, -sourceSuffix.length).replaceAll("/", "."),
        new TextDecoder("utf-8").decode(content),
      ]),
    );
  });

const sourceSuffix = ".daml";

function openDar(bytes: Uint8Array, limits: ZipLimits, known: KnownEntries | undefined): Dar {
  const entries = openZip(bytes, limits, known);
  const { main, dependencies } = manifestIn(entries);
  const archives = new Map<PackageId, Archive>();
  for (const name of [main, ...dependencies]) {
    const archive = archiveIn(entryOf(entries, name), known);
    archives.set(archive.id, archive);
  }
  return { main: [...archives.keys()][0]!, archives: [...archives.values()] };
}

function manifestIn(entries: ZipEntries): Manifest {
  const entry = entries.get(manifestName);
  if (entry === undefined) throw invalidDar(`the archive has no entry ${manifestName}`, entries.keys());
  const manifest = attempt(() => parseManifest(new TextDecoder("utf-8").decode(entry.content())));
  if (isFailure(manifest)) throw invalidDar(manifest.error.message, entries.keys());
  return manifest.ok;
}

function entryOf(entries: ZipEntries, name: string): ZipEntry {
  const entry = entries.get(name);
  if (entry === undefined) throw missingZipEntry(name, entries.keys());
  return entry;
}

function archiveIn({ key, content }: ZipEntry, known: KnownEntries | undefined): Archive {
  const before = key && known?.packageIn(key);
  if (before) {
    return {
      id: before,
      get payload() {
        return openArchive(content()).payload;
      },
    };
  }
  const archive = openArchive(content());
  if (key !== undefined) known?.addPackage(key, archive.id);
  return archive;
}
