/**
 * What Scan tells of the ledger's updates, printed once and kept in files beside the ledger, so that a page is a copy whoever
 * asks for it and how often. The files follow the log in short steps from the day on which somebody asked, within a bound of
 * bytes, the newest of them; what is not in them is printed for who asks. Nothing depends on them: they may be removed at any
 * time, and are printed anew where they are not what this ledger and this program would print.
 */
import { mkdir, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { waitForAll } from "../../base/closing.js";
import { Exclusive } from "../../base/exclusive.js";
import { isFailure } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Offset, Participant } from "../../ledger/index.js";
import type { Answer } from "../refusal.js";
import { PrintedDamaged, printedMemory, PrintedSegment, segmentLayout, segmentName, type PrintedRun, type TextPlace } from "./segment.js";

export interface PrintingPlace {
  /** Of this alone; made when it is first needed. */
  readonly folder: string;
  /** Of the program: another one may print otherwise. */
  readonly version: string;
  readonly warn: (message: string) => void;
}

type Ledger = Pick<Participant, "ledgerEnd" | "prunedOffsets" | "waitBehind" | "participantId" | "synchronizerId">;

export interface PrintedText {
  readonly offset: Offset;
  readonly text: Buffer;
}

export interface PrintedTextsOptions extends PrintingPlace {
  readonly ledger: Ledger;
  readonly turns: Turns;
  /**
   * What there is to tell of the offsets behind one, up to another, in their order; `reader`: who is told. It may be much: rejects once
   * it is not wanted any more.
   */
  readonly print: (
    span: { readonly after: Offset; readonly to: Offset },
    reader: string,
    wanted: AbortSignal,
  ) => Answer<readonly PrintedText[]>;
}

/** Texts in memory that is used again once who asked for them gives it back. */
export interface LentTexts {
  readonly texts: readonly Buffer[];
  release(): void;
}

/** The same, each by its place. */
export interface LentPlaces {
  readonly places: readonly TextPlace[];
  release(): void;
}

/** Whose printing it is. */
interface Identity {
  readonly layout: number;
  readonly version: string;
  readonly participantId: string;
  readonly synchronizerId: string;
  readonly reader: string;
}

const identityFile = "identity.json",
  ownerOnly = 0o600,
  folderOwnerOnly = 0o700;

export class PrintedTexts {
  readonly #options: PrintedTextsOptions;
  readonly #changes = new Exclusive();
  readonly #closing = new AbortController();
  /** The oldest first, each where the one before it ends. */
  #segments: PrintedSegment[] = [];
  #reader: string | undefined;
  #begun: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  /** Something is wrong with the files, or their disk: what is asked for is printed as long as the node runs. */
  #isGivenUp = false;
  /** As many files were open as may be, for a moment: what was asked for then was printed. */
  #isShortOfFiles = false;

  constructor(options: PrintedTextsOptions) {
    this.#options = options;
  }

  /** Goes on where an earlier run of the node stopped; does nothing where nobody asked for events yet. */
  async resume(): Promise<void> {
    try {
      const known = await this.#readIdentity();
      if (known) await this.#begin(known.reader);
    } catch (error) {
      await this.#recover(error);
    }
  }

