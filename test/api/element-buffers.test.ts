import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonArrayBuffer } from "../../src/api/element-buffers.js";

const source = Buffer.from(`{"a":1,"t":"____"},{"a":2,"t":"____"},{"a":3,"t":"____"}`),
  elementBytes = `{"a":1,"t":"____"}`.length,
  startOf = (index: number): number => index * (elementBytes + 1),
  holeAt = `{"a":1,"t":"`.length,
  filling = Buffer.from("onextwo!three");

function write(out: JsonArrayBuffer, index: number, from: number, to: number): void {
  const start = startOf(index);
  out.begin();
  out.filledRun(source, start, start + elementBytes, { at: start + holeAt, filling, from, to });
  out.end();
}

test("elements that are copied together have their holes filled, each with its own", () => {
  const out = new JsonArrayBuffer();
  write(out, 0, 0, 4);
  write(out, 1, 4, 8);
  write(out, 2, 8, 12);
  assert.equal(Buffer.from(out.finish()).toString(), `[{"a":1,"t":"onex"},{"a":2,"t":"two!"},{"a":3,"t":"thre"}]`);
  assert.equal(source.toString(), `{"a":1,"t":"____"},{"a":2,"t":"____"},{"a":3,"t":"____"}`);
});

test("so have those that are not neighbours, and those between other elements", () => {
  const out = new JsonArrayBuffer("middle");
  write(out, 2, 0, 4);
  write(out, 0, 4, 8);
  out.begin();
  out.text("7");
  out.end();
  write(out, 1, 8, 12);
  out.begin();
  out.run(source, startOf(2), startOf(2) + elementBytes);
  out.end();
  const written = `,{"a":3,"t":"onex"},{"a":1,"t":"two!"},7,{"a":2,"t":"thre"},{"a":3,"t":"____"}`;
  assert.equal(Buffer.from(out.view()).toString(), written);
  assert.equal(out.elements, 5);
});
