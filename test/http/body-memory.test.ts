import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../../src/config.js";
import { BodyMemory } from "../../src/http/body-memory.js";
import { BodyRegions } from "../../src/http/body-regions.js";
import { Random } from "../support/random.js";

const bytesMax = 4 * 1024 * 1024,
  { bodyBlockBytes: block, bodyInBlocksBytesMax: large } = limits;

/** No two neighbouring blocks of it are alike. */
const bodyOf = (bytes: number, seed = 1): Buffer =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * seed + (at >> 8)) & 255));

/** `piece`: how long the next piece is. */
function received(body: Buffer, piece: () => number): BodyMemory {
  const memory = new BodyMemory(bytesMax);
  for (let from = 0; from < body.length;) {
    const chunk = Buffer.from(body.subarray(from, from + piece()));
    assert.ok(memory.append(chunk));
    from += chunk.length;
    chunk.fill(0xff); // the native code writes there again
  }
  return memory;
}

describe("the memory of a body", () => {
  it("whatever its length and its pieces, it is whole", () => {
    const random = new Random(1);
    for (const bytes of [0, 1, 100, block - 1, block, block + 1, 3 * block, 3 * block + 7, large, large + 1, large + 3 * block, bytesMax]) {
      const body = bodyOf(bytes);
      for (const most of [block / 4, block + 1, 3 * block, bytes + 1]) {
        const memory = received(body, () => 1 + random.below(most));
        assert.ok(Buffer.from(memory.whole()).equals(body), `${bytes} bytes in pieces of ${most} at most`);
        memory.free();
      }
    }
    const slow = bodyOf(block + 100);
    assert.ok(Buffer.from(received(slow, () => 1).whole()).equals(slow), "a byte at a time");
  });

  it("a whole body stays as it is when others come in, and when those leave", async () => {
    const bodies = [100, 2 * block, large, large + 1].map((bytes) => bodyOf(bytes, 3)),
      memories = bodies.map((body) => received(body, () => block / 2)),
      wholes = memories.map((memory) => memory.whole());
    for (let times = 0; times < 3; times++) {
      for (const bytes of [100, 2 * block, large, large + 1]) {
        const left = bodyOf(bytes, 5),
          taken = bodyOf(bytes - 50, 7);
        received(left, () => block).free();
        const memory = received(taken, () => block);
        assert.ok(Buffer.from(memory.whole()).equals(taken), `${bytes - 50} bytes behind those of a client who left`);
        memory.free();
      }
      await nextTurn();
    }
    for (const [index, whole] of wholes.entries()) assert.ok(Buffer.from(whole).equals(bodies[index]!), `${bodies[index]!.length} bytes`);
    for (const memory of memories) memory.free();
  });

  it("of clients who left no more is kept than the bound, and for a moment only", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const bodyRegions = new BodyRegions(),
      regions = Array.from({ length: 3 }, () => bodyRegions.take(limits.spareBodyRegionsBytesMax));
    for (const region of regions) {
      region.resize(limits.spareBodyRegionsBytesMax / 2);
      bodyRegions.giveBack(region);
    }
    assert.deepEqual(
      regions.map(({ byteLength }) => byteLength > 0),
      [true, true, false],
    );
    assert.equal(bodyRegions.take(limits.spareBodyRegionsBytesMax), regions[0]);
    t.mock.timers.tick(limits.spareBodyRegionsMs);
    assert.equal(regions[1]!.byteLength, 0);
    assert.notEqual(bodyRegions.take(limits.spareBodyRegionsBytesMax), regions[1]);
  });
});
