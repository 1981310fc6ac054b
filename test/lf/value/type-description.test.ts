import assert from "node:assert/strict";
import { test } from "node:test";
import { describeType } from "../../../src/lf/conversion/index.js";
import { con, contractIdT, genMapT, int64T, listT, numericT, optionalT, packageId, textMapT, textT, valueTypes } from "./types.js";

const types = valueTypes();

test("type descriptions: a type comes first, its parts behind it by number, each once", () => {
  assert.deepEqual(describeType(types.of(con("Person"))), [
    {
      kind: "record",
      id: `${packageId}:Main:Person`,
      fields: [
        { name: "name", type: 1 },
        { name: "age", type: 2 },
        { name: "note", type: 3 },
      ],
    },
    { kind: "text" },
    { kind: "optional", element: 4, nested: false },
    { kind: "optional", element: 1, nested: false },
    { kind: "int64" },
  ]);
  assert.deepEqual(describeType(types.of(genMapT(textT, textMapT(listT(contractIdT(con("Point"))))))), [
    { kind: "genMap", key: 1, value: 2 },
    { kind: "text" },
    { kind: "textMap", value: 3 },
    { kind: "list", element: 4 },
    { kind: "contractId" },
  ]);
  assert.deepEqual(describeType(types.of(optionalT(optionalT(numericT(10))))), [
    { kind: "optional", element: 1, nested: true },
    { kind: "optional", element: 2, nested: false },
    { kind: "numeric" },
  ]);
  assert.deepEqual(describeType(types.of(con("Colour"))), [
    { kind: "enum", id: `${packageId}:Main:Colour`, constructors: ["Red", "Green"] },
  ]);
});

test("type descriptions: a recursive type refers to itself, one that grows without end has none", () => {
  const tree = describeType(types.of(con("Tree", int64T)));
  assert.deepEqual(
    tree?.map(({ kind }) => kind),
    ["variant", "unit", "record", "int64"],
  );
  assert.deepEqual(tree?.[2], {
    kind: "record",
    id: `${packageId}:Main:Branch`,
    fields: [
      { name: "left", type: 0 },
      { name: "value", type: 3 },
      { name: "right", type: 0 },
    ],
  });
  assert.equal(describeType(types.of(con("Perfect", int64T))), undefined);
});
