/**
 * What Scan tells of the ledger's events, printed once and kept in files beside the ledger, so that a page is a copy whoever
 * asks for it and how often. The files follow the log in short steps from the day on which somebody asked for events, within
 * a bound of bytes, the newest of them; what is not in them is printed for who asks. Nothing depends on them: they may be
 * removed at any time, and are printed anew where they are not what this ledger and this program would print.
 */
import { mkdir, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Offset, Participant, Party, SubmissionOutcome } from "../../ledger/index.js";
import type { Refusal } from "../refusal.js";
import { PrintedDamaged, PrintedSegment, segmentName, type PrintedRun } from "./printed-segment.js";

export interface PrintingPlace {
  /** Of this alone; made when it is first needed. */
  readonly folder: string;
  /** Of the program: another one may print otherwise. */
  readonly version: string;
  readonly warn: (message: string) => void;
}

type Ledger = Pick<Participant, "ledgerEnd" | "prunedOffsets" | "waitBehind" | "readOutcomes" | "participantId" | "synchronizerId">;

export interface PrintedEventsOptions extends PrintingPlace {
  readonly ledger: Ledger;
  /** In the order of the outcomes, as this DSO sees them. */
  readonly print: (outcomes: readonly SubmissionOutcome[], dso: Party) => Promise<Result<readonly string[], Refusal>>;
}

/** Whose printing it is. */
interface Identity { readonly version: string; readonly participantId: string; readonly synchronizerId: string; readonly dso: Party }

const identityFile = "identity.json", ownerOnly = 0o600, folderOwnerOnly = 0o700;

export class PrintedEvents {
  readonly #options: PrintedEventsOptions;
  readonly #changes = new Exclusive();
  readonly #closing = new AbortController();
  /** The oldest first, each where the one before it ends. */
  #segments: PrintedSegment[] = [];
  #dso: Party | undefined;
  #begun: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  /** Something is wrong with the files, or their disk: what is asked for is printed as long as the node runs. */
  #isGivenUp = false;

