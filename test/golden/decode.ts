/** Recorded decode and validation verdicts: `decode-*.json` of a folder of golden data, and the DARs they speak of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import type { Package } from "../../src/lf/ast.js";
import { decodePackage, loadDar, readDar } from "../../src/lf/archive/index.js";
import type { ArchiveError, ValidationError } from "../../src/lf/errors.js";
import { completeDar } from "../support/lf-builder.js";
import { placeOf, ruleOf } from "./decode-rules.js";
import { countsOf, detailOf } from "./decode-summary.js";
import { type Json, type JsonObject } from "./scenario-values.js";

type Verdict = "ok" | { readonly class: string; readonly rule?: string; readonly place?: string };

export interface RecordedDar {
  readonly dar: string;
  readonly main?: JsonObject;
  readonly mainDetail?: readonly Json[];
  readonly dependencies?: readonly Json[];
  /** `rule` and `place` stand for the message where only those were kept. */
  readonly check?: {
    readonly ok: boolean;
    readonly class?: string;
    readonly message?: string;
    readonly rule?: string;
    readonly place?: string;
  };
  readonly decodeError?: { readonly class: string };
}

export interface DecodeDifference {
  readonly dar: string;
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}
export interface DecodeCount {
  readonly family: string;
  readonly cases: number;
  readonly equal: number;
  readonly skipped: number;
  /** Verdicts that differ for a reason that we stand by. */
  readonly explained: readonly string[];
  readonly differences: readonly DecodeDifference[];
}

/** Where a node answers otherwise than the engine inside it, or we refuse earlier. */
const explanations: Readonly<Record<string, string>> = {
  "mal-lf1.dar": "Daml-LF 1 is refused by its version; the reference reads it first and stumbles over its content",
  "mal-extra-dependency.dar": "the reference's engine refuses, its node warns below LF 2.2; we are a node",
};

/** `decode-X.json` speaks of the DARs in `dars-X`, or else in `dars`; the public ones lie in a folder of their own. */
export function runDecode(folder: string, darFolder?: string): readonly DecodeCount[] {
  const files = readdirSync(folder)
    .filter((name) => /^decode-.*\.json$/.test(name))
    .sort();
  const needs = existsSync(join(folder, "needs.json"))
    ? Object.keys(JSON.parse(readFileSync(join(folder, "needs.json"), "utf8")) as object)
    : [];
  return files.map((file) => {
    const family = file.slice(0, -".json".length);
    const dars = ["dars" + family.slice("decode".length), "dars"].find((name) => existsSync(join(folder, name)));
    return runFamily(
      family,
      JSON.parse(readFileSync(join(folder, file), "utf8")) as RecordedDar[],
      darFolder ?? join(folder, dars ?? ""),
      new Set(needs.map((path) => path.split("/").at(-1)!)),
    );
  });
}

export function runFamily(
  family: string,
  recorded: readonly RecordedDar[],
  darFolder: string,
  incomplete: ReadonlySet<string>,
): DecodeCount {
  const differences: DecodeDifference[] = [],
    explained: string[] = [];
  let skipped = 0,
    equal = 0;
  for (const expected of recorded) {
    const { dar } = expected,
      file = join(darFolder, dar);
    if (!existsSync(file)) {
      skipped += 1;
      continue;
    }
    // The recorder handed some DARs their stable packages from outside: those are refused here until they carry them.
    const bytes = readFileSync(file),
      found = [...compare(expected, incomplete.has(dar) ? completeDar(bytes) : bytes)];
    if (found.length === 0) equal += 1;
    else if (dar in explanations) explained.push(`${dar}: ${explanations[dar]!}`);
    else differences.push(...found);
  }
  return { family, cases: recorded.length, equal, skipped, explained, differences };
}

function* compare(expected: RecordedDar, bytes: Uint8Array): IterableIterator<DecodeDifference> {
  const differ = (what: string, wanted: unknown, actual: unknown): DecodeDifference[] =>
    isDeepStrictEqual(wanted, actual) ? [] : [{ dar: expected.dar, what, expected: show(wanted), actual: show(actual) }];
  const ours = verdictOf(loadDar(bytes, limits).error);
  const recorded = recordedVerdict(expected);
  yield* differ(
    "verdict",
    recorded,
    ours === "ok" || recorded === "ok" ? ours : Object.fromEntries(Object.entries(ours).filter(([key]) => key in recorded)),
  );
  if (expected.main === undefined || (recorded !== "ok" && recorded.rule === undefined)) return;
  const { main, dependencies } = decodeAll(bytes);
  yield* differ("main package", expected.main, countsOf(main));
  yield* differ("definitions", byModule(expected.mainDetail ?? []), byModule(detailOf(main)));
  if (expected.dependencies === undefined) return;
  const recordedOnes = expected.dependencies.filter((each) => (each as JsonObject)["id"] !== main.id); // here each package is listed once
  yield* differ("dependencies", byId(recordedOnes), byId(dependencies));
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 400);

function recordedVerdict({ decodeError, check }: RecordedDar): Verdict {
  if (decodeError !== undefined) return { class: decodeError.class.replace(/^Error\./, "") };
  if (check === undefined || check.ok) return "ok";
  const { class: class_ = "", message = "", rule = ruleOf(message), place = placeOf(message) } = check;
  return { class: class_, ...(rule === undefined ? {} : { rule }), ...(place === undefined ? {} : { place }) };
}

function verdictOf(error: ArchiveError | ValidationError | undefined): Verdict {
  if (error === undefined) return "ok";
  const rule = error.phase === "validation" ? error.rule : undefined;
  // The reference calls what owns a choice a template, also where it is an interface.
  const place = /^\w+ in package [0-9a-f]{64}, (.*?): /.exec(error.message)?.[1]?.replace(/^(choice \S+ of) interface /, "$1 template ");
  return { class: error.class, ...(rule === undefined ? {} : { rule }), ...(place === undefined ? {} : { place }) };
}

function decodeAll(bytes: Uint8Array): { readonly main: Package; readonly dependencies: readonly Json[] } {
  const dar = readDar(bytes, limits);
  if (isFailure(dar)) throw new Error(dar.error.message);
  const [main, ...rest] = dar.ok.archives.map(({ id, payload }) => {
    const decoded = decodePackage(id, payload);
    if (isFailure(decoded)) throw new Error(decoded.error.message);
    return decoded.ok;
  });
  return { main: main!, dependencies: rest.map(({ id, name, version, lfVersion: lf }) => ({ id, name, version, lf })) };
}

const byId = (packages: readonly Json[]): readonly Json[] => sortedBy("id", packages);
const byModule = (modules: readonly Json[]): readonly Json[] => sortedBy("module", modules);
const sortedBy = (key: string, items: readonly Json[]): readonly Json[] =>
  [...items].sort((a, b) => ((a as JsonObject)[key]! < (b as JsonObject)[key]! ? -1 : 1));
