/** Everything that generated code may call, by the names that it uses. */
import { showId, type DefinitionId } from "../ast.js";
import { FatalError } from "../errors.js";
import {
  fromAny,
  type Meter,
  spent,
  comparisonFunctions,
  contractIdToText,
  crypto,
  failWithStatus,
  throwException,
  unsupported,
  userError,
  apply1,
  apply2,
  apply3,
  applyMany,
  withArity,
  int64,
  type InterfaceContext,
  interfaceFunctions,
  listFromArray,
  listFunctions,
  emptyMap,
  mapFunctions,
  mapSize,
  numeric,
  numericToText,
  textToNumeric,
  textToParty,
  type StructLayouts,
  updateStruct,
  hexToText,
  sha256Text,
  textFunctions,
  time,
  update,
  waitingFunctions,
} from "../runtime/index.js";
import {
  compareText,
  type AnyValue,
  AnyValue as Any,
  Cons,
  type ContractId,
  InterfaceValue,
  nil,
  none,
  type RecordValue,
  Some,
  unit,
  type Value,
  Variant,
} from "../value/index.js";

export interface RuntimeContext extends InterfaceContext {
  readonly meter: Meter;
  readonly structs: StructLayouts;
  /** True while an update runs on the ledger. */
  onLedger(): boolean;
  exceptionMessage(exception: AnyValue): string;
  onTrace(message: string): void;
}

const updateRecord = (record: RecordValue, index: number, value: Value): RecordValue => {
  const copy = record.slice();
  copy[index] = value;
  return copy;
};

const missing = (kind: string, id: DefinitionId): never => {
  const reference = showId(id);
  throw new FatalError({ phase: "lookup", class: "MissingDefinition", message: `The ${kind} ${reference} is not known.`, reference });
};

export const createRuntime = (context: RuntimeContext) => assemble(context, comparisonFunctions(context.meter));

const assemble = (context: RuntimeContext, comparison: ReturnType<typeof comparisonFunctions>) => ({
  ...int64,
  ...numeric,
  ...time,
  ...crypto,
  ...update,
  ...textFunctions(context.meter),
  ...listFunctions(context.meter),
  ...mapFunctions(context.meter, context.structs, comparison.compare),
  ...interfaceFunctions(context),
  ...waitingFunctions(context.meter.limits),
  // Values
  unit,
  nil,
  none,
  Cons,
  Some,
  Variant,
  AnyValue: Any,
  InterfaceValue,
  listFromArray,
  updateRecord,
  updateStruct,
  emptyMap,
  // Functions and the budget
  apply1,
  apply2,
  apply3,
  applyMany,
  withArity,
  budget: context.meter.budget,
  spent,
  work: (steps: number): void => context.meter.work(steps),
  missing,
  unsupported,
  identity: (value: Value): Value => value,
  trace: (message: string, value: Value): Value => {
    context.onTrace(message);
    return value;
  },
  // Comparison
  compareText,
  ...comparison,
  // Texts, parties, contract ids
  numericToText,
  textToNumeric,
  hexToText,
  sha256Text,
  textToParty,
  contractIdToText: (id: ContractId) => contractIdToText(context.onLedger(), id),
  // Maps
  mapSize,
  // Any and exceptions
  fromAny,
  throwException,
  userError,
  failWithStatus,
  exceptionMessage: (exception: AnyValue): string => context.exceptionMessage(exception),
});

export type Runtime = ReturnType<typeof createRuntime>;
