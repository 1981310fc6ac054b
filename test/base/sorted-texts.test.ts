import assert from "node:assert/strict";
import { test } from "node:test";
import { SortedTexts } from "../../src/base/sorted-texts.js";

test("sorted texts: they are in order whatever comes and goes, as if all were sorted each time", () => {
  let state = 20_261_126;
  const random = (below: number): number => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round++) {
    const there = new Set(Array.from({ length: random(30) }, () => `p${random(500)}`)),
      texts = new SortedTexts(there);
    for (let step = 0; step < 40; step++) {
      const text = `p${random(500)}`;
      if (there.delete(text)) texts.remove(text);
      else {
        there.add(text);
        texts.add(text);
      }
      if (random(3) === 0) assert.deepEqual(texts.all(), [...there].sort());
    }
    assert.deepEqual(texts.all(), [...there].sort());
  }
});
