/** From the place of an active contract, as lists of them go by, to the events in the log. */
import { damaged } from "../../base/damage.js";
import { placeText, type EventPlace } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import type { EventMarks, UpdateMarks } from "../records/index.js";
import type { LogReader, UpdateLog } from "./update-log.js";

export function eventAt(update: UpdateMarks, nodeId: number): EventMarks {
  const event = update.eventOf(nodeId);
  if (event === undefined) throw damaged(placeText("updates", { offset: update.offset }), `node ${nodeId} is missing in the update`);
  return event;
}

/** Contracts that are on their way come behind all that are active: their places have this in their node ids. */
export const inFlightBit = 2 ** 31;
export const isInFlight = ({ nodeId }: EventPlace): boolean => nodeId >= inFlightBit;

/** The event that made a contract active, and the one that unassigned it where that is what readers see. */
export interface PlacedEvents {
  readonly update: UpdateMarks;
  readonly created: EventMarks;
  readonly unassigned: { readonly update: UpdateMarks; readonly event: EventMarks } | undefined;
}

export class PlacedEventsReader {
  readonly #log: UpdateLog;
  readonly #records: LogReader;
  #loaded: UpdateMarks | undefined;
  #lastOffset: Offset = 0;
  #isWanted = false;

  constructor(log: UpdateLog) {
    this.#log = log;
    this.#records = log.reader();
  }

  at(place: EventPlace): PlacedEvents {
    if (!isInFlight(place)) {
      const update = this.#load(place.offset);
      return { update, created: eventAt(update, place.nodeId), unassigned: undefined };
    }
    const of = this.#load(place.offset),
      event = eventAt(of, place.nodeId - inFlightBit),
      { offset, nodeId } = event.activated;
    const update = this.#log.get(offset);
    return { update, created: eventAt(update, nodeId), unassigned: { update: of, event } };
  }

  /** The event that made it active, in memory that stays as it is. */
  heldAt(place: EventPlace): Pick<PlacedEvents, "update" | "created"> {
    const { update, created } = this.at(place),
      held = this.#log.held(update);
    if (this.#loaded === update) this.#loaded = held;
    return { update: held, created: held === update ? created : eventAt(held, created.nodeId) };
  }

  /** So much was read of what is kept elsewhere. */
  pass(bytes: number): void {
    this.#records.pass(bytes);
  }

  /** Whether the update that was loaded last was read before, by whoever else or earlier, or is too large for anybody to know. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Before the turn of the event loop ends, as what the log keeps may be overwritten then. Huge updates it does not keep. */
  rest(): void {
    if (this.#loaded !== undefined && this.#log.isLent(this.#loaded)) this.#loaded = undefined;
  }

  /** The contracts of an update follow one another. */
  #load(offset: Offset): UpdateMarks {
    if (this.#loaded?.offset === offset) return this.#loaded;
    const loaded = this.#log.marksOf(this.#records.get(offset));
    if (offset !== this.#lastOffset) this.#isWanted = !this.#records.isPassing || !this.#log.isLent(loaded);
    this.#lastOffset = offset;
    return (this.#loaded = loaded);
  }

  release(): void {
    this.#loaded = undefined;
  }
}
