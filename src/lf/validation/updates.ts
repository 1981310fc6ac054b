/** Updates: what acts on the ledger. */
import type { DefinitionId, Expr, TemplateChoice, Type, Update } from "../ast.js";
import { stablePackageIds } from "../stable-package-ids.js";
import { unreachable } from "../../base/assert.js";
import type { Checker } from "./checker.js";
import type { Hidden } from "./scope.js";
import { showType } from "./show.js";
import {
  anyException,
  apply,
  argumentOf,
  bool,
  constructor_,
  contractId,
  fn,
  int64,
  list,
  optional,
  timestamp,
  update as updateOf,
} from "../type-forms.js";

type Of<K extends Update["kind"]> = Extract<Update, { kind: K }>;

export function typeOfUpdate(checker: Checker, update: Update): Type {
  switch (update.kind) {
    case "pure":
      return updateOf(checker.check(update.expr, checker.types.checked(update.type)));
    case "block":
      return typeOfBlock(checker, update);
    case "embed": // by itself the type may be any: nothing has one that is none
      return checker.check(update.expr, updateOf(checker.scope.resolve(update.type)));
    case "tryCatch":
      return typeOfTryCatch(checker, update);
    case "getTime":
      return updateOf(timestamp);
    case "ledgerTimeLt":
      checker.check(update.time, timestamp);
      return updateOf(bool);
    case "fetchByKey":
    case "lookupByKey":
    case "queryNByKey":
      return typeOfKeyQuery(checker, update.kind, update.template);
    default:
      return typeOfContractUpdate(checker, update);
  }
}

function typeOfBlock(checker: Checker, { bindings, body }: Of<"block">): Type {
  const hidden: Hidden[] = [];
  for (const { binder, bound } of bindings) {
    const type = checker.types.checked(binder.type);
    checker.check(bound, updateOf(type));
    hidden.push(checker.scope.bind(binder.name, type));
  }
  const result = asUpdate(checker, checker.typeOf(body));
  checker.scope.unbind(hidden);
  return result;
}

function asUpdate(checker: Checker, type: Type): Type {
  if (argumentOf("UPDATE", type) !== undefined) return type;
  const expanded = checker.types.expand(type);
  return argumentOf("UPDATE", expanded) !== undefined
    ? expanded
    : checker.scope.refuse("ExpectedUpdateType", `${showType(type)} is not the type of an update`);
}

function typeOfTryCatch(checker: Checker, { returnType, body, binder, handler }: Of<"tryCatch">): Type {
  const type = updateOf(checker.types.checked(returnType));
  checker.check(body, type);
  checker.scope.withVariables([{ name: binder, type: anyException }], () => checker.check(handler, optional(type)));
  return type;
}

function typeOfContractUpdate(
  checker: Checker,
  update: Of<"create" | "createInterface" | "fetch" | "fetchInterface" | "exercise" | "exerciseInterface" | "exerciseByKey">,
): Type {
  const { scope } = checker;
  switch (update.kind) {
    case "create":
      scope.template(update.template);
      return typeOfCreate(checker, update.template, update.arg);
    case "createInterface":
      scope.interface(update.interface);
      return typeOfCreate(checker, update.interface, update.arg);
    case "fetch":
      scope.template(update.template);
      return typeOfFetch(checker, update.template, update.contractId);
    case "fetchInterface":
      scope.interface(update.interface);
      return typeOfFetch(checker, update.interface, update.contractId);
    case "exercise":
      return typeOfExercise(checker, update.template, scope.templateChoice(update.template, update.choice), update);
    case "exerciseInterface":
      return typeOfInterfaceExercise(checker, update);
    case "exerciseByKey": {
      checker.check(update.key, scope.templateKey(update.template).type);
      return resultOf(checker, scope.templateChoice(update.template, update.choice), update.arg);
    }
    default:
      return unreachable(update);
  }
}

function typeOfCreate(checker: Checker, id: DefinitionId, arg: Expr): Type {
  checker.check(arg, constructor_(id));
  return updateOf(contractId(constructor_(id)));
}

function typeOfFetch(checker: Checker, id: DefinitionId, contract: Expr): Type {
  checker.check(contract, contractId(constructor_(id)));
  return updateOf(constructor_(id));
}

function typeOfExercise(
  checker: Checker,
  id: DefinitionId,
  choice: TemplateChoice,
  { contractId: contract, arg }: { readonly contractId: Expr; readonly arg: Expr },
): Type {
  checker.check(contract, contractId(constructor_(id)));
  return resultOf(checker, choice, arg);
}

function typeOfInterfaceExercise(checker: Checker, exercise: Of<"exerciseInterface">): Type {
  const result = typeOfExercise(checker, exercise.interface, checker.scope.interfaceChoice(exercise.interface, exercise.choice), exercise);
  if (exercise.guard !== undefined) checker.check(exercise.guard, fn(constructor_(exercise.interface), bool));
  return result;
}

function resultOf(checker: Checker, choice: TemplateChoice, arg: Expr): Type {
  checker.check(arg, choice.argBinder.type);
  return updateOf(choice.returnType);
}

const tuple2 = constructor_({ packageId: stablePackageIds["DA.Types"], module: "DA.Types", name: "Tuple2" });

function typeOfKeyQuery(checker: Checker, kind: "fetchByKey" | "lookupByKey" | "queryNByKey", template: DefinitionId): Type {
  const key = checker.scope.templateKey(template).type;
  const contract = constructor_(template);
  const found = apply(tuple2, contractId(contract), contract);
  switch (kind) {
    case "fetchByKey":
      return fn(key, updateOf(found));
    case "lookupByKey":
      return fn(key, updateOf(optional(contractId(contract))));
    case "queryNByKey":
      return fn(int64, key, updateOf(optional(list(found))));
  }
}