  /** At most `limit` texts behind an offset, all of them that there are, with commas between them; undefined: they are not printed. */
  page(after: Offset, reader: string, limit: number): Promise<LentTexts | undefined> {
    const to = this.#options.ledger.ledgerEnd();
    return this.#attempt(reader, async () => {
      const page = await this.#read(after, limit);
      if (page === undefined || page.count === limit || page.last >= to) return page;
      page.release();
      return (await this.#catchUp(to)) ? this.#read(after, limit) : undefined;
    });
  }

  /** The texts of offsets that rise, empty where there is none; undefined: one of them is not printed. */
  at(offsets: readonly Offset[], reader: string): Promise<LentPlaces | undefined> {
    const first = offsets[0],
      last = offsets.at(-1);
    return this.#attempt(reader, async () => {
      if (first === undefined || last === undefined) return { places: [], release() {} };
      if (!(await this.#catchUp(last)) || first <= (this.#first ?? Infinity)) return undefined;
      const places: TextPlace[] = [],
        used: Buffer[] = [],
        release = (): void => used.splice(0).forEach((memory) => printedMemory.give(memory));
      for (let from = 0; from < offsets.length;) {
        const segment = this.#segments.find(({ end }) => end >= offsets[from]!),
          to = Math.min(from + limits.streamBatchElements, offsets.length);
        if (segment === undefined || segment.begin >= offsets[from]!) {
          release(); // it was removed while others had their turn
          return undefined;
        }
        const here = offsets.slice(from, to).filter((offset) => offset <= segment.end);
        places.push(...segment.readAt(here, used));
        from += here.length;
        if (this.#options.turns.isOver) await this.#options.turns.next(); // others come between
      }
      return { places, release };
    });
  }

  async #attempt<T>(reader: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#isGivenUp || this.#closing.signal.aborted) return undefined;
    try {
      await this.#begin(reader);
      return await read();
    } catch (error) {
      await this.#changes.run(() => this.#recover(error));
      return undefined;
    }
  }

  /** Whether it is printed up to an offset; what is a little behind is printed now. */
  async #catchUp(to: Offset): Promise<boolean> {
    if (this.#end >= to) return true;
    if (to - this.#end > limits.scanPrintedBehindMax) return false;
    await this.#changes.run(() => this.#printTo(to));
    return this.#end >= to;
  }

  /** Up to here; 0: nothing. */
  get offset(): Offset {
    return this.#segments.at(-1)?.end ?? 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
    await this.#changes.run(() => waitForAll(this.#segments.map((segment) => segment.close())));
  }

  get #first(): Offset | undefined {
    return this.#segments[0]?.begin;
  }
  get #end(): Offset {
    return this.#segments.at(-1)?.end ?? this.#pruned;
  }

  async #begin(reader: string): Promise<void> {
    const isOther = this.#reader !== undefined && this.#reader !== reader;
    this.#reader = reader;
    if (isOther) this.#begun = this.#start(() => this.#startOver());
    await (this.#begun ??= this.#start(() => this.#open()));
    this.#following ??= this.#follow();
  }

  /** What fails can be begun again: after what was damaged is gone, or files can be opened. */
  #start(how: () => Promise<void>): Promise<void> {
    const begun = this.#changes.run(how).catch(async (error: unknown) => {
      if (this.#begun === begun) this.#begun = undefined;
      for (const segment of this.#segments.splice(0)) await segment.close();
      throw error;
    });
    return begun;
  }

  async #open(): Promise<void> {
    const known = await this.#readIdentity(),
      own = this.#identity();
    if (known === undefined || !sameIdentity(known, own)) return this.#startOver();
    const { folder } = this.#options,
      names = await readdir(folder);
    const begins = [
      ...new Set(
        names.flatMap((name) => {
          const [, begin] = segmentName.exec(name) ?? [];
          return begin === undefined ? [] : [Number(begin)];
        }),
      ),
    ];
    for (const begin of begins.sort((a, b) => a - b)) {
      const last = this.#segments.at(-1),
        opened = last === undefined || last.end === begin ? await PrintedSegment.open(folder, begin) : undefined;
      if (opened === undefined) return this.#startOver();
      this.#segments.push(opened);
    }
    while (this.#segments.length > 0 && !(await this.#isOfThisLedger(this.#segments.at(-1)!))) await this.#segments.pop()!.remove();
  }

  /** A copy of the ledger that was put back may have gone another way since. */
  async #isOfThisLedger(segment: PrintedSegment): Promise<boolean> {
    const { ledger, print } = this.#options,
      { end } = segment,
      after = Math.max(segment.begin, end - limits.scanPrintedStepOffsets, this.#pruned);
    if (end > ledger.ledgerEnd()) return false;
    if (after >= end) return true; // it goes with what is pruned
    const texts = await print({ after, to: end }, this.#reader!, this.#closing.signal);
    if (isFailure(texts)) return false;
    const kept = await segment.read(after, limits.scanPrintedStepOffsets);
    return kept.bytes.toString("latin1") === texts.ok.map(({ text }) => text.toString("latin1")).join(",");
  }

  async #startOver(): Promise<void> {
    const { folder } = this.#options;
    await this.#forget(this.#segments.splice(0));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: folderOwnerOnly });
    await writeFile(join(folder, identityFile), JSON.stringify(this.#identity()), { mode: ownerOnly });
  }

  #identity(): Identity {
    const {
      version,
      ledger: { participantId, synchronizerId },
    } = this.#options;
    return { layout: segmentLayout, version, participantId, synchronizerId, reader: this.#reader! };
  }

  async #readIdentity(): Promise<Identity | undefined> {
    try {
      return JSON.parse(await readFile(join(this.#options.folder, identityFile), "utf8")) as Identity;
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError) return undefined; // nobody asked yet, or a start was cut short
      throw error;
    }
  }

  get #pruned(): Offset {
    return this.#options.ledger.prunedOffsets().participantPrunedUpToInclusive;
  }

  /** As long as the node runs. A part of the time only: commands come first. */
  async #follow(): Promise<void> {
    const { ledger } = this.#options,
      { signal } = this.#closing;
    const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal, ref: false }).catch(() => undefined); // closing
    while (!signal.aborted && !this.#isGivenUp) {
      const to = ledger.ledgerEnd(),
        since = performance.now();
      try {
        if (this.#end < to || (this.#first ?? 0) < this.#pruned) await this.#changes.run(() => this.#printStep(to));
        else await ledger.waitBehind(to, limits.scanPrintedIdleMs, signal);
        const restMs = this.#end < to ? (performance.now() - since) * limits.scanPrintedRestFactor : limits.scanPrintedIntervalMs;
        await rest(Math.max(1, restMs));
      } catch (error) {
        await this.#changes.run(() => this.#recover(error));
        await rest(limits.scanPrintedIdleMs);
      }
    }
  }

  async #printTo(to: Offset): Promise<void> {
    while (this.#end < to && !this.#isGivenUp && !this.#closing.signal.aborted) await this.#printStep(to);
  }

  /** A few offsets more, if there are. */
  async #printStep(to: Offset): Promise<void> {
    await this.#forgetPruned();
    const segment = await this.#writable();
    if (segment === undefined || segment.end >= to) return;
    const after = segment.end,
      end = Math.min(to, after + limits.scanPrintedStepOffsets),
      texts = await this.#options.print({ after, to: end }, this.#reader!, this.#closing.signal);
    if (isFailure(texts)) {
      if (this.#pruned > after) return; // just now
      throw new Error(texts.error.message);
    }
    const byOffset: (Buffer | undefined)[] = Array.from({ length: end - after }, () => undefined);
    for (const { offset, text } of texts.ok) byOffset[offset - after - 1] = text;
    await segment.append(byOffset);
  }

  /** What is gone from the ledger is gone from here: a segment as soon as a part of it is. */
  async #forgetPruned(): Promise<void> {
    const pruned = this.#pruned,
      kept = this.#segments.findIndex(({ begin }) => begin >= pruned);
    if (kept !== 0) await this.#forget(this.#segments.splice(0, kept < 0 ? this.#segments.length : kept));
  }

  async #forget(segments: readonly PrintedSegment[]): Promise<void> {
    for (const segment of segments) await segment.remove();
  }

  /** Undefined: there is no room for more. */
  async #writable(): Promise<PrintedSegment | undefined> {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.bytes < limits.scanPrintedSegmentBytes) return last;
    const { folder, warn } = this.#options,
      begin = last?.end ?? this.#pruned;
    while (this.#segments.length * limits.scanPrintedSegmentBytes >= limits.scanPrintedBytesMax) await this.#segments.shift()!.remove();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < limits.scanPrintedFreeBytesMin) {
      this.#isGivenUp = true;
      warn("what Scan tells is not printed ahead: the disk has too little room");
      return undefined;
    }
    await last?.close();
    const segment = await PrintedSegment.create(folder, begin);
    this.#segments.push(segment);
    return segment;
  }

  /** `last`: so far it looked, while more may be printed. Undefined: not all of it is printed here. */
  async #read(after: Offset, limit: number): Promise<(LentTexts & { readonly count: number; readonly last: Offset }) | undefined> {
    const texts: Buffer[] = [],
      used: Buffer[] = [],
      release = (): void => used.splice(0).forEach((memory) => printedMemory.give(memory));
    let count = 0,
      position = after;
    for (const segment of [...this.#segments]) {
      if (count === limit || segment.end <= position) continue;
      if (segment.begin > position) {
        release();
        return undefined;
      }
      const run: PrintedRun = await segment.read(position, limit - count);
      used.push(run.memory);
      if (run.count > 0) texts.push(run.bytes);
      count += run.count;
      position = run.last;
    }
    return position > after || after >= this.#end ? { texts, count, last: position, release } : undefined;
  }

  /** A text that is not what was written costs all of them; whatever else goes wrong with files costs this run of the node. */
  async #recover(error: unknown): Promise<void> {
    if (isMissing(error) || this.#closing.signal.aborted) return; // what was being read went with its segment
    if (hasTooManyFiles(error)) {
      if (!this.#isShortOfFiles) this.#options.warn(`what Scan tells is printed for who asks: ${(error as Error).message}`);
      this.#isShortOfFiles = true; // once is enough, however often they ask
      return;
    }
    this.#options.warn(`what was printed of Scan is not used: ${(error as Error).message}`);
    if (!(error instanceof PrintedDamaged)) this.#isGivenUp = true;
    else
      await this.#startOver().catch(() => {
        this.#isGivenUp = true;
      });
  }
}

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "ENOENT";

const hasTooManyFiles = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(String((error as { readonly code?: unknown }).code));

const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.layout === b.layout
  && a.version === b.version
  && a.participantId === b.participantId
  && a.synchronizerId === b.synchronizerId
  && a.reader === b.reader;
