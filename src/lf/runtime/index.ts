/** What compiled code calls, and what the engine and conversions need of it. */
export { fromAny } from "./any.js";
export { checkParameters, Meter, spent } from "./budget.js";
export { compare, comparisonFunctions, equal, type Comparator } from "./compare.js";
export { compareContractIds, contractIdToText } from "./contract-id.js";
export * as crypto from "./crypto.js";
export { arithmeticErrorId, failWithStatus, throwException, unsupported, userError } from "./exception.js";
export { apply1, apply2, apply3, applyMany, type Fn, withArity } from "./function.js";
export * as int64 from "./int64.js";
export { type InterfaceContext, interfaceFunctions, type Retype, type ViewCheck } from "./interface.js";
export { arrayFromList, listFromArray, listFunctions } from "./list.js";
export {
  type Budget,
  type CompiledChoice,
  type CompiledInstance,
  type CompiledInterface,
  type CompiledPackages,
  type CompiledTemplate,
  DamlException,
  type Machine,
  type UpdateValue,
} from "./machine.js";
export { emptyMap, OrderedMap } from "./map.js";
export { type MapBuiltins, mapFunctions, mapSize } from "./map-builtins.js";
export { type MapOperations, mapOperations } from "./map-operations.js";
export * as numeric from "./numeric.js";
export { numericToText, textToNumeric } from "./numeric-text.js";
export { textToParty } from "./party.js";
export { recordVariant } from "./record-variant.js";
export { generateSecp256k1KeyPair, signSecp256k1 } from "./secp256k1-sign.js";
export { StructLayouts, updateStruct } from "./struct.js";
export { hexToText, sha256Text, textFunctions } from "./text.js";
export * as time from "./time.js";
export * as update from "./update.js";
export { waitingFunctions, waitingValuesMax } from "./waiting.js";
