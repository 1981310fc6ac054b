import type { ArchiveError } from "../errors.js";
import { fail, ok, type Result } from "../../base/result.js";

/** Carries an archive error out of nested readers; `attempt` turns it into a `Result` at this folder's face. */
export class ArchiveFailure extends Error {
  override readonly name = "ArchiveFailure";
  constructor(readonly error: ArchiveError) {
    super(error.message);
  }
}

const failure = (class_: string, message: string): ArchiveFailure =>
  new ArchiveFailure({ phase: "archive", code: "DAR_PARSE_ERROR", class: class_, message });

/** The bytes are well-formed protobuf, but not a well-formed archive. */
export const parsing = (message: string): ArchiveFailure => failure("Parsing", message);

/** The bytes are not what their container says: not protobuf, not deflate data, cut off. */
export const unreadable = (message: string): ArchiveFailure => failure("IO", message);

export const illegalInterning = (message: string): ArchiveFailure => failure("IllegalInterning", message);

/** A second definition under one name. */
export const collision = (what: string, name: string): ArchiveFailure => failure("Internal", `two ${what} have the name ${name}`);

/** Ours: a bound of `config.ts` on the size of decoded trees. */
export const tooLarge = (message: string): ArchiveFailure => failure("LimitExceeded", message);

/** A minor version that no release of Daml-LF has, or that was withdrawn. */
export const unsupportedMinor = (message: string): ArchiveFailure => failure("IllegalArgumentException", message);

export const disallowedVersion = (told: Pick<ArchiveError, "message" | "details">): ArchiveFailure =>
  new ArchiveFailure({ phase: "archive", code: "ALLOWED_LANGUAGE_VERSIONS", class: "AllowedLanguageVersion", ...told });

/** `entries`: names of those that could be read. */
export const invalidDar = (message: string, entries: Iterable<string> = []): ArchiveFailure =>
  new ArchiveFailure({ phase: "archive", code: "INVALID_DAR", class: "InvalidDar", message, details: { entries: asList(entries) } });

export function missingZipEntry(name: string, entries: Iterable<string>): ArchiveFailure {
  const message = `the manifest names ${name}, which is not in the archive`;
  return new ArchiveFailure({
    phase: "archive",
    code: "INVALID_ZIP_ENTRY",
    class: "InvalidZipEntry",
    message,
    details: { name, entries: asList(entries) },
  });
}

/** Of names of entries; a file may have ten thousand long ones. */
const listCharsMax = 4_000;

/** As the reference shows lists. */
function asList(names: Iterable<string>): string {
  const all = [...names].join(", ");
  return all.length > listCharsMax ? `List(${all.slice(0, listCharsMax)}...` : `List(${all})`;
}

export const zipBomb = (message: string): ArchiveFailure =>
  new ArchiveFailure({ phase: "archive", code: "ZIP_BOMB", class: "ZipBomb", message });

export function attempt<T>(read: () => T): Result<T, ArchiveError> {
  try {
    return ok(read());
  } catch (thrown) {
    if (thrown instanceof ArchiveFailure) return fail(thrown.error);
    throw thrown;
  }
}
