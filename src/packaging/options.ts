/** Whether options are what `public.d.cts` declares, for callers whom no compiler tells. What a value means the command line knows. */
import { isUint8Array } from "node:util/types";
import type { LedgerlineOptions } from "./public.cjs";

interface Kind {
  readonly words: string;
  readonly has: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string",
  isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value),
  isListOf = (value: unknown, has: Kind["has"]): boolean => Array.isArray(value) && value.every(has);

export const darWords = "a file or its bytes",
  isDar = (value: unknown): boolean => isText(value) || isUint8Array(value);

const text: Kind = { words: "a text", has: isText },
  whole: Kind = { words: "a whole number", has: (value) => Number.isInteger(value) || isText(value) }, // as in flags
  either: Kind = { words: "true or false", has: (value) => typeof value === "boolean" };

const kinds: Readonly<Record<keyof LedgerlineOptions, Kind>> = {
  memory: either,
  data: text,
  dars: { words: "a list, of files or their bytes", has: (value) => isListOf(value, isDar) },
  port: whole,
  host: text,
  staticTime: either,
  workers: whole,
  logLevel: text,
  flags: { words: "an object with names of flags", has: isRecord },
};

const flagKind: Kind = {
  words: "a text, a number, true or a list of texts",
  has: (value) => isText(value) || typeof value === "number" || value === true || isListOf(value, isText),
};

/** Undefined where they are as declared. What is `undefined` is not said. */
export function optionsProblem(options: unknown): string | undefined {
  if (!isRecord(options)) return "The options of startLedgerline must be an object.";
  const said = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
  for (const [name, value] of Object.entries(options).filter(said)) {
    if (!isOption(name))
      return `There is no option ${name}: options are ${Object.keys(kinds).join(", ")}; flags of the command line stand in flags.`;
    if (!kinds[name].has(value)) return `The option ${name} must be ${kinds[name].words}.`;
  }
  const wrong = Object.entries((options as LedgerlineOptions).flags ?? {})
    .filter(said)
    .find(([, value]) => !flagKind.has(value));
  return wrong && `The flag ${wrong[0]} must be ${flagKind.words}.`;
}

/** The same for what a party is allocated by. */
export function partyProblem(hint: unknown, options: unknown): string | undefined {
  if (!isText(hint)) return "The hint of a party must be a text.";
  if (!isRecord(options)) return "The options of allocateParty must be an object.";
  const { synchronizerId = "", ...others } = options as { readonly synchronizerId?: unknown },
    [unknown] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (unknown !== undefined) return `There is no option ${unknown} of allocateParty: options are synchronizerId.`;
  return isText(synchronizerId) ? undefined : "The option synchronizerId must be a text.";
}

const isOption = (name: string): name is keyof LedgerlineOptions => Object.hasOwn(kinds, name);
