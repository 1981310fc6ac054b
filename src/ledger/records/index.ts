/** How the tables keep updates, contracts and completions, and under which keys readers find them. */
export { archivedLater, decodeMark, encodeMark, marksOf, narrowMarkOf, PendingMarks } from "./archive-marks.js";
export { acceptedUpdateId, type CompletionMarks, decodeCompletion, encodeCompletion, isRejection } from "./completion-record.js";
export {
  type ContractState, decodeContractState, decodeInstance, decodeKeyed, encodeContractState, encodeInstance,
  encodeKeyed, type KeyedContract, type PlacedContract, readInstance, readKeyed,
} from "./contract-record.js";
export { isStep } from "./event-steps.js";
export { anyParty, anyTemplate, type IndexRange, topologyTemplate } from "./index-ranges.js";
export { templateName, TemplateNames } from "./template-names.js";
export { contractIdOf, indexOf } from "./update-contents.js";
export { decodeUpdateId, isForeignUpdateId, placesOfUpdateId, writeUpdateId } from "./update-ids.js";
export { indexVisitor, topologyIndex } from "./update-index.js";
export { EventMarks, kindOf, PartyLists, topologyKind, transactionKind, UpdateMarks } from "./update-marks.js";
export { decodeUpdate, encodeResidue, encodeTopology, type EventNumbers, traceText, TransactionEncoder, unsealUpdate } from "./update-record.js";
