export { arithmeticErrorId, arithmeticErrorType } from "./exception.js";
export { compare, equal } from "./compare.js";
export { compareContractIds } from "./contract-id.js";
export { arrayFromList, listFromArray } from "./list.js";
export { emptyMap, OrderedMap } from "./map.js";
export { type MapOperations, mapOperations } from "./map-operations.js";
export { compareText } from "./text.js";
export { numericToText } from "./numeric-text.js";
export { type Budget, type CompiledChoice, type CompiledInstance, type CompiledInterface, type CompiledPackages, type CompiledTemplate, DamlException, type Machine, type UpdateValue } from "./machine.js";
