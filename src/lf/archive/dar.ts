/** A DAR: a zip archive of packages with a manifest that names the main one. */
import type { Result } from "../../base/result.js";
import type { PackageId } from "../ast.js";
import type { ArchiveError } from "../errors.js";
import { openArchive, type Archive } from "./archive.js";
import { attempt, invalidDar, invalidZipEntry } from "./failure.js";
import { manifestName, parseManifest } from "./manifest.js";
import { readZip, type ZipEntries, type ZipLimits } from "./zip.js";

export interface Dar {
  readonly main: PackageId;
  /** The main package first, then the others as the manifest lists them; each package once. */
  readonly archives: readonly Archive[];
}

/** Opens a DAR and checks every package id against its bytes; decodes no package. */
export const readDar = (bytes: Uint8Array, limits: ZipLimits): Result<Dar, ArchiveError> => attempt(() => openDar(bytes, limits));

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

export function openDar(bytes: Uint8Array, limits: ZipLimits): Dar {
  const entries = readZip(bytes, limits);
  const manifest = entries.get(manifestName);
  if (manifest === undefined) throw invalidDar(`the archive has no entry ${manifestName}`);
  const { main, dependencies } = parseManifest(new TextDecoder("utf-8").decode(manifest));
  const archives = new Map<PackageId, Archive>();
  for (const name of [main, ...dependencies]) {
    const archive = openArchive(entryOf(entries, name));
    archives.set(archive.id, archive);
  }
  return { main: [...archives.keys()][0]!, archives: [...archives.values()] };
}

function entryOf(entries: ZipEntries, name: string): Uint8Array {
  const content = entries.get(name);
  if (content === undefined) throw invalidZipEntry(`the manifest names ${name}, which is not in the archive`);
  return content;
}
