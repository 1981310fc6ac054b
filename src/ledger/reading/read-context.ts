/** What readers of one participant share. */
import type { Exclusive } from "../../base/exclusive.js";
import type { Turns } from "../../base/turns.js";
import type { EventPlace, Tables } from "../../store/index.js";
import type { LedgerEnd } from "../commit/index.js";
import type { Offset, Synchronizers } from "../model/index.js";
import type { ContractIndex, KeptEntries } from "../records/index.js";
import type { ContractTexts } from "./contract-texts.js";
import type { FilterContext } from "./filters.js";
import type { LatestOffsets } from "./latest-offsets.js";
import type { PartyTemplates } from "./party-templates.js";
import type { Projection } from "./projection.js";
import type { UpdateLog } from "./update-log.js";
import type { InterfaceViews } from "./views.js";

export interface ReadContext extends FilterContext {
  readonly tables: Tables;
  readonly contracts: ContractIndex;
  readonly log: UpdateLog;
  readonly keptOffsets: KeptEntries<Offset>;
  readonly latestOffsets: LatestOffsets;
  readonly keptActive: KeptEntries<EventPlace>;
  readonly activeTemplates: PartyTemplates;
  /** Of the index of updates. */
  readonly updateTemplates: PartyTemplates;
  readonly contractTexts: ContractTexts;
  readonly ledgerEnd: LedgerEnd;
  readonly projection: Projection;
  readonly views: InterfaceViews;
  readonly synchronizers: Synchronizers;
  /** Nothing of updates and completions up to here can be read; it moves while readers read. */
  readonly pruning: { readonly offset: Offset };
  readonly turns: Turns;
  /** Of those who ask for one thing and get it at once: they rest for nobody. */
  readonly answerTurns: Turns;
  /** They are written one after the other, as all of one is in memory; but for those with views, which engine threads may take long for. */
  readonly largeAnswers: Exclusive;
  /** The same for those who read on, who rest for others; with views apart from those without. */
  readonly largeElements: { readonly plain: Exclusive; readonly withViews: Exclusive };
}
