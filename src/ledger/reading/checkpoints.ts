/** When an open-ended stream says how far it is although it has nothing to deliver (`OffsetCheckpoint`). */
import { elapsedMs } from "../../base/clock.js";
import type { ElementWriter } from "../../base/element-writer.js";
import { limits } from "../../config.js";
import { instantText, type Offset, type Synchronizers } from "../model/index.js";
import type { ReadContext } from "./read-context.js";

type CheckpointWrapper = "update" | "completionResponse";

export class CheckpointSchedule {
  #dueAt = elapsedMs() + limits.checkpointFirstMs;
  #lastOffset: Offset = -1;

  /** Milliseconds until the next look. */
  get dueInMs(): number {
    return Math.max(0, this.#dueAt - elapsedMs());
  }

  /** Whether a checkpoint at `offset` has to be written now; saying yes counts as having written it. No offset has two in a stream. */
  take(offset: Offset): boolean {
    const now = elapsedMs();
    if (now < this.#dueAt) return false;
    this.#dueAt = now + limits.checkpointIntervalMs;
    if (offset <= this.#lastOffset) return false;
    this.#lastOffset = offset;
    return true;
  }

  /** Of a reader who got all up to `position`: a checkpoint where it is the ledger's end and one is due. How many elements that were. */
  writeDue(
    out: ElementWriter,
    wrapper: CheckpointWrapper,
    position: Offset,
    { ledgerEnd, synchronizers }: Pick<ReadContext, "ledgerEnd" | "synchronizers">,
  ): 0 | 1 {
    if (position !== ledgerEnd.offset || !this.take(position)) return 0;
    writeCheckpoint(out, wrapper, position, ledgerEnd.recordTime, synchronizers);
    return 1;
  }
}

function writeCheckpoint(
  out: ElementWriter,
  wrapper: CheckpointWrapper,
  offset: Offset,
  recordTime: bigint,
  { connected }: Synchronizers,
): void {
  // One clock gives the record times of all.
  const times = connected.map(({ id }) => `{"synchronizerId":${JSON.stringify(id)},"recordTime":"${instantText(recordTime)}"}`);
  out.begin();
  out.text(`{"${wrapper}":{"OffsetCheckpoint":{"value":{"offset":${offset},"synchronizerTimes":[${times.join(",")}]}}}}`);
  out.end();
}
