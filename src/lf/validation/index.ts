/** Is a decoded package well-formed? The face of `lf/validation`. */
export { Budget } from "./budget.js";
export type { Rule } from "./refusal.js";
export { isValidPackage, validatePackage, type ModuleVisit } from "./validate-package.js";
