/** How the tables keep updates, contracts and completions, and under which keys readers find them. */
export {
  archivedLater,
  decodeMark,
  encodeMark,
  endOfActivation,
  lastNodeId,
  type MarkTables,
  marksOf,
  narrowMarkOf,
  PendingMarks,
} from "./archive-marks.js";
export {
  acceptedUpdateId,
  submissionIdOf,
  type CompletionMarks,
  decodeCompletion,
  encodeCompletion,
  isOfUser,
  isRejection,
  marksOfCompletion,
  placeCompletion,
  unsealCompletion,
  userBytes,
} from "./completion-record.js";
export { type ContractChange, encodeContractChanges } from "./contract-changes.js";
export { type ContractChanges, ContractIndex, settledContractsKey } from "./contract-index.js";
export {
  type ContractState,
  decodeInstance,
  decodeKeyed,
  encodeInstance,
  endOfState,
  encodeKeyed,
  isActive,
  type KeyedContract,
  packedState,
  type PlacedContract,
  readInstance,
  readKeyed,
  type StoredInstance,
} from "./contract-record.js";
export { placeNumbers } from "./place-numbers.js";
export { type PruningPoint, readPruningPoint, writePruningPoint } from "./pruning-point.js";
export { createdParts, type CreatedParts } from "./created-parts.js";
export { isStep, takesSteps } from "./event-steps.js";
export { anyParty, anyTemplate, type IndexRange, reassignmentTemplate, topologyTemplate } from "./index-ranges.js";
export { allOffsets, hasOffset, PendingOffsets, readOffsets, readOffsetsBack } from "./offset-groups.js";
export { type EntryOrder, KeptEntries, type Piece } from "./kept-entries.js";
export { decodeParty, encodeParty, isProposed, type LocalToParty, type PartyRecord, proposedParty } from "./party-record.js";
export { encodeReassignmentEntry, readReassignment, type Reassignment } from "./reassignment-record.js";
export { encodeReassignment } from "./reassignment-update.js";
export { templateName, TemplateNames } from "./template-names.js";
export { Transients } from "./transients.js";
export { encodeUnplaced, type Numbers, type ToRecord } from "./unplaced.js";
export { contractIdOf, idOfReassignment, indexOf, isFollowed } from "./update-contents.js";
export { decodeUpdateId, isForeignUpdateId, placesOfUpdateId, writeUpdateId } from "./update-ids.js";
export type { EventNumbers } from "./update-head.js";
export { indexVisitor, rangeNumber, reassignmentIndex, topologyIndex } from "./update-index.js";
export {
  EventMarks,
  type EventTraits,
  isSubmittedHere,
  isTransactionOf,
  kindOf,
  offsetOf,
  PartyLists,
  reassignmentKind,
  textStartOf,
  topologyKind,
  transactionKind,
  UpdateMarks,
} from "./update-marks.js";
export {
  decodeUpdate,
  encodeResidue,
  encodeTopology,
  isWholeUpdate,
  placeUpdate,
  signatoriesIn,
  storedCreate,
  traceText,
  TransactionEncoder,
  unsealUpdate,
  type UpdateRecord,
} from "./update-record.js";
