/** The stable packages that daml-prim is split into. */
import type { DefDataType } from "../../ast.js";
import type { StableModule } from "../../stable-package-ids.js";
import { builtin, nat, variable } from "../../type-forms.js";
import { constant, enumeration, exceptionWithMessage, internal, record, variant, workers, type PackageDescription } from "./notation.js";

const packageName = (module: StableModule): string => `daml-prim-${module.replaceAll(".", "-")}`;
const prim = (module: StableModule, description: Omit<PackageDescription, "name" | "module">): PackageDescription => ({
  name: packageName(module),
  module,
  ...description,
});

const exceptionNames = ["ArithmeticError", "AssertionFailed", "GeneralError", "PreconditionFailed"] as const;

const exceptions = exceptionNames.map((name) => {
  const dataType = record(name, [], { message: builtin("TEXT") });
  return prim(`DA.Exception.${name}`, {
    types: [dataType],
    values: [workers(dataType)],
    exceptions: [exceptionWithMessage(name, "message")],
  });
});

/** Types without values, which carry something at the level of types. */
const phantoms = [
  prim("DA.Internal.Erased", { types: [variant("Erased", [], {}, internal)] }),
  prim("DA.Internal.NatSyn", { types: [{ ...variant("NatSyn", [], {}, internal), params: [{ name: "n", kind: nat }] }] }),
  prim("DA.Internal.PromotedText", { types: [variant("PromotedText", ["t"], {}, internal)] }),
];

const tupleSizeMax = 20;
const upTo = (size: number): number[] => Array.from({ length: size }, (_, index) => index + 1);

const either = variant("Either", ["a", "b"], { Left: variable("a"), Right: variable("b") });
const tuples = upTo(tupleSizeMax)
  .slice(1)
  .map((size): DefDataType =>
    record(
      `Tuple${size}`,
      upTo(size).map((place) => `t${place}`),
      Object.fromEntries(upTo(size).map((place) => [`_${place}`, variable(`t${place}`)])),
    ),
  );

const types = prim("DA.Types", {
  types: [either, ...tuples],
  values: [
    workers(either, ["a", "b"]),
    ...tuples.map((tuple) =>
      workers(
        tuple,
        tuple.params.map((_, index) => `a${index + 1}`),
      ),
    ),
  ],
});

const void_ = "Void$u0023";
const unit = record("Unit", ["a"], { _1: variable("a") });

export const primPackages: readonly PackageDescription[] = [
  ...exceptions,
  ...phantoms,
  types,
  prim("GHC.Prim", { types: [enumeration(void_, [void_], internal)], values: [constant("void$u0023", void_, void_)] }),
  prim("GHC.Tuple", { types: [unit], values: [workers(unit)] }),
  prim("GHC.Types", { types: [enumeration("Ordering", ["LT", "EQ", "GT"])] }),
];
