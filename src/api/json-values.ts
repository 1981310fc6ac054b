/** Values and texts of a body that was walked, made in steps that are short, or as long as V8 takes to copy the body once. */
import type { Steps } from "../base/steps.js";
import { limits } from "../config.js";
import type { JsonPiece, JsonWalk, LongText } from "./json-walk.js";

/** Of a short piece. */
export function parsedAtOnce({ utf8 }: JsonWalk, { from, to, cuts }: JsonPiece): unknown {
  let text = "",
    at = from;
  for (const cut of cuts) {
    text += utf8.between(at, cut.from) + cut.by;
    at = cut.to;
  }
  return JSON.parse(text + utf8.between(at, to));
}

export function* parsed(walk: JsonWalk, piece: JsonPiece): Steps<unknown> {
  const { from, to, cuts } = piece;
  if (to - from <= limits.shortBodyBytesMax) return parsedAtOnce(walk, piece);
  let text = "",
    at = from;
  for (const cut of cuts) {
    text += (yield* walk.utf8.longBetween(at, cut.from)) + cut.by;
    at = cut.to;
  }
  text += yield* walk.utf8.longBetween(at, to);
  yield;
  return JSON.parse(text);
}

/** A long text, and where it stands in the value that was parsed without it. */
class LongTextPlace {
  readonly #in: Record<string | number, unknown>;
  readonly #at: string | number;
  readonly #text: string;

  constructor(of: Record<string | number, unknown>, at: string | number, text: string) {
    this.#in = of;
    this.#at = at;
    this.#text = text;
  }

  fill(): void {
    this.#in[this.#at] = this.#text;
  }
}

/**
 * Those of the value that are base64: they are filled in once the rest was checked, as a check of theirs would take as long as they
 * are. For one that is not, its begin and what is wrong stand in the value, for the check to find.
 */
export function* longTexts(walk: JsonWalk, value: unknown): Steps<LongTextPlace[]> {
  const places: LongTextPlace[] = [];
  for (const long of walk.long) {
    const holder = holderOf(value, long);
    if (holder === undefined) continue; // a later member of the same name took its place
    const at = long.steps[long.steps.length - 1]!,
      { text, foreignAt } = yield* textOf(walk, long);
    if (isEnd(text, foreignAt)) places.push(new LongTextPlace(holder, at, text));
    else holder[at] = text.slice(0, Math.min(shownChars, foreignAt)) + text.slice(foreignAt, foreignAt + 3);
  }
  return places;
}

/** Of a text that is wrong by its end; so many are no base64 either. */
const shownChars = 201;

function holderOf(value: unknown, { steps, by }: LongText): Record<string | number, unknown> | undefined {
  let holder: unknown,
    held = value;
  for (const step of steps) {
    if (typeof held !== "object" || held === null) return undefined;
    holder = held;
    held = (held as Record<string | number, unknown>)[step];
  }
  return held === by ? (holder as Record<string | number, unknown>) : undefined;
}

/** With the first place of a character that base64 has not, or the end. */
function* textOf({ utf8 }: JsonWalk, { marks, hasEscapes }: LongText): Steps<{ readonly text: string; readonly foreignAt: number }> {
  let text = "",
    foreignAt = -1;
  for (let piece = 1; piece < marks.length; piece++) {
    const written = utf8.between(marks[piece - 1]!, marks[piece]!),
      read = hasEscapes ? (JSON.parse(`"${written}"`) as string) : written;
    const foreign = foreignAt < 0 ? read.search(notBase64) : -1;
    if (foreign >= 0) foreignAt = text.length + foreign;
    text += read;
    yield;
  }
  return { text, foreignAt: foreignAt < 0 ? text.length : foreignAt };
}

const notBase64 = /[^A-Za-z0-9+/]/;

/** Whether it ends there: with nothing, or with all of the padding. */
function isEnd(text: string, at: number): boolean {
  const rest = text.slice(at, at + 3),
    left = at % 4;
  return rest === "" ? left !== 1 : (rest === "==" && left === 2) || (rest === "=" && left === 3);
}
