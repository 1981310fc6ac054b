/** What engine threads need of the ledger. Not `index.js`: a thread that replaces another should not load the participant first. */
export type { DarContents, InterfaceViewReply, InterfaceViewRequest, InterpretedTransaction, InterpretRequest, PreparationError, PrepareRequest, ReplayRequest, SelectionError } from "./interpreter.js";
export { checkDisclosed, type Disclosed } from "./disclosed-contracts.js";
export { fromEngineError } from "./engine-errors.js";
export { readSigned, type SignedFacts, type SignedRequest } from "./external/signed-facts.js";
export type { LedgerErrorData, StoredEvent } from "./model.js";
export { isVettedAt, recordedPayload, type PackageRecord } from "./package-registry.js";
export { selectPackages, showPackage, type Selection } from "./package-selection.js";
export { SnapshotLedgerReader, SnapshotPackages } from "./reader.js";
export { renderTransaction, type RenderedValues, type ValuePosition } from "./render.js";
