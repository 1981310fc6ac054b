import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameBuffer, JsonArrayBuffer } from "../../src/api/element-buffers.js";

const source = Buffer.from(`{"a":1,"t":"____"},{"a":2,"t":"____"},{"a":3,"t":"____"}`),
  elementBytes = `{"a":1,"t":"____"}`.length,
  startOf = (index: number): number => index * (elementBytes + 1),
  holeAt = `{"a":1,"t":"`.length,
  filling = { bytes: Buffer.from("onextwo!three"), holeBytes: 4 };

function write(out: JsonArrayBuffer | FrameBuffer, index: number, from: number, fill = filling): void {
  const start = startOf(index);
  out.begin();
  out.filledRun(source, start, start + elementBytes, start + holeAt, fill, from);
  out.end();
}

test("elements that are copied together have their holes filled, each with its own", () => {
  const out = new JsonArrayBuffer();
  write(out, 0, 0);
  write(out, 1, 4);
  write(out, 2, 8);
  assert.equal(Buffer.from(out.finish()).toString(), `[{"a":1,"t":"onex"},{"a":2,"t":"two!"},{"a":3,"t":"thre"}]`);
  assert.equal(source.toString(), `{"a":1,"t":"____"},{"a":2,"t":"____"},{"a":3,"t":"____"}`);
});

test("so have those that are not neighbours, and those between other elements", () => {
  const out = new JsonArrayBuffer("middle");
  write(out, 2, 0);
  write(out, 0, 4);
  out.begin();
  out.text("7");
  out.end();
  write(out, 1, 8);
  out.begin();
  out.run(source, startOf(2), startOf(2) + elementBytes);
  out.end();
  const written = `,{"a":3,"t":"onex"},{"a":1,"t":"two!"},7,{"a":2,"t":"thre"},{"a":3,"t":"____"}`;
  assert.equal(Buffer.from(out.view()).toString(), written);
  assert.equal(out.elements, 5);
});

test("holes may be of any size", () => {
  for (let holeBytes = 1; holeBytes <= 9; holeBytes++) {
    const text = Buffer.from(`[${"_".repeat(holeBytes)}]`),
      odd = { bytes: Buffer.from("abcdefghijklmnopqrstuvwxyz"), holeBytes },
      out = new JsonArrayBuffer();
    out.begin();
    out.filledRun(text, 0, text.length, 1, odd, 3);
    out.end();
    assert.equal(Buffer.from(out.finish()).toString(), `[[${"defghijklmnop".slice(0, holeBytes)}]]`);
  }
});

const textsOf = (out: FrameBuffer): string[] => out.frames().map((frame) => Buffer.from(frame).toString());

test("frames have their holes filled, each with its own, also of different fillings and in batches of different lengths", () => {
  const out = new FrameBuffer(),
    many = { bytes: Buffer.alloc(8_000, "onex"), holeBytes: 4 },
    other = { bytes: Buffer.from("56781234"), holeBytes: 4 };
  assert.deepEqual(textsOf(out), []);
  for (const count of [1, 2_000, 3]) {
    for (let index = 0; index < count; index++) write(out, 2, 4 * index, many);
    out.begin();
    out.text("7");
    out.end();
    out.begin();
    out.filledRun(source, startOf(1), startOf(1) + elementBytes, startOf(1) + holeAt, other, 4);
    out.end();
    out.settle();
    const texts = textsOf(out);
    assert.deepEqual([...new Set(texts)], [`{"a":3,"t":"onex"}`, "7", `{"a":2,"t":"1234"}`]);
    assert.equal(texts.length, count + 2);
    out.release();
    assert.deepEqual(textsOf(out), []);
  }
});
