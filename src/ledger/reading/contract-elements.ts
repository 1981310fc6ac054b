/** How contracts are written into lists of active contracts: as they are kept for all readers, or put together for one. */
import { assert } from "../../base/assert.js";
import type { ElementWriter, Filling } from "../../base/element-writer.js";
import { limits } from "../../config.js";
import type { EventPlace } from "../../store/index.js";
import type { EventMarks, UpdateMarks } from "../records/index.js";
import type { ContractKind, ContractText } from "./contract-texts.js";
import { type ContinuationTokens, tokenChars } from "./continuation-tokens.js";
import type { EventFilter, TemplateMatch } from "./filters.js";
import type { PlacedEvents, PlacedEventsReader } from "./placed-events.js";
import type { ReadContext } from "./read-context.js";
import { asksForStored, isActivationAsStored } from "./selection.js";

const elementHead = Buffer.from(`{"workflowId":"`),
  createdHead = Buffer.from(`","contractEntry":{"JsActiveContract":{"createdEvent":`);
const inFlightHead = Buffer.from(`","contractEntry":{"JsIncompleteUnassigned":{"createdEvent":`),
  unassignedHead = Buffer.from(`,"unassignedEvent":`);
/** Most contracts are of no workflow. */
const headWithoutWorkflow = Buffer.concat([elementHead, createdHead]);
const tail = `}},"streamContinuationToken":"`,
  inFlightTail = Buffer.from(tail),
  elementEnd = Buffer.from(`"}`);

/** Of contracts that were found together. */
type Tokens = Filling;
const noTokens: Tokens = { bytes: Buffer.alloc(0), holeBytes: 0 },
  /** In a text that is kept there is room for one. */
  blankToken: Tokens = { bytes: Buffer.alloc(tokenChars, " "), holeBytes: tokenChars };

/** Contracts that are written between two looks at the time; one that is not kept as it is written counts as several, as a large one does. */
const workPerLook = 256,
  workBytes = 1_024,
  putTogether = 16;

/** Places in a row, and the tokens of all of their elements. */
export interface FoundContracts {
  readonly places: readonly EventPlace[];
  readonly tokens: Tokens;
}
export const nothingFound: FoundContracts = { places: [], tokens: noTokens };

export class ContractElements {
  readonly #context: ReadContext;
  readonly #filter: EventFilter;
  readonly #tokens: ContinuationTokens | undefined;
  readonly #events: PlacedEventsReader;
  /** What follows the created event up to the continuation token, by synchronizer and reassignment counter. */
  readonly #tails = new Map<string, Buffer>();
  readonly #firstTail: Buffer;
  #lastText: ContractText | undefined;
  /** The kind that was asked about last in this turn, and whether the reader gets its texts. */
  #kind: ContractKind | undefined;
  #getsKind = false;

  constructor(context: ReadContext, filter: EventFilter, tokens: ContinuationTokens | undefined, events: PlacedEventsReader) {
    this.#context = context;
    this.#filter = filter;
    this.#tokens = tokens;
    this.#events = events;
    this.#firstTail = this.#makeTail(0, 0);
  }

