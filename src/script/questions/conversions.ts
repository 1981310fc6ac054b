/** Between values of a script and values of a ledger, by the types that the packages declare. */
import { type DefinitionId, type LedgerValue, showId } from "../../lf/index.js";
import { AnyValue, toLedgerValue, type Value } from "../../lf/running-code.js";
import type { ScriptPackages } from "../packages.js";
import { senseless } from "../stop.js";
import { fieldsOf, idOf } from "../values.js";

/** AnyTemplate: a record of Any. */
export function templateToLedger(
  { engine }: ScriptPackages,
  anyTemplate: Value,
): { readonly template: DefinitionId; readonly argument: LedgerValue } {
  const { type, value } = fieldsOf(anyTemplate)[0] as AnyValue;
  return { template: idOf(type), argument: toLedgerValue(engine.types.of(type), value) };
}

/** AnyChoice: a record of Any and the template. Archive has a type of its own, which the standard library shares among templates. */
export function choiceToLedger({ engine }: ScriptPackages, anyChoice: Value): { readonly choice: string; readonly argument: LedgerValue } {
  const { type, value } = fieldsOf(anyChoice)[0] as AnyValue;
  return { choice: idOf(type).name, argument: toLedgerValue(engine.types.of(type), value) };
}

/** AnyContractKey: the key as Any in older libraries, as it is in newer ones, beside the template. */
export function keyToLedger({ engine }: ScriptPackages, template: DefinitionId, anyKey: Value): LedgerValue {
  const key = engine.packages.template(template)?.key;
  if (key === undefined) throw senseless(`template ${showId(template)} has no contract key`);
  const [given] = fieldsOf(anyKey);
  return toLedgerValue(engine.types.of(key.type), given instanceof AnyValue ? given.value : given!);
}
