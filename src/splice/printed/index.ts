/** What Scan tells, printed once and kept in files beside the ledger. */
export { findHolding, Holders, writeAsEvent, writeHolding, type HoldingPlace, type PrintedHolding } from "./holdings.js";
export {
  PrintedTexts,
  type LentPlaces,
  type LentTexts,
  type PrintedText,
  type PrintedTextsOptions,
  type PrintingPlace,
} from "./printed-texts.js";
export type { TextPlace } from "./segment.js";
