import { readFileSync, statSync } from "node:fs";
import { type Result, fail, ok } from "../base/result.js";

/** A secret that stands alone in a file, where command lines and environments do not show it. */
export interface SecretFile {
  readonly secret: string;
  /** Users other than its owner can read the file. */
  readonly isOpenToOthers: boolean;
}

const readableByOthers = 0o044;

export function readSecretFile(file: string): Result<SecretFile, string> {
  try {
    const secret = readFileSync(file, "utf8").replace(/[\r\n]+$/, "");
    if (secret === "") return fail(`the secret in ${file} is empty`);
    return ok({ secret, isOpenToOthers: process.platform !== "win32" && (statSync(file).mode & readableByOthers) !== 0 });
  } catch (error) {
    return fail(`cannot read the secret in ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const filePrefix = "file:";

/** A secret as an option gives it: itself, or `file:PATH`. `warn` hears of a file that others can read. */
export function secretOf(text: string, warn: (message: string) => void): Result<string, string> {
  if (text === "") return fail("the secret is empty");
  if (!text.startsWith(filePrefix)) return ok(text);
  const file = text.slice(filePrefix.length);
  const read = readSecretFile(file);
  if (read.error !== undefined) return read;
  if (read.ok.isOpenToOthers) warn(`${file} holds a secret and can be read by other users: chmod 600 ${file}`);
  return ok(read.ok.secret);
}