  #makeTail(synchronizer: number, counter: number): Buffer {
    return Buffer.from(`,"synchronizerId":${this.#context.synchronizers.idJson(synchronizer)},"reassignmentCounter":${counter}${tail}`);
  }

  #tailOf(synchronizer: number, counter: number): Buffer {
    if (synchronizer === 0 && counter === 0) return this.#firstTail;
    const key = `${synchronizer}/${counter}`,
      known = this.#tails.get(key);
    if (known) return known;
    const made = this.#makeTail(synchronizer, counter);
    if (this.#tails.size >= limits.activeContractsTailsKeptMax) this.#tails.clear();
    this.#tails.set(key, made);
    return made;
  }

  found(places: readonly EventPlace[]): FoundContracts {
    return this.#tokens === undefined
      ? { places, tokens: noTokens }
      : { places, tokens: { bytes: this.#tokens.texts(places), holeBytes: tokenChars } };
  }

  /** Of those from `from` to before `to` so many as one may do before the next look at the time; how many is told. */
  write({ places, tokens }: FoundContracts, from: number, to: number, out: ElementWriter): number {
    this.#kind = undefined;
    let index = from;
    for (let work = 0; index < to && work < workPerLook; index++, work++) {
      const place = places[index]!,
        text = this.#textOf(place);
      out.begin();
      if (text) {
        this.#writeText(text, index, tokens, out);
        work += Math.floor((text.end - text.start) / workBytes);
      } else {
        const events = this.#events.at(place);
        this.#write(events, this.match(events.created), index, tokens, out);
        work += putTogether + Math.floor(sizeOf(events) / workBytes);
      }
      out.end();
    }
    this.#rest(out);
    return index - from;
  }

  /** `matches`: what was asked of each when its views were computed; packages may have come since. */
  writeWithViews({ places, tokens }: FoundContracts, from: number, matches: readonly TemplateMatch[], out: ElementWriter): void {
    for (let index = 0; index < matches.length; index++) {
      out.begin();
      this.#write(this.#events.at(places[from + index]!), matches[index]!, from + index, tokens, out);
      out.end();
    }
    this.#rest(out);
  }

  #rest(out: ElementWriter): void {
    out.settle();
    this.#events.rest();
  }

  match(event: EventMarks): TemplateMatch {
    const match = this.#filter.match(event.template, event.stakeholders);
    assert(match, "the index holds what the filter asks for");
    return match;
  }

  /** Where it is kept, or is from now on, and the reader gets it. */
  #textOf(place: EventPlace): ContractText | undefined {
    const found = this.#context.contractTexts.find(place, this.#lastText) ?? this.#keep(place);
    if (found === undefined) return undefined;
    this.#lastText = found;
    this.#events.pass(found.end - found.start);
    return this.#gets(found.kind) ? found : undefined;
  }

  #keep(place: EventPlace): ContractText | undefined {
    const events = this.#events.at(place),
      { created, unassigned } = events;
    if (unassigned !== undefined || !this.#events.isWanted || this.#context.contractTexts.isTooLong(sizeOf(events))) return undefined;
    const match = this.match(created);
    if (!isActivationAsStored(created, match, this.#filter)) return undefined;
    const { template, stakeholders } = created;
    return this.#context.contractTexts.keep(place, { template, stakeholders }, (out) => this.#write(events, match, 0, blankToken, out));
  }

  /** What the filter means does not change within a turn. */
  #gets(kind: ContractKind): boolean {
    if (kind === this.#kind) return this.#getsKind;
    const match = this.#filter.match(kind.template, kind.stakeholders);
    assert(match, "the index holds what the filter asks for");
    this.#kind = kind;
    return (this.#getsKind = asksForStored(match, kind.stakeholders, this.#filter));
  }

  #writeText({ bytes, start, end }: ContractText, index: number, tokens: Tokens, out: ElementWriter): void {
    const tokenEnd = end - elementEnd.length,
      at = tokenEnd - tokenChars;
    if (tokens.holeBytes > 0 && out.filledRun !== undefined) {
      out.filledRun(bytes, start, end, at, tokens, index * tokenChars);
      return;
    }
    out.run(bytes, start, at);
    writeToken(tokens, index, out);
    out.run(bytes, tokenEnd, end);
  }

  #write({ update, created, unassigned }: PlacedEvents, match: TemplateMatch, index: number, tokens: Tokens, out: ElementWriter): void {
    const { projection } = this.#context;
    if (unassigned) this.#writeHead(unassigned.update, inFlightHead, out);
    else this.#writeHead(update, createdHead, out);
    projection.writeCreatedObject(out, update, created, match, this.#filter);
    if (unassigned) {
      out.bytes(unassignedHead);
      projection.writeUnassignedObject(out, unassigned.update, unassigned.event, this.#filter);
    }
    out.bytes(unassigned ? inFlightTail : this.#tailOf(update.synchronizer, created.reassignmentCounter));
    writeToken(tokens, index, out);
    out.bytes(elementEnd);
  }

  #writeHead(update: UpdateMarks, entry: Buffer, out: ElementWriter): void {
    const { workflowIdStart: from, workflowIdEnd: to } = update;
    if (from === to && entry === createdHead) {
      out.bytes(headWithoutWorkflow);
      return;
    }
    out.bytes(elementHead);
    out.run(update.bytes, from, to);
    out.bytes(entry);
  }

  release(): void {
    this.#lastText = undefined;
  }
}

const sizeOf = ({ created }: PlacedEvents): number => created.objectEnd - created.objectStart;

function writeToken({ bytes, holeBytes }: Tokens, index: number, out: ElementWriter): void {
  if (holeBytes > 0) out.run(bytes, index * holeBytes, (index + 1) * holeBytes);
}
