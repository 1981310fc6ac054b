/**
 * A small integer for every key of a map, which orders as the keys do as far as it tells them apart: of two keys of one type, the one
 * of the lower rank comes first. Nodes carry it, so that most of a search compares numbers.
 */
import type { Value } from "../value/index.js";

export const rankOf = (key: Value): number => {
  switch (typeof key) {
    case "number":
      return key > rankMax ? rankMax : key < -rankMax ? -rankMax : key;
    case "string":
      return rankOfText(key);
    case "bigint":
      return key > 0n ? rankMax : -rankMax; // an Int64 that no number holds, or a timestamp
    default:
      return 0;
  }
};

/** V8 on 64 bits keeps such integers in place. */
const rankMax = 2 ** 31 - 1;

/** The first four characters, seven bits each; the first one beyond ASCII ends it. */
const rankOfText = (text: string): number => {
  let rank = 0;
  let isAscii = true;
  for (let index = 0; index < 4; index += 1) {
    const unit: number = isAscii && index < text.length ? text.charCodeAt(index) : 0;
    rank = (rank << 7) | (unit < lastAscii ? unit : lastAscii);
    isAscii &&= unit < lastAscii;
  }
  return rank;
};

const lastAscii = 127;
