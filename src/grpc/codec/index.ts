/** Between messages of the Ledger API and its JSON, by the declarations of `../schema/`. */
export { camelCase } from "./members.js";
export { longListsIn } from "./long-lists.js";
export { hasOctets } from "./members.js";
export { decodeMessage, type ValueReader } from "./read-message.js";
export { encodeMessage, type ValueWriter, Written } from "./write-message.js";
