/** Flags of a command line: a table declares them; how words give them values, what these may be, and the help follow from it. */
import { fail, ok, type Result } from "./base/result.js";

export type FlagKind = "text" | "number" | "switch" | "list";
export interface Flag {
  readonly kind: FlagKind;
  readonly argument?: string;
  readonly help: string;
  /** Other spellings, with their dashes: those of the tools that people come from. */
  readonly also?: readonly string[];
  readonly choices?: readonly string[];
  /** Of a switch: a word behind it may say whether it is on. */
  readonly mayBeDenied?: true;
  /** Of a number: "none" stands for more than any. */
  readonly mayBeNone?: true;
  /** Of a number, for who gave none: both ends are in it. */
  readonly range?: readonly [from: number, to: number];
}
export type Flags = Readonly<Record<string, Flag>>;

/** A switch that is off is one that says so, against what a weaker source says. */
export type FlagValue = string | string[] | boolean;
export type FlagValues<Name extends string> = Partial<Record<Name, FlagValue>>;

/** What commands do in ways of their own. */
export interface Manner {
  /** Words may stand between flags, and several behind that of a list: up to the next flag or DAR. */
  readonly takesWords: boolean;
  /** Nothing else gives values, so what is wrong with one is told as it is read. */
  readonly isOnlySource: boolean;
  /** What to say of a flag that the table has not; `name` is undefined where no two dashes are in front. */
  unknownFlag(argument: string, name: string | undefined): string;
}

export interface Given<Name extends string> {
  readonly values: FlagValues<Name>;
  /** Words that belong to no flag. */
  readonly words: readonly string[];
}

export function parseFlags<F extends Flags>(args: readonly string[], flags: F, manner: Manner): Result<Given<keyof F & string>, string> {
  const values: Partial<Record<string, FlagValue>> = {},
    words: string[] = [],
    names = namesBySpelling(flags);
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!,
      [spelling, inline] = splitFlag(argument);
    if (!argument.startsWith("-")) {
      if (!manner.takesWords) return fail(unexpectedArgument(argument));
      words.push(argument);
      continue;
    }
    const name = names.get(spelling);
    if (name === undefined) return fail(manner.unknownFlag(argument, spelling.startsWith("--") ? spelling.slice(2) : undefined));
    const flag = flags[name]!;
    if (flag.kind === "switch") {
      if (inline !== undefined && !flag.mayBeDenied) return fail(`--${name} takes no value.`);
      const said = flag.mayBeDenied ? truths.get(inline ?? args[index + 1] ?? "") : true;
      if (inline !== undefined && said === undefined) return fail(`--${name} ${inline}: must be true or false.`);
      if (flag.mayBeDenied && inline === undefined && said !== undefined) index++;
      values[name] = said ?? true;
      continue;
    }
    const value = inline ?? args[++index];
    if (value === undefined) return fail(`--${name} needs a value.`);
    if (flag.kind === "list") {
      const more = manner.takesWords ? wordsFrom(args, index + 1) : [];
      values[name] = [...((values[name] as string[] | undefined) ?? []), value, ...more];
      index += more.length;
      continue;
    }
    if (values[name] !== undefined) return fail(`--${name} is given twice.`);
    const problem = manner.isOnlySource ? valueProblem(name, flag, value) : undefined;
    if (problem !== undefined) return fail(problem);
    values[name] = value;
  }
  return ok({ values: values as FlagValues<keyof F & string>, words });
}

export const unexpectedArgument = (word: string): string => `Unexpected argument ${word}. See ledgerline --help.`;

const namesBySpelling = (flags: Flags): ReadonlyMap<string, string> =>
  new Map(Object.entries(flags).flatMap(([name, { also = [] }]) => [`--${name}`, ...also].map((spelling) => [spelling, name] as const)));

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);

function splitFlag(argument: string): readonly [spelling: string, inline: string | undefined] {
  const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function wordsFrom(args: readonly string[], start: number): readonly string[] {
  const end = args.findIndex((word, index) => index >= start && (word.startsWith("-") || word.endsWith(".dar")));
  return args.slice(start, end < 0 ? args.length : end);
}

/** What a flag, or what says the same elsewhere, is called where it was given; `text`: with that as its value. */
export type Naming<Name extends string> = (name: Name, text?: string) => string;

export const asFlag: Naming<string> = (name, text) => (text === undefined ? `--${name}` : `--${name} ${text}`);

const pathArguments: readonly unknown[] = ["DIR", "FILE", "FOLDER"];

/** By its flag alone. */
export function valueProblem<Name extends string>(
  name: Name,
  { kind, argument, choices, mayBeNone, range }: Flag,
  value: FlagValue,
  naming: Naming<Name> = asFlag,
): string | undefined {
  const text = String(value);
  if (choices && !choices.includes(text)) return `${naming(name, text)}: must be one of ${choices.join(", ")}.`;
  if (pathArguments.includes(argument) && [value].flat().includes("")) return `${naming(name)}: the path is empty.`;
  return kind === "number" && !(mayBeNone && value === "none") && !/^[0-9]{1,9}$/.test(text)
    ? `${naming(name, text)}: must be a whole number${range === undefined ? "" : ` from ${range[0]} to ${range[1]}`}.`
    : undefined;
}

/** Values by the kinds of their flags. */
export class FlagReader<Name extends string> {
  constructor(
    readonly values: FlagValues<Name>,
    readonly naming: Naming<Name> = asFlag,
  ) {}

  has(name: Name): boolean {
    return this.values[name] !== undefined;
  }

  isOn(name: Name): boolean {
    return this.values[name] === true;
  }

  text(name: Name): string | undefined {
    const value: FlagValue | undefined = this.values[name];
    return typeof value === "string" ? value : undefined;
  }

  number(name: Name, otherwise: number): number {
    const text = this.text(name);
    return text === undefined ? otherwise : text === "none" ? Infinity : Number(text);
  }

  list(name: Name): readonly string[] {
    const value: FlagValue | undefined = this.values[name];
    return Array.isArray(value) ? value : [];
  }
}

export const flagRows = (flags: Flags): readonly string[] =>
  Object.entries(flags).map(
    ([name, { argument, help, also = [] }]) =>
      `  ${`--${name}${argument ? ` ${argument}` : ""}`.padEnd(30)} ${help}${also.length === 0 ? "" : `; also ${also.join(", ")}`}`,
  );
