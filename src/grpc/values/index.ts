/** Daml values of messages: those of requests as the JSON API takes them, those of its replies as messages have them. */
export { BadValue, requestValues } from "./read-values.js";
export { ReplyValues, ValueWithoutEnd } from "./reply-values.js";
export type { Verbosity } from "./typed-writer.js";
