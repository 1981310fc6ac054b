/** Exercises of a contract between its creation and its end: no index leads to them, so what its template did is gone through in pieces. */
import type { CreatedEvent, ExercisedEvent } from "../../api/ledger/types/events.js";
import type { GetUpdatesPageRequest, JsGetUpdatesPageResponse } from "../../api/ledger/types/updates.js";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { byName, client, eventFormat } from "./session.js";
import { Store } from "./store.js";

export interface UsesState {
  readonly uses: readonly ExercisedEvent[];
  /** Everything up to here was looked at. */
  readonly searchedTo: number;
  readonly phase: "searching" | "resting" | "complete";
  readonly failure: RequestFailed | undefined;
}

const pageUpdates = 200,
  pagesAtOnce = 10,
  usesMax = 2_000;

export class Uses {
  readonly state: Store<UsesState>;
  readonly #created: CreatedEvent;
  readonly #until: number;
  #isClosed = false;

  constructor(created: CreatedEvent, until: number) {
    this.#created = created;
    this.#until = until;
    this.state = new Store<UsesState>({ uses: [], searchedTo: created.offset - 1, phase: "resting", failure: undefined });
  }

  close(): void {
    this.#isClosed = true;
  }

  async search(): Promise<void> {
    if (this.state.value.phase !== "resting") return;
    this.state.change({ phase: "searching", failure: undefined });
    try {
      for (let page = 0, isEnd = false; page < pagesAtOnce && !this.#isClosed && !isEnd; page++) isEnd = await this.#page();
    } catch (error) {
      this.state.change({ failure: asFailure(error) });
    }
    this.state.change({ phase: this.state.value.searchedTo >= this.#until ? "complete" : "resting" });
  }

  async #page(): Promise<boolean> {
    const { searchedTo, uses } = this.state.value,
      { contractId, templateId } = this.#created;
    const request: GetUpdatesPageRequest = {
      beginOffsetExclusive: searchedTo,
      endOffsetInclusive: this.#until,
      maxPageSize: pageUpdates,
      updateFormat: {
        includeTransactions: {
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
          eventFormat: eventFormat(undefined, [{ identifierFilter: { TemplateFilter: { value: { templateId: byName(templateId) } } } }]),
        },
      },
    };
    const { updates, highestPageOffsetInclusive } = await client.post<GetUpdatesPageRequest, JsGetUpdatesPageResponse>(
      "/v2/updates/get-updates-page",
      request,
    );
    const found = (updates ?? [])
      .flatMap(({ update }) => (update && "Transaction" in update ? update.Transaction.value.events : []))
      .flatMap((event) => ("ExercisedEvent" in event && event.ExercisedEvent.contractId === contractId ? [event.ExercisedEvent] : []));
    const all = [...uses, ...found];
    this.state.change({ uses: all, searchedTo: Math.max(searchedTo, highestPageOffsetInclusive) });
    return highestPageOffsetInclusive >= this.#until || all.length >= usesMax;
  }
}
