/** What a reader gets: formats and filters, cursors over updates, active contracts and completions, projection, interface views, pages. */
export { CompletionsCursor } from "./completions.js";
export { ContractTexts } from "./contract-texts.js";
export { ActiveContractsCursor, type TakeContract } from "./contracts.js";
export { takeCreates } from "./creates.js";
export {
  contractIdProblem,
  readContract,
  readEventsByContractId,
  readUpdate,
  readUpdateMember,
  synchronizerOf,
  type UpdateRead,
} from "./events.js";
export { isNameProblem } from "./filters.js";
export {
  type EventFormatRequest,
  type FilterRequest,
  type FiltersRequest,
  type GivenFormat,
  isInRecords,
  type PageMemory,
  type Taken,
  type Traced,
  type UpdateElementForm,
  type UpdateFormatRequest,
} from "./formats.js";
export { Implementations } from "./implementations.js";
export { LatestOffsets } from "./latest-offsets.js";
export { type OutcomesRequest, readOutcomes, type SubmissionOutcome } from "./outcomes.js";
export { readActiveContractsPage, readUpdatesPage } from "./pages.js";
export { activeTemplatesIn, PartyTemplates, templatesIn } from "./party-templates.js";
export { placeOrder } from "./place-search.js";
export { eventAt, inFlightBit, isInFlight } from "./placed-events.js";
export { Projection } from "./projection.js";
export type { ReadContext } from "./read-context.js";
export { offsetAt } from "./record-times.js";
export { UpdateLog } from "./update-log.js";
export { offsetOrder } from "./update-scan.js";
export { UpdatesCursor } from "./updates.js";
export { InterfaceViews } from "./views.js";
