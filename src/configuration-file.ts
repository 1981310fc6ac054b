/** What a configuration file says, in JSON, YAML or TOML by its name: keys and plain values, nothing of what they mean. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fail, ok, type Result } from "./base/result.js";

/** Loaded only where there is such a file. */
const require = createRequire(import.meta.url);

export function readConfigurationFile(file: string): Result<Readonly<Record<string, unknown>>, string> {
  let content: unknown;
  try {
    content = parse(withoutByteOrderMark(readFileSync(file, "utf8")), file);
  } catch (error) {
    return fail(`Cannot read ${file}: ${firstLine(error)}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content))
    return fail(`${file} must hold keys and values: an object in JSON, a mapping in YAML, a table in TOML.`);
  return ok(content as Readonly<Record<string, unknown>>);
}

function parse(text: string, file: string): unknown {
  if (/\.toml$/i.test(file)) return (require("smol-toml") as typeof import("smol-toml")).parse(text);
  const isYaml = /\.ya?ml$/i.test(file),
    content: unknown = isYaml ? undefined : JSON.parse(text);
  // JSON is YAML; what this refuses beside that is a key that is given twice.
  const read: unknown = (require("yaml") as typeof import("yaml")).parse(text, {
    uniqueKeys: true,
    maxAliasCount: 0,
    prettyErrors: true,
    ...(isYaml ? {} : { schema: "json" }),
  });
  return isYaml ? read : content;
}

/** Some editors put one in front of what they save. */
const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, "");

const firstLine = (error: unknown): string => (error as Error).message.split("\n", 1)[0]!.replace(/:$/, "");
