/** Values, transactions and messages as a Daml developer would write them. */
export { type Readable, readableBy, shortId } from "./readable.js";
export { Shower } from "./show-transaction.js";
