/**
 * Records of updates that are too large for the chunks of `update-cache.ts`, after their checksum. Whoever reads one contract of a large
 * transaction reads others of it soon, and to check and copy megabytes for each would take longer than all else. They are kept as long as
 * somebody reads them, and for a moment: one is as long as thousands of others.
 */
import { BoundedMap } from "../../base/bounded-map.js";
import { limits } from "../../config.js";
import type { Offset } from "../model/index.js";
import type { LoggedRecord } from "./update-cache.js";

export class LargeRecords {
  readonly #pruning: { readonly offset: Offset };
  readonly #records = new BoundedMap<Offset, LoggedRecord>(limits.largeRecordsBytesMax, ({ bytes }) => bytes.length);
  /** When they were read. */
  #prunedTo: Offset = 0;
  #wasAsked = false;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(pruning: { readonly offset: Offset }) {
    this.#pruning = pruning;
  }

  find(offset: Offset): LoggedRecord | undefined {
    if (this.#forgetting === undefined) return undefined;
    this.#forgetPruned();
    const found = this.#records.get(offset);
    this.#wasAsked ||= found !== undefined;
    return found;
  }

  /** Its bytes are all of the record, in memory of its own. */
  add(offset: Offset, record: LoggedRecord): void {
    if (record.bytes.length > limits.largeRecordsBytesMax) return;
    this.#forgetPruned();
    this.#records.set(offset, record);
    this.#wasAsked = true;
    this.#forgetting ??= setTimeout(this.#forget, limits.largeRecordsMs).unref();
  }

  /** Pruning takes all of a record, or most of it. */
  #forgetPruned(): void {
    if (this.#prunedTo === this.#pruning.offset) return;
    this.#prunedTo = this.#pruning.offset;
    this.#records.clear();
  }

  readonly #forget = (): void => {
    this.#forgetting = this.#wasAsked ? setTimeout(this.#forget, limits.largeRecordsMs).unref() : undefined;
    if (!this.#wasAsked) this.#records.clear();
    this.#wasAsked = false;
  };
}
