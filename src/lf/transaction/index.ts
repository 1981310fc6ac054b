/** Transactions and contracts: their wire form, hashes, ids and who sees what. */
export {
  contractIdOfInstance,
  decodeContractInstance,
  encodeContractInstance,
  type ContractInstance,
  type DecodeError,
} from "./contract-instance.js";
export { computeBlinding, informeesOf } from "./blinding.js";
export {
  authenticationData,
  childSeed,
  type Hashing,
  hashingOf,
  localContractId,
  localContractIds,
  matchesTypedId,
  matchesUntypedId,
  type NewContract,
  suffixContractId,
  transactionSeed,
  type SuffixInput,
} from "./contract-id.js";
export { HashWriter } from "./hash-writer.js";
export type * from "./node.js";
export { isSubset, type PartySet, union } from "./party-sets.js";
export { isSuffixed, parseContractId, type ContractIdParts } from "../value/index.js";
export { contractHash, keyHash, type QualifiedName } from "./hash.js";
