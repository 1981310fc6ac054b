/** Makes a failing ledger small: fewer submissions, then simpler code, as long as it is well typed and still fails. */
import { isDeepStrictEqual } from "node:util";
import type { Expr, Module } from "../../../src/lf/ast.js";
import type { Model } from "./generator.js";
import type { PlannedSubmission } from "./run.js";

export interface Failing {
  readonly model: Model;
  readonly submissions: readonly PlannedSubmission[];
}

/** `fails` says whether a candidate is well typed and shows a difference. */
export function shrink(failing: Failing, fails: (candidate: Failing) => boolean, attemptsMax = 4_000): Failing {
  let smallest = failing,
    attempts = 0;
  for (let improved = true; improved && attempts < attemptsMax;) {
    improved = false;
    for (const candidate of candidates(smallest)) {
      if (++attempts > attemptsMax) break;
      if (!fails(candidate)) continue;
      smallest = candidate;
      improved = true;
      break;
    }
  }
  return smallest;
}

function* candidates({ model, submissions }: Failing): IterableIterator<Failing> {
  for (const index of submissions.keys()) yield { model, submissions: submissions.toSpliced(index, 1) };
  for (const [index, submission] of submissions.entries()) {
    if (submission.commands.length > 1)
      for (const at of submission.commands.keys())
        yield { model, submissions: submissions.with(index, { ...submission, commands: submission.commands.toSpliced(at, 1) }) };
  }
  for (const module of simpler(model.module)) yield { model: { ...model, module }, submissions };
}

/** Copies of the module in which one expression is replaced by a part of it, or by one of those that are given; or is done without. */
export const simpler = (module: Module, least: readonly Expr[] = []): IterableIterator<Module> =>
  variants(module, least) as IterableIterator<Module>;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** Members that hold no expressions. */
const typed: ReadonlySet<string> = new Set([
  "type",
  "types",
  "returnType",
  "exceptionType",
  "params",
  "pattern",
  "binder",
  "dataTypes",
  "key",
]);

/** Lists of which one can be missing. */
const optional: ReadonlySet<string> = new Set(["bindings", "front"]);

function* variants(value: unknown, least: readonly Expr[]): IterableIterator<unknown> {
  if (value instanceof Map) {
    for (const [key, item] of value) for (const changed of variants(item, least)) yield new Map(value).set(key, changed);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const changed of variants(item, least)) yield value.with(index, changed);
  } else if (isTree(value)) {
    if (typeof value["kind"] === "string") yield* replacements(value, least);
    for (const [key, item] of Object.entries(value)) {
      if (typed.has(key)) continue;
      if (optional.has(key) && (item as unknown[]).length > 1)
        for (const index of (item as unknown[]).keys()) yield { ...value, [key]: (item as unknown[]).toSpliced(index, 1) };
      for (const changed of variants(item, least)) yield { ...value, [key]: changed };
    }
  }
}

function* replacements(value: Tree, least: readonly Expr[]): IterableIterator<unknown> {
  yield* parts(value);
  if (!least.some((each) => isDeepStrictEqual(each, value))) yield* least;
}

/** The expressions right below one. */
function* parts(value: unknown): IterableIterator<unknown> {
  for (const [key, item] of Object.entries(value as Tree)) {
    if (typed.has(key) || !isTree(item)) continue;
    if (typeof item["kind"] === "string" && key !== "update") yield item;
    else yield* parts(item);
  }
}
