/** The face for who runs LF code itself, beside commands: run-time values and their conversions. */
export { FatalError } from "./errors.js";
export { apply1, type Fn } from "./runtime/index.js";
export { arrayFromList, listFromArray } from "./runtime/index.js";
export { type CompiledPackages, DamlException } from "./runtime/index.js";
export { generateSecp256k1KeyPair, signSecp256k1 } from "./runtime/index.js";
export { fromCommandValue, showType, toLedgerValue, type RecordType, type VariantType } from "./conversion/index.js";
export { genMapOf, textMapOf } from "./conversion/index.js";
export { showNumeric } from "./value/index.js";
export { parseTimestamp, showDate, showTimestamp } from "./value/index.js";
export {
  AnyValue,
  ContractId,
  EnumValue,
  type LfMap,
  type List,
  none,
  type Optional,
  type RecordValue,
  Some,
  TypeRep,
  unit,
  type Value,
  Variant,
} from "./value/index.js";
