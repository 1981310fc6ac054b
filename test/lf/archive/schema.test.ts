import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import protobuf from "protobufjs";
import { builtins } from "../../../src/lf/builtins.js";
import { builtinTypes, failureCategories, roundingModes } from "../../../src/lf/archive/builtin.js";
import { schema, type Field } from "../../../src/lf/archive/schema.js";
import { outermost, readMessage } from "../../../src/lf/archive/wire-reader.js";
import { writeMessage } from "../../../src/lf/archive/wire-writer.js";
import { repositoryRoot } from "../../support/paths.js";

const { root } = protobuf.parse(readFileSync(join(repositoryRoot(), "proto", "daml_lf.proto"), "utf8"));
root.resolveAll();
const namespace = root.lookup("ledgerline.daml_lf") as protobuf.Namespace;

test("schema: the tables and proto/daml_lf.proto say the same, field by field and in the same order", () => {
  const messages = namespace.nestedArray.filter((member): member is protobuf.Type => member instanceof protobuf.Type);
  assert.deepEqual(messages.map((message) => message.name).sort(), Object.keys(schema).sort());
  for (const message of messages) {
    const ours = Object.entries(schema[message.name as keyof typeof schema] as Record<string, Field>).map(([name, field]) => [
      name,
      field.number,
      field.type === "" ? field.wire : field.type,
      field.label,
    ]);
    const theirs = message.fieldsArray.map((field) => [
      field.name,
      field.id,
      field.type,
      field.repeated ? "many" : field.partOf === null ? "one" : "sum",
    ]);
    assert.deepEqual(ours, theirs, message.name);
  }
});

test("schema: the enumerations agree with proto/daml_lf.proto", () => {
  const valuesOf = (name: string) => Object.entries(namespace.lookupEnum(name).values).map(([value, number]) => [number, value]);
  assert.deepEqual(
    Object.entries(builtins).map(([name, { number }]) => [number, name]),
    valuesOf("BuiltinFunction"),
  );
  assert.deepEqual([...builtinTypes], valuesOf("BuiltinType"));
  assert.deepEqual([...failureCategories.entries()], valuesOf("FailureCategory"));
  assert.deepEqual([...roundingModes.entries()], valuesOf("RoundingMode"));
});

test("wire: what we write, protobufjs reads, and the other way round", () => {
  const input = { location: { range: { startLine: -1, endCol: 2 } }, builtinLit: { int64: -(2n ** 63n) } };
  const bytes = writeMessage("Expr", input);
  const type = namespace.lookupType("Expr");
  const theirs = type.toObject(type.decode(bytes), { longs: String }) as Record<string, unknown>;
  assert.deepEqual(theirs, { location: { range: { startLine: -1, endCol: 2 } }, builtinLit: { int64: String(-(2n ** 63n)) } });

  const written = type.encode(type.fromObject({ builtinLit: { timestamp: "-62135596800000000" } })).finish();
  const read = readMessage("Expr", outermost("Expr", written, 10));
  assert.equal(read.case, "builtinLit");
  const literal = readMessage("BuiltinLit", read.value as never) as { case: string; value: bigint };
  assert.deepEqual([literal.case, literal.value], ["timestamp", -62_135_596_800_000_000n]);
});

test("wire: zero in a oneof is present, elsewhere it is left out", () => {
  assert.equal(Buffer.from(writeMessage("Expr", { builtin: 0 })).toString("hex"), "2000");
  assert.equal(Buffer.from(writeMessage("ModuleId", { moduleNameInternedDname: 0 })).toString("hex"), "");
});
