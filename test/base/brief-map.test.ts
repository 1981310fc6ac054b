import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BriefMap } from "../../src/base/brief-map.js";

describe("a map of what stays for a moment", () => {
  it("has what was set and not deleted, however many came and went", () => {
    const brief = new BriefMap<string, number>(7),
      plain = new Map<string, number>();
    for (let step = 0; step < 1_000; step++) {
      brief.set(`${step}`, step);
      plain.set(`${step}`, step);
      const gone = `${step - (step % 5)}`;
      brief.delete(gone);
      plain.delete(gone);
      if (step % 3 === 0) brief.delete("never there");
      assert.equal(brief.size, plain.size);
      assert.equal(brief.get(`${step}`), plain.get(`${step}`));
    }
    assert.deepEqual([...brief.keys()], [...plain.keys()]);
    brief.clear();
    assert.equal(brief.size, 0);
  });

  it("tells each of its keys once to who deletes them as they are told", () => {
    const brief = new BriefMap<number, string>(2),
      told: number[] = [];
    for (let key = 0; key < 10; key++) brief.set(key, "");
    for (const key of brief.keys()) {
      told.push(key);
      brief.delete(key);
    }
    assert.deepEqual(told, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.equal(brief.size, 0);
  });
});
