/** The face for who runs LF code itself, beside commands: run-time values and their conversions. */
export { FatalError } from "./errors.js";
export { apply1, type Fn } from "./runtime/function.js";
export { arrayFromList, listFromArray } from "./runtime/list.js";
export { type CompiledPackages, DamlException } from "./runtime/machine.js";
export { generateSecp256k1KeyPair, signSecp256k1 } from "./runtime/secp256k1-sign.js";
export { fromCommandValue, showType, toLedgerValue, type RecordType, type VariantType } from "./value/index.js";
export { textMapOf } from "./value/maps.js";
export { showNumeric } from "./value/numeric.js";
export { parseTimestamp, showDate, showTimestamp } from "./value/time.js";
export {
  AnyValue, ContractId, EnumValue, type LfMap, type List, none, type Optional, type RecordValue, Some, TypeRep, unit, type Value, Variant,
} from "./value/value.js";
