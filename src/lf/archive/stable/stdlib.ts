/** The stable packages that daml-stdlib is split into. */
import type { DefDataType, DefValue, Type } from "../../ast.js";
import { stablePackageIds, type StableModule } from "../../stable-package-ids.js";
import { any, builtin, int64, list, text, typeRep, variable } from "../../type-forms.js";
import {
  arrow,
  constructed,
  enumeration,
  internal,
  own,
  record,
  selectors,
  variant,
  workers,
  type Describe,
  type PackageDescription,
} from "./notation.js";

type Values = readonly Describe<readonly DefValue[]>[];
const named =
  (prefix: string) =>
  (module: StableModule, types: readonly DefDataType[], values: Values = []): PackageDescription => ({
    name: `${prefix}-${module.replaceAll(".", "-")}`,
    module,
    types,
    values,
  });
const stdlib = named("daml-stdlib");
/** Two of them were published under a slip of the compiler's name. */
const ghcStdlib = named("ghc-stdlib");

const stable = (module: StableModule, name: string, ...args: readonly Type[]): Type =>
  constructed({ packageId: stablePackageIds[module], module, name }, ...args);
const [a, s, k, errs] = ["a", "s", "k", "errs"].map(variable) as [Type, Type, Type, Type];

const state = record("State", ["s", "a"], { runState: arrow(s, stable("DA.Types", "Tuple2", a, s)) }, internal);

const templateTypeRep = own("DA.Internal.Any", "TemplateTypeRep");
const anyTypes = [
  record("AnyTemplate", [], { getAnyTemplate: any }, internal),
  record("TemplateTypeRep", [], { getTemplateTypeRep: typeRep }, internal),
  record("AnyChoice", [], { getAnyChoice: any, getAnyChoiceTemplateTypeRep: templateTypeRep }, internal),
  record("AnyContractKey", [], { getAnyContractKey: any, getAnyContractKeyTemplateTypeRep: templateTypeRep }, internal),
];

const down = record("Down", ["a"], { unpack: a });
const failureStatus = record(
  "FailureStatus",
  [],
  { errorId: text, category: builtin("FAILURE_CATEGORY"), message: text, meta: builtin("TEXTMAP", text) },
  internal,
);

const viewModule = "DA.Internal.Interface.AnyView.Types";
const anyView = record("AnyView", [], { getAnyView: any, getAnyViewInterfaceTypeRep: own(viewModule, "InterfaceTypeRep") }, internal);
const interfaceTypeRep = record("InterfaceTypeRep", [], { getInterfaceTypeRep: typeRep }, internal);

const formulaType = own("DA.Logic.Types", "Formula", a);
const formula = variant("Formula", ["a"], {
  Proposition: a,
  Negation: formulaType,
  Conjunction: list(formulaType),
  Disjunction: list(formulaType),
});

const all = record("All", [], { getAll: builtin("BOOL") });
const anyMonoid = record("Any", [], { getAny: builtin("BOOL") });
const endo = record("Endo", ["a"], { appEndo: arrow(a, a) }, internal);
const [sum, product, min, max] = ["Sum", "Product", "Min", "Max"].map((name) => record(name, ["a"], { unpack: a })) as [
  DefDataType,
  DefDataType,
  DefDataType,
  DefDataType,
];

const nonEmpty = record("NonEmpty", ["a"], { hd: a, tl: list(a) });
const minstd = variant("Minstd", [], { Minstd: int64 });
const set = record("Set", ["k"], { map: builtin("GENMAP", k, builtin("UNIT")) });
const sourceLocation = record("SrcLoc", [], {
  srcLocPackage: text,
  srcLocModule: text,
  srcLocFile: text,
  srcLocStartLine: int64,
  srcLocStartCol: int64,
  srcLocEndLine: int64,
  srcLocEndCol: int64,
});
const relTime = record("RelTime", [], { microseconds: int64 });
const validation = variant("Validation", ["errs", "a"], { Errors: stable("DA.NonEmpty.Types", "NonEmpty", errs), Success: a });

export const stdlibPackages: readonly PackageDescription[] = [
  stdlib("DA.Action.State.Type", [state], [selectors(state), workers(state)]),
  stdlib("DA.Date.Types", [
    enumeration("DayOfWeek", ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]),
    enumeration("Month", ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]),
  ]),
  ghcStdlib("DA.Internal.Any", anyTypes),
  stdlib("DA.Internal.Down", [down], [workers(down)]),
  stdlib("DA.Internal.Fail.Types", [failureStatus], [workers(failureStatus), selectors(failureStatus)]),
  stdlib(
    viewModule,
    [anyView, interfaceTypeRep],
    [selectors(anyView), workers(anyView), selectors(interfaceTypeRep), workers(interfaceTypeRep)],
  ),
  ghcStdlib("DA.Internal.Template", [record("Archive", [], {})]),
  stdlib("DA.Logic.Types", [formula], [workers(formula)]),
  stdlib(
    "DA.Monoid.Types",
    [all, anyMonoid, endo, sum, product],
    [...[all, anyMonoid, endo].map(selectors), ...[all, anyMonoid, endo, sum, product].map((type) => workers(type))],
  ),
  stdlib("DA.NonEmpty.Types", [nonEmpty], [workers(nonEmpty), selectors(nonEmpty)]),
  stdlib("DA.Random.Types", [minstd], [workers(minstd)]),
  stdlib("DA.Semigroup.Types", [min, max], [workers(min), workers(max)]),
  stdlib("DA.Set.Types", [set], [workers(set)]),
  stdlib("DA.Stack.Types", [sourceLocation], [workers(sourceLocation), selectors(sourceLocation)]),
  stdlib("DA.Time.Types", [relTime], [selectors(relTime), workers(relTime)]),
  stdlib("DA.Validation.Types", [validation], [workers(validation)]),
];
