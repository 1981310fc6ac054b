/** What engine threads need of the ledger. Not `index.js`: a thread that replaces another should not load the participant first. */
export type { DarContents, InterfaceViewReply, InterfaceViewRequest, InterpretRequest, PreparationError, PrepareRequest, ReplayRequest } from "./interpreter.js";
export { fromEngineError } from "./engine-errors.js";
export { packagePreference, type PackageRecord } from "./package-registry.js";
export { SnapshotLedgerReader, SnapshotPackages } from "./reader.js";
export { renderTransaction, type RenderedValues, type ValuePosition } from "./render.js";
