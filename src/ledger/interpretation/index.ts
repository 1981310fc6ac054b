/** What the ledger asks of the engine, and what is worked out on its threads without the ledger. */
export { checkDisclosed, isLarge } from "./disclosed-contracts.js";
export type {
  DarContents,
  Disclosed,
  DisclosedContract,
  InterfaceViewReply,
  InterfaceViewRequest,
  InterpretedTransaction,
  Interpreter,
  InterpretRequest,
  PackageSummary,
  PackageTooLarge,
  PreparationError,
  Prepared,
  PrepareRequest,
  ReplayRequest,
  InterpretedFacts,
  RecordFacts,
  SelectionError,
  SignedFacts,
  SignedRequest,
  UnplacedArchive,
  UnplacedCreate,
  UnplacedTransaction,
  ValuePosition,
} from "./interpreter.js";
export { isUnplaced } from "./interpreter.js";
export { type RenderedValues, renderTransaction } from "./render.js";
export { notExecutable, readSigned, unreadablePrepared } from "./signed-facts.js";
