/** Texts of values, piece by piece: a model can make a value as large as its thread's memory, and errors show its beginning. */

export type Pieces = IterableIterator<string>;

/** Ends soon behind so many characters. */
export function beginningOf(pieces: Pieces, charsMax: number): string {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length > charsMax) break;
  }
  return text;
}

export interface Around {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

export function* listed<T>({ before, between, after }: Around, items: readonly T[], piecesOf: (item: T) => Pieces): Pieces {
  yield before;
  for (const [index, item] of items.entries()) {
    if (index > 0) yield between;
    yield* piecesOf(item);
  }
  yield after;
}
