import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import { RecordType, showType, type ValueType, VariantType } from "../../../src/lf/conversion/index.js";
import {
  con,
  contractIdT,
  functionT,
  genMapT,
  id,
  int64T,
  listT,
  numericT,
  optionalT,
  textMapT,
  textT,
  valueTypes,
  variable,
} from "./types.js";

const types = valueTypes();
const fieldNames = (type: ValueType): readonly string[] =>
  type instanceof RecordType ? type.fields.map(({ name, type: of }) => `${name}: ${showType(of)}`) : [];

test("value types: equal types are the same object, however they were written", () => {
  assert.equal(types.of(listT(con("Point"))), types.of(listT(con("Point"))));
  assert.equal(types.of({ kind: "syn", id: id("Ints"), args: [] }), types.of(listT(int64T)));
  assert.equal(types.of({ kind: "syn", id: id("Twice"), args: [textT] }), types.of(con("Pair", textT, textT)));
  assert.equal(types.ofData(id("Point")), types.of(con("Point")));
  assert.notEqual(types.of(numericT(10)), types.of(numericT(2)));
});

test("value types: arguments take the place of parameters", () => {
  assert.deepEqual(fieldNames(types.of(con("Pair", textT, optionalT(int64T)))), ["fst: Text", "snd: Optional Int64"]);
  assert.equal(showType(types.of(genMapT(textT, textMapT(contractIdT(con("Point")))))), "GenMap Text (TextMap ContractId)");
});

test("value types: a recursive type is finite", () => {
  const tree = types.of(con("Tree", int64T));
  assert(tree instanceof VariantType);
  const branch = tree.constructors[1]!.type;
  assert(branch instanceof RecordType);
  assert.equal(branch.fields[0]!.type, tree);
  assert.deepEqual([tree.rankOf("Tip"), tree.rankOf("Node"), tree.rankOf("Leaf")], [0, 1, undefined]);
});

test("value types: a type that grows as it recurses costs no more than the steps taken", () => {
  let type = types.of(con("Perfect", int64T));
  for (let depth = 0; depth < 200; depth++) {
    assert(type instanceof VariantType);
    type = type.constructors[1]!.type;
  }
  assert(showType(type).length < 2000);
});

test("value types: an Optional of a parameter that stands for an Optional is not nested in JSON", () => {
  const nested = types.of(optionalT(optionalT(int64T)));
  const box = types.of(con("Box", optionalT(int64T)));
  assert(nested.kind === "optional" && nested.nested);
  assert(box instanceof RecordType);
  const maybe = box.fields[1]!.type;
  assert(maybe.kind === "optional" && !maybe.nested);
});

test("value types: what is not serialisable or not known is a typed error that names it", () => {
  const errorOf = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      if (error instanceof FatalError) return error.error;
      throw error;
    }
    return assert.fail("it should not resolve");
  };
  assert.match(errorOf(() => types.of(functionT)).message, /ARROW/);
  assert.match(errorOf(() => types.of(con("Function"))).message, /Main:Function/);
  assert.match(errorOf(() => types.of(variable("a"))).message, /type a /);
  assert.match(errorOf(() => types.of(con("Pair", textT))).message, /Main:Pair/);
  assert.equal(errorOf(() => types.of(con("Nowhere"))).class, "MissingDefinition");
});
