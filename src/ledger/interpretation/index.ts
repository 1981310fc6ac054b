/** What the ledger asks of the engine, and what is worked out on its threads without the ledger. */
export { checkDisclosed, disclosedId, isLarge } from "./disclosed-contracts.js";
export type {
  CheckRequest,
  DarContents,
  Disclosed,
  DisclosedContract,
  EngineRefusal,
  InterfaceViewReply,
  InterfaceViewRequest,
  InterpretedTransaction,
  Interpreter,
  InterpretRequest,
  PackageChoosing,
  PackageNeed,
  PackagesByInformee,
  PackageSummary,
  PackageTooLarge,
  PreparationError,
  Prepared,
  PrepareRequest,
  ReadSubmission,
  ReplayRequest,
  InterpretedFacts,
  RecordFacts,
  SelectionError,
  SignedFacts,
  SignedRequest,
  SubmissionFacts,
  UnplacedArchive,
  UnplacedCreate,
  UnplacedTransaction,
  UnreadOutcome,
  UnreadRequest,
  ValuePosition,
} from "./interpreter.js";
export { DescribedTypes, distinctPositions, type PositionById } from "./described-types.js";
export { isUnplaced } from "./interpreter.js";
export { type RenderedValues, renderTransaction } from "./render.js";
export { notExecutable, readSigned, unreadablePrepared } from "./signed-facts.js";
export type { Untold, UntoldNodes } from "./untold.js";
