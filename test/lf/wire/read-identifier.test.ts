/** Identifiers of values in prepared transactions, which come from outside. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readTypeId } from "../../../src/lf/wire/read-api-identifier.js";
import { ProtoReader, ProtoWriter, WireType } from "../../../src/lf/wire/index.js";

const rules = { missing: Error, invalidField: Error };
const packageId = "ab".repeat(32);

/** Behind its length, as in the message around it; `skipped`: bytes of a field that no identifier has. */
function identifier(name: string, skipped: number): Uint8Array {
  const field = (number: number, text: string): Buffer => {
    const head = new ProtoWriter();
    head.varint(text.length);
    head.tag(number, WireType.delimited);
    return Buffer.concat([head.finish(), Buffer.from(text)]);
  };
  const fields = Buffer.concat([field(1, packageId), field(2, "M.N"), field(3, name), field(9, "x".repeat(skipped))]),
    length = new ProtoWriter();
  length.varint(fields.length);
  return Buffer.concat([length.finish(), fields]);
}

test("identifiers: fields that none has are skipped, and of one with many of them nothing is remembered", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const read = (name: string, skipped: number): string => readTypeId(new ProtoReader(identifier(name, skipped)), rules);
  assert.deepEqual([read("T", 0), read("T", 10), read("T", 5_000)], Array(3).fill(`${packageId}:M.N:T`));
  const before = held();
  for (let index = 0; index < 40; index++) assert.equal(read(`T${index}`, 500_000), `${packageId}:M.N:T${index}`);
  assert.ok(held() - before < 10_000_000, "20 MB came by");
});
