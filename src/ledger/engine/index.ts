/** What engine threads need of the ledger: a face of its own, as a thread that replaces another should not load the participant first. */
export { FreshContracts } from "./fresh-contracts.js";
export { KeptContracts } from "./kept-contracts.js";
export { KnownNumbers } from "./known-numbers.js";
export { type KnownContracts, SnapshotLedgerReader, SnapshotPackages } from "./reader.js";
export { factsOfPlain, type PlainSubmission, requestOfPlain, type SubmissionReader } from "../intake/index.js";
export {
  checkDisclosed,
  type CheckRequest,
  type DarContents,
  type Disclosed,
  type EngineRefusal,
  type InterfaceViewReply,
  type InterfaceViewRequest,
  type InterpretedFacts,
  type InterpretedTransaction,
  type InterpretRequest,
  type PackageChoosing,
  type PackageNeed,
  type PackagesByInformee,
  type PackageTooLarge,
  type PreparationError,
  type PrepareRequest,
  readSigned,
  type RecordFacts,
  type RenderedValues,
  renderTransaction,
  type ReplayRequest,
  type SelectionError,
  type SignedFacts,
  type SignedRequest,
  type SubmissionFacts,
  type UnplacedTransaction,
  type UnreadOutcome,
  type UnreadRequest,
  type ValuePosition,
} from "../interpretation/index.js";
export { ContractIndex, encodeUnplaced, type ToRecord } from "../records/index.js";
export { fromEngineError, ledgerError, type LedgerErrorData, type StoredEvent } from "../model/index.js";
export {
  isVettedAt,
  onSynchronizer,
  type PackageRecord,
  type Selection,
  selectPackages,
  showPackage,
  unbounded,
  type VettablePackage,
  type Vetting,
} from "../packages/index.js";
