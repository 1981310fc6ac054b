/** A secret that stands alone in a file, where command lines and environments do not show it. */
import { readFileSync } from "node:fs";
import { messageOf } from "../base/error-text.js";
import { isReadableByOthers } from "../base/readable-by-others.js";
import { type Result, fail, ok } from "../base/result.js";

const filePrefix = "file:";

/** A secret as an option gives it: itself, or `file:PATH`. `warn` hears of a file that others can read. */
export function secretOf(text: string, warn: (message: string) => void): Result<string, string> {
  if (text === "") return fail("the secret is empty");
  if (!text.startsWith(filePrefix)) return ok(text);
  const file = text.slice(filePrefix.length);
  try {
    const secret = readFileSync(file, "utf8").replace(/[\r\n]+$/, "");
    if (secret === "") return fail(`the secret in ${file} is empty`);
    if (isReadableByOthers(file)) warn(`${file} holds a secret and can be read by other users: chmod 600 ${file}`);
    return ok(secret);
  } catch (error) {
    return fail(`cannot read the secret in ${file}: ${messageOf(error)}`);
  }
}
