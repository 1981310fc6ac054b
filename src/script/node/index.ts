/** A running node as a ledger of scripts. */
export { JsonApi, type Participant } from "./json-api.js";
export { JsonLedger } from "./json-ledger.js";
