/** Pure evaluations of the package `bench`: the recorded cases, by the function and the size that each calls. */
import { limits } from "../../src/config.js";
import { createCompiledPackages } from "../../src/lf/compile/index.js";
import { PackageInterface } from "../../src/lf/index.js";
import { applyMany, type Fn } from "../../src/lf/runtime/function.js";
import type { Budget } from "../../src/lf/runtime/machine.js";
import { toJson, toLedgerValue, ValueTypes, fromJson } from "../../src/lf/conversion/index.js";
import type { Type } from "../../src/lf/ast.js";
import { isFailure } from "../../src/base/result.js";
import { assert } from "../../src/base/assert.js";
import { byHand } from "./by-hand.js";
import type { EngineCase } from "./figures.js";
import { benchPackages } from "./packages.js";

const functions: readonly (readonly [name: string, function_: string, size: number])[] = [
  ["nfib 20", "nfib", 20],
  ["nfib 25", "nfib", 25],
  ["foldl sum 1e5", "foldlSum", 1e5],
  ["foldl sum 1e6", "foldlSum", 1e6],
  ["foldr sum 1e5", "foldrSum", 1e5],
  ["foldr sum 1e6", "foldrSum", 1e6],
  ["map filter sum 1e5", "mapFilterSum", 1e5],
  ["deep recursion sum 1e5", "deepSum", 1e5],
  ["deep recursion sum 1e6", "deepSum", 1e6],
  ["deep recursion list 1e5", "deepList", 1e5],
  ["sort 2e4", "sortRandom", 2e4],
  ["sort 2e4 via dictionary", "sortDict", 2e4],
  ["text join split 1e4", "textJoinSplit", 1e4],
  ["text append sha256 2e3", "textAppend", 2e3],
  ["numeric loop 1e5", "numericLoop", 1e5],
  ["genmap int insert lookup 1e4", "genMap", 1e4],
  ["genmap record insert lookup 1e4", "genMapRecord", 1e4],
  ["textmap insert lookup 1e4", "textMap", 1e4],
  ["record update loop 1e5", "recordUpdate", 1e5],
  ["variant tree insert 1e4", "treeInsert", 1e4],
];

export function* evaluations(largest: number): IterableIterator<EngineCase> {
  const { packageId, reader } = benchPackages("bench-2.1");
  const packages = new PackageInterface(reader);
  const types = new ValueTypes(packages);
  const budget: Budget = { steps: 0, allocation: 0 };
  const compiled = createCompiledPackages({
    packages,
    budget,
    limits,
    onLedger: () => false,
    retype: () => assert(false, "evaluations do not upgrade") as never,
  });
  const int64 = types.of({ kind: "builtin", builtin: "INT64" });
  for (const [name, function_, size] of functions.filter(([, , each]) => each <= largest)) {
    const id = { packageId, module: "Bench", name: function_ };
    const resultType = types.of(resultOf(packages.value(id)!.type));
    const argument = fromJson(int64, String(size));
    assert(!isFailure(argument), "a size is an Int64");
    yield {
      name,
      run() {
        budget.steps = limits.stepsMax;
        budget.allocation = limits.allocationMax;
        return toJson(resultType, toLedgerValue(resultType, applyMany(compiled.value(id) as Fn, [argument.ok])));
      },
      byHand: { name: "by hand", run: () => asJson(byHand[function_]!(size)) },
    };
  }
}

/** Integers as the recording has them. */
const asJson = (result: unknown): string => JSON.stringify(typeof result === "number" ? String(result) : result);

/** Of a function of one argument. */
function resultOf(type: Type): Type {
  assert(type.kind === "app", "a function type");
  return type.arg;
}
