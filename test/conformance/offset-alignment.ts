/**
 * Two nodes that were given the same commands have the same transactions at different offsets: the reference's leave gaps.
 * Offsets are matched here transaction by transaction, as the answers to the same requests tell them, so that "the last five
 * offsets" can be asked for as the same transactions on both.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface RecordedExchange {
  readonly name: string;
  readonly request: { readonly body: unknown };
  readonly response: { readonly body?: unknown; readonly frames?: unknown };
}

export function readTranscript(folder: string): Map<string, RecordedExchange> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort();
  const exchanges = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as RecordedExchange);
  return new Map(exchanges.map((exchange) => [exchange.name, exchange]));
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
const isOffset = (value: unknown): value is number => typeof value === "number" && value > 0;

/** What one offset of the reference and one of ours both stand for. */
interface Pair {
  readonly recorded: number;
  readonly ours: number;
}

const offsetFields: ReadonlySet<string> = new Set(["offset", "completionOffset"]);

/** Elements of lists belong together by the command that they tell of: their places differ where a race decided. */
const commandOf = (element: unknown): string | undefined => /"commandId":"([^"]+)"/.exec(JSON.stringify(element))?.[1];

function* pairsOf(recorded: unknown, ours: unknown): Generator<Pair> {
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    const byCommand = new Map(ours.map((element) => [commandOf(element), element] as const));
    for (const element of recorded) if (commandOf(element) !== undefined) yield* pairsOf(element, byCommand.get(commandOf(element)));
  }
  if (!isObject(recorded) || !isObject(ours)) return;
  for (const [field, value] of Object.entries(recorded)) {
    if (offsetFields.has(field) && isOffset(value) && isOffset(ours[field])) yield { recorded: value, ours: ours[field] };
    else yield* pairsOf(value, ours[field]);
  }
}

/** A number further behind the last known transaction stands for "later than the ledger end". */
const nearOffsets = 100;

export class OffsetAlignment {
  readonly #recorded: ReadonlyMap<string, RecordedExchange>;
  readonly #ours = new Map<number, number>();
  readonly #theirs = new Map<number, number>();
  /** Ledger ends by ours: the last offset of the reference is often that of no transaction. */
  readonly #ends = new Map<number, number>();

  constructor(recorded: ReadonlyMap<string, RecordedExchange>) {
    this.#recorded = recorded;
  }

  /** The first answer that tells of an offset is believed: it is that of the command itself. */
  learn(exchange: RecordedExchange): void {
    const recorded = this.#recorded.get(exchange.name);
    if (!recorded) return;
    const { body, frames } = recorded.response;
    if (recorded.name.startsWith("ledger-end") && isObject(body) && isObject(exchange.response.body))
      this.#ends.set(Number(exchange.response.body["offset"]), Number(body["offset"]));
    for (const pair of [...pairsOf(body, exchange.response.body), ...pairsOf(frames, exchange.response.frames)]) this.#add(pair);
  }

  #add({ recorded, ours }: Pair): void {
    if (!this.#ours.has(recorded)) this.#ours.set(recorded, ours);
    if (!this.#theirs.has(ours)) this.#theirs.set(ours, recorded);
  }

  /** A request of ours with its begin moved to just before the transaction that the recorded request begins with. */
  aligned<T>(name: string, body: T): T {
    const recorded = this.#recorded.get(name)?.request.body;
    if (Array.isArray(body) && Array.isArray(recorded))
      return body.map((message, index) => this.#alignedMessage(message, recorded[index])) as T;
    return this.#alignedMessage(body, recorded) as T;
  }

  #alignedMessage(message: unknown, recorded: unknown): unknown {
    if (!isObject(message) || !isObject(recorded)) return message;
    const begin = recorded["beginExclusive"];
    // Where both ask for the same number it was no offset of theirs to begin with.
    if (!isOffset(begin) || !isOffset(message["beginExclusive"]) || begin === message["beginExclusive"]) return message;
    if (begin > Math.max(...this.#ours.keys()) + nearOffsets) return message;
    const known = [...this.#ours.keys()].sort((a, b) => a - b);
    const before = known.findLast((offset) => offset <= begin),
      next = known.find((offset) => offset > begin);
    const after = [before !== undefined && this.#ours.get(before)!, next !== undefined && this.#ours.get(next)! - 1].filter(
      (offset) => offset !== false,
    );
    return after.length === 0 ? message : { ...message, beginExclusive: Math.max(...after) };
  }

  /** One of our answers with the numbers of the reference where it names an offset as text, or as the bound of a page. */
  translated({ name, request, response }: RecordedExchange): unknown {
    const asked = this.#recorded.get(name)?.request.body;
    const isDescending = isObject(asked) && asked["descendingOrder"] === true;
    // A page in rising order ends just before the first element of the next one.
    const bound = (ours: number): number =>
      !isDescending && this.#theirs.has(ours + 1) ? this.#recordedOf(ours + 1) - 1 : this.#recordedOf(ours);
    return translate(response.body, {
      offset: (ours) => echoed(ours, request.body, asked) ?? this.#recordedOf(ours),
      pageBound: (ours) => echoed(ours, request.body, asked) ?? this.#ends.get(ours) ?? bound(ours),
    });
  }

  #recordedOf(ours: number): number {
    return this.#theirs.get(ours) ?? ours;
  }
}

/** What the reference was asked where we were asked for `value`. */
function echoed(value: number, request: unknown, recorded: unknown): number | undefined {
  if (!isObject(request) || !isObject(recorded)) return undefined;
  for (const [field, asked] of Object.entries(request)) if (asked === value && isOffset(recorded[field])) return recorded[field];
  return undefined;
}

interface Translation {
  offset(ours: number): number;
  pageBound(ours: number): number;
}

const isOffsetResource = (value: readonly unknown[]): boolean =>
  typeof value[0] === "string" && value[0].includes("OFFSET") && typeof value[1] === "string";
/** In the contexts of errors. */
const textOffsets: ReadonlySet<string> = new Set(["completion_offset", "activeAtOffset"]);
const pageBounds: ReadonlySet<string> = new Set(["lowestPageOffsetExclusive", "highestPageOffsetInclusive"]);

function translate(value: unknown, to: Translation, field?: string): unknown {
  if (Array.isArray(value))
    return isOffsetResource(value) ? [value[0], String(to.offset(Number(value[1])))] : value.map((element) => translate(element, to));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, translate(member, to, name)]));
  if (field !== undefined && textOffsets.has(field) && typeof value === "string") return String(to.offset(Number(value)));
  return field !== undefined && pageBounds.has(field) && isOffset(value) ? to.pageBound(value) : value;
}