  constructor(options: PrintedEventsOptions) { this.#options = options; }

  /** Goes on where an earlier run of the node stopped; does nothing where nobody asked for events yet. */
  async resume(): Promise<void> {
    const known = await this.#readIdentity();
    if (known) await this.#begin(known.dso).catch((error: unknown) => this.#recover(error));
  }

  /** At most `limit` events behind an offset as this DSO sees them, all of them that there are; undefined: they are not printed. */
  async page(after: Offset, dso: Party, limit: number): Promise<readonly Buffer[] | undefined> {
    if (this.#isGivenUp || this.#closing.signal.aborted) return undefined;
    const to = this.#options.ledger.ledgerEnd();
    try {
      await this.#begin(dso);
      let page = await this.#read(after, limit);
      if (page !== undefined && page.count < limit && this.#end < to) {
        if (to - this.#end > limits.scanPrintedBehindMax) return undefined;
        await this.#changes.run(() => this.#printTo(to));
        page = await this.#read(after, limit);
      }
      return page?.pieces;
    } catch (error) {
      await this.#changes.run(() => this.#recover(error));
      return undefined;
    }
  }

  /** Up to here; 0: nothing. */
  get offset(): Offset { return this.#segments.at(-1)?.end ?? 0; }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
    await this.#changes.run(async () => { for (const segment of this.#segments) await segment.close(); });
  }

  get #first(): Offset | undefined { return this.#segments[0]?.begin; }
  get #end(): Offset { return this.#segments.at(-1)?.end ?? this.#pruned; }

  async #begin(dso: Party): Promise<void> {
    if (this.#dso !== undefined && this.#dso !== dso) {
      this.#dso = dso;
      this.#begun = this.#changes.run(() => this.#startOver());
    }
    this.#dso = dso;
    await (this.#begun ??= this.#changes.run(() => this.#open()));
    this.#following ??= this.#follow();
  }

  async #open(): Promise<void> {
    const known = await this.#readIdentity(), own = this.#identity();
    if (known === undefined || !sameIdentity(known, own)) return this.#startOver();
    const { folder } = this.#options, names = await readdir(folder);
    const begins = [...new Set(names.flatMap((name) => { const [, begin] = segmentName.exec(name) ?? []; return begin === undefined ? [] : [Number(begin)]; }))];
    for (const begin of begins.sort((a, b) => a - b)) {
      const last = this.#segments.at(-1), opened = last === undefined || last.end === begin ? await PrintedSegment.open(folder, begin) : undefined;
      if (opened === undefined) return this.#startOver();
      this.#segments.push(opened);
    }
    while (this.#segments.length > 0 && !await this.#isOfThisLedger(this.#segments.at(-1)!)) await this.#segments.pop()!.remove();
  }

  /** A copy of the ledger that was put back may have gone another way since. */
  async #isOfThisLedger(segment: PrintedSegment): Promise<boolean> {
    const { ledger } = this.#options, { end } = segment, from = Math.max(segment.begin, end - limits.scanPrintedStepEvents, this.#pruned);
    if (end > ledger.ledgerEnd()) return false;
    if (from >= end) return true; // it goes with what is pruned
    const outcomes = ledger.readOutcomes({ beginExclusive: from, limit: limits.scanPrintedStepEvents });
    if (isFailure(outcomes)) return false;
    const texts = await this.#options.print(outcomes.ok.filter(({ offset }) => offset <= end), this.#dso!), kept = await segment.read(from, limits.scanPrintedStepEvents);
    return !isFailure(texts) && kept.bytes.equals(Buffer.from(texts.ok.join(",")));
  }

  async #startOver(): Promise<void> {
    const { folder } = this.#options;
    await this.#forget(this.#segments.splice(0));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: folderOwnerOnly });
    await writeFile(join(folder, identityFile), JSON.stringify(this.#identity()), { mode: ownerOnly });
  }

  #identity(): Identity {
    const { version, ledger: { participantId, synchronizerId } } = this.#options;
    return { version, participantId, synchronizerId, dso: this.#dso! };
  }

  async #readIdentity(): Promise<Identity | undefined> {
    try {
      return JSON.parse(await readFile(join(this.#options.folder, identityFile), "utf8")) as Identity;
    } catch {
      return undefined; // nobody asked yet, or a start was cut short
    }
  }

  get #pruned(): Offset { return this.#options.ledger.prunedOffsets().participantPrunedUpToInclusive; }

  /** As long as the node runs. A part of the time only: commands come first. */
  async #follow(): Promise<void> {
    const { ledger } = this.#options, { signal } = this.#closing;
    const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal, ref: false }).catch(() => undefined); // closing
    while (!signal.aborted && !this.#isGivenUp) {
      const to = ledger.ledgerEnd(), since = performance.now();
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
    while (this.#end < to && !this.#isGivenUp) await this.#printStep(to);
  }

  /** Some events more, if there are. */
  async #printStep(to: Offset): Promise<void> {
    await this.#forgetPruned();
    const segment = await this.#writable();
    if (segment === undefined || segment.end >= to) return;
    const { ledger, print } = this.#options, stepEvents = limits.scanPrintedStepEvents, begin = segment.end;
    const outcomes = ledger.readOutcomes({ beginExclusive: begin, limit: stepEvents });
    if (isFailure(outcomes)) return; // it was pruned just now
    const isAll = outcomes.ok.length < stepEvents, end = Math.min(isAll ? to : outcomes.ok.at(-1)!.offset, begin + limits.scanPrintedStepOffsets);
    const told = outcomes.ok.filter(({ offset }) => offset <= end), texts = await print(told, this.#dso!);
    if (isFailure(texts)) throw new Error(texts.error.message);
    const byOffset: (Buffer | undefined)[] = Array.from({ length: end - begin }, () => undefined);
    told.forEach(({ offset }, index) => { byOffset[offset - begin - 1] = Buffer.from(texts.ok[index]!); });
    await segment.append(byOffset);
  }

  /** What is gone from the ledger is gone from here: a segment as soon as a part of it is. */
  async #forgetPruned(): Promise<void> {
    const pruned = this.#pruned, kept = this.#segments.findIndex(({ begin }) => begin >= pruned);
    if (kept !== 0) await this.#forget(this.#segments.splice(0, kept < 0 ? this.#segments.length : kept));
  }

  async #forget(segments: readonly PrintedSegment[]): Promise<void> {
    for (const segment of segments) await segment.remove();
  }

  /** Undefined: there is no room for more. */
  async #writable(): Promise<PrintedSegment | undefined> {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.bytes < limits.scanPrintedSegmentBytes) return last;
    const { folder, warn } = this.#options, begin = last?.end ?? this.#pruned;
    while (this.#segments.length * limits.scanPrintedSegmentBytes >= limits.scanPrintedBytesMax) await this.#segments.shift()!.remove();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < limits.scanPrintedFreeBytesMin) {
      this.#isGivenUp = true;
      warn("events of Scan are not printed ahead: the disk has too little room");
      return undefined;
    }
    await last?.close();
    const segment = await PrintedSegment.create(folder, begin);
    this.#segments.push(segment);
    return segment;
  }

  /** Undefined: not all of it is printed here. */
  async #read(after: Offset, limit: number): Promise<{ readonly pieces: readonly Buffer[]; readonly count: number } | undefined> {
    const pieces: Buffer[] = [];
    let count = 0, position = after;
    for (const segment of [...this.#segments]) {
      if (count === limit || segment.end <= position) continue;
      if (segment.begin > position) return undefined;
      const run: PrintedRun = await segment.read(position, limit - count);
      if (run.count > 0) pieces.push(run.bytes);
      count += run.count;
      position = run.last;
    }
    return position > after || after >= this.#end ? { pieces, count } : undefined;
  }

  /** A text that is not what was written costs all of them; whatever else goes wrong with files costs this run of the node. */
  async #recover(error: unknown): Promise<void> {
    if (isMissing(error) || this.#closing.signal.aborted) return; // what was being read went with its segment
    this.#options.warn(`events of Scan that were printed are not used: ${(error as Error).message}`);
    if (!(error instanceof PrintedDamaged)) this.#isGivenUp = true;
    else await this.#startOver().catch(() => { this.#isGivenUp = true; });
  }
}

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "ENOENT";

const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.version === b.version && a.participantId === b.participantId && a.synchronizerId === b.synchronizerId && a.dso === b.dso;
