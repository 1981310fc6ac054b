/** Transactions that are prepared here and signed elsewhere: their wire form, their hash, and how they come back. */
export { describeHash, hashPrepared, type HashFailure } from "./prepared-hash.js";
export type { HashingScheme, InputContract, PreparedMetadata, PreparedTransaction, SeededTransaction } from "./prepared-transaction.js";
export {
  readMetadata,
  readSubmitter,
  readTransaction,
  splitPrepared,
  type PreparedFailure,
  type PreparedParts,
  type PreparedSubmitter,
} from "./read-prepared.js";
export { encodePrepared } from "./write-prepared.js";
export type { NodeTypes } from "./enrich.js";
export {
  disclosedContracts,
  inputContracts,
  inputPackages,
  packagesByName,
  reachableNodes,
  rootCommand,
  seededTransaction,
  timeBounds,
} from "./prepare.js";
