import assert from "node:assert/strict";
import { test } from "node:test";
import { SortedTexts } from "../../src/base/sorted-texts.js";
import { Random } from "../support/random.js";

test("sorted texts: they are in order whatever comes and goes, as if all were sorted each time", () => {
  const random = new Random(20_261_126);
  for (let round = 0; round < 200; round++) {
    const there = new Set(Array.from({ length: random.below(30) }, () => `p${random.below(500)}`)),
      texts = new SortedTexts(there);
    for (let step = 0; step < 40; step++) {
      const text = `p${random.below(500)}`;
      if (there.delete(text)) texts.remove(text);
      else {
        there.add(text);
        texts.add(text);
      }
      if (random.chance(0.3)) assert.deepEqual(texts.all(), [...there].sort());
    }
    assert.deepEqual(texts.all(), [...there].sort());
  }
});
