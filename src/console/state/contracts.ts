/** Active contracts at an offset, read bit by bit: a list may have a million of them, and one of them five megabytes. */
import type { CreatedEvent } from "../../api/ledger/types/events.js";
import type { CumulativeFilter } from "../../api/ledger/types/formats.js";
import type { GetActiveContractsRequest, JsGetActiveContractsResponse } from "../../api/ledger/types/state.js";
import { openStream, type OpenStream } from "../client/stream.js";
import type { RequestFailed } from "../client/errors.js";
import { preview } from "../daml/preview.js";
import { client, eventFormat } from "./session.js";
import { Store } from "./store.js";

/** What a list shows of a contract; its payload is read again when it is looked at. */
export interface ContractRow {
  readonly contractId: string;
  /** `Module:Entity` */
  readonly template: string;
  readonly packageName: string;
  readonly offset: number;
  readonly createdAt: string;
  readonly stakeholders: readonly string[];
  readonly preview: string;
}

export interface ContractsQuery {
  readonly offset: number;
  readonly party: string | undefined;
  /** `#package-name:Module:Entity` */
  readonly template: string | undefined;
  readonly isInterface: boolean;
}

export interface ContractsState {
  readonly rows: readonly ContractRow[];
  readonly phase: "reading" | "resting" | "complete" | "full" | "failed";
  readonly failure: RequestFailed | undefined;
}

/** One stretch ends after so many contracts, or so much text; what comes behind it is asked for when it is needed. */
const stretchRows = 2_000,
  stretchAllRows = 20_000,
  stretchChars = 24_000_000;
/** What is told is filtered, sorted and counted anew, so a long list is told of less often. */
const tellMs = 120,
  tellRowsPerMs = 500;
/** Rows kept in memory, some 300 bytes each. */
export const rowsMax = 1_000_000;

export class Contracts {
  readonly state = new Store<ContractsState>({ rows: [], phase: "resting", failure: undefined });
  readonly #query: ContractsQuery;
  readonly #rows: ContractRow[] = [];
  /** Names and lists of parties are few; each is kept once. */
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();
  #token: string | undefined;
  #stream: OpenStream | undefined;
  #timer: number | undefined;
  #isAll = false;

  constructor(query: ContractsQuery) {
    this.#query = query;
  }

  close(): void {
    this.#stream?.close();
    window.clearTimeout(this.#timer);
  }

  /** Goes on until everything was read, so that it can be counted. */
  readAll(): void {
    this.#isAll = true;
    this.more();
  }

  more(): void {
    const { phase } = this.state.value;
    if (phase !== "resting" && phase !== "failed") return;
    this.#tell("reading");
    this.#read();
  }

  #read(): void {
    let rows = 0,
      chars = 0;
    const stretch = this.#isAll ? stretchAllRows : stretchRows;
    const done = (end: ContractsState["phase"], failure?: RequestFailed): void => {
      this.#stream?.close();
      if (end === "resting" && this.#isAll) this.#read();
      else this.#tell(end, failure);
    };
    this.#stream = openStream<JsGetActiveContractsResponse>(client, "/v2/state/active-contracts", this.#request(), {
      onElement: (element, length) => {
        const entry = element.contractEntry;
        this.#token = element.streamContinuationToken ?? this.#token;
        if (entry && "JsActiveContract" in entry) this.#rows.push(this.#rowOf(entry.JsActiveContract.createdEvent));
        rows++;
        chars += length;
        if (this.#rows.length >= rowsMax) done("full");
        else if (rows >= stretch || chars >= stretchChars) done("resting");
        else this.#tellSoon();
      },
      onEnd: (failure) => (failure === undefined ? done("complete") : done("failed", failure)),
    });
  }

  #request(): GetActiveContractsRequest {
    const { offset, party, template, isInterface } = this.#query;
    const filter: CumulativeFilter[] | undefined =
      template === undefined
        ? undefined
        : [
            {
              identifierFilter: isInterface
                ? { InterfaceFilter: { value: { interfaceId: template, includeInterfaceView: false } } }
                : { TemplateFilter: { value: { templateId: template } } },
            },
          ];
    return {
      activeAtOffset: offset,
      eventFormat: eventFormat(party, filter),
      ...(this.#token !== undefined && { streamContinuationToken: this.#token }),
    };
  }

  #rowOf(event: CreatedEvent): ContractRow {
    const stakeholders = [...new Set([...event.signatories, ...(event.observers ?? [])])].sort();
    return {
      contractId: event.contractId,
      template: this.#once(event.templateId.slice(event.templateId.indexOf(":") + 1)),
      packageName: this.#once(event.packageName),
      offset: event.offset,
      createdAt: event.createdAt,
      stakeholders: this.#listOnce(stakeholders),
      preview: preview(event.createArgument),
    };
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  #listOnce(list: readonly string[]): readonly string[] {
    const key = list.join("\n"),
      known = this.#lists.get(key);
    if (known === undefined)
      this.#lists.set(
        key,
        list.map((one) => this.#once(one)),
      );
    return known ?? list;
  }

  #tellSoon(): void {
    this.#timer ??= window.setTimeout(() => this.#tell("reading"), tellMs + this.#rows.length / tellRowsPerMs);
  }

  /** The same array, but a new state: whoever looks at it asks for its length. */
  #tell(phase: ContractsState["phase"], failure?: RequestFailed): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.state.set({ rows: this.#rows, phase, failure });
  }
}
