/** Types of values, and conversions that need them: between compiled code, transactions, commands and JSON. */
export { EnumType, RecordType, ValueTypes, VariantType, type TypedField, type ValueType } from "./value-type.js";
export { showType } from "./show-type.js";
export { type Allowance, toLedgerValue } from "./to-ledger-value.js";
export { fromCommandValue } from "./command-value.js";
export { fromStoredValue, type StoredValueOptions, type TranslationError } from "./stored-value.js";
export { checkCommandContractId, malformedContractId } from "./command-contract-id.js";
export { carriedBytes, carryValue } from "./carried-value.js";
export { fromJson } from "./from-json.js";
export { genMapOf, textMapOf } from "./maps.js";
export { toJson } from "./to-json.js";
export { globalKeyText } from "./global-key-text.js";
export { shortIdText, valueText } from "./value-text.js";
export { describeType, type DescribedType, type TypeDescription } from "./type-description.js";
