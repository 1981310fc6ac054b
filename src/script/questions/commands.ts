/** The commands of a submission, out of the library's values. */
import { assert } from "../../base/assert.js";
import { type ContractId, Variant, type Value } from "../../lf/running-code.js";
import type { LedgerCommand } from "../ledger.js";
import type { ScriptPackages } from "../packages.js";
import { definitionOf, fieldsOf } from "../values.js";
import { choiceToLedger, keyToLedger, templateToLedger } from "./conversions.js";

/** CommandWithMeta: the command, and whether its package id is meant. */
export function commandOf(packages: ScriptPackages, withMeta: Value): LedgerCommand {
  const [command, explicitPackageId] = fieldsOf(withMeta);
  assert(command instanceof Variant, "a command is a variant");
  const exactPackage = explicitPackageId === true;
  const fields = fieldsOf(command.value);
  switch (command.constructor_) {
    case "Create":
      return { kind: "create", ...templateToLedger(packages, fields[0]!), exactPackage };
    case "Exercise":
      return {
        kind: "exercise",
        template: definitionOf(fields[0]!),
        contractId: (fields[1] as ContractId).hex,
        ...choiceToLedger(packages, fields[2]!),
        exactPackage,
      };
    case "ExerciseByKey": {
      const template = definitionOf(fields[0]!);
      return {
        kind: "exerciseByKey",
        template,
        key: keyToLedger(packages, template, fields[1]!),
        ...choiceToLedger(packages, fields[2]!),
        exactPackage,
      };
    }
    case "CreateAndExercise": {
      const { template, argument: createArgument } = templateToLedger(packages, fields[0]!);
      return { kind: "createAndExercise", template, createArgument, ...choiceToLedger(packages, fields[1]!), exactPackage };
    }
    default:
      return assert(false, `a command of the library, not ${command.constructor_}`) as never;
  }
}
