/** Runs calls as requests to the JSON API of the same participant, and tells its failures as gRPC does. */
export { type Answered, JsonCalls } from "./json-calls.js";
export { badRequest, unimplemented } from "./status.js";
