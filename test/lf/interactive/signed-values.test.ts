/** What is signed of values: the labels and ids of their types, and ids of new contracts without what one execution gives them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/lf/ast.js";
import { fromStoredValue } from "../../../src/lf/conversion/index.js";
import { enrich, enrichNode, type NodeTypes } from "../../../src/lf/interactive/enrich.js";
import { withLocalIds } from "../../../src/lf/interactive/local-ids.js";
import { labelledValue } from "../../../src/lf/interpret/labelled-value.js";
import type { KeyWithMaintainers, TransactionNode } from "../../../src/lf/transaction/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { generator } from "../value/random.js";
import {
  boolT,
  con,
  contractIdT,
  dateT,
  genMapT,
  id,
  int64T,
  listT,
  numericT,
  optionalT,
  partyT,
  textMapT,
  textT,
  timestampT,
  unitT,
  valueTypes,
} from "../value/types.js";

const types = valueTypes(),
  person = con("Person"),
  rounds = 40;
const scalars: readonly Type[] = [unitT, boolT, int64T, dateT, timestampT, partyT, textT, numericT(10), contractIdT(person), con("Colour")];
const everyType: readonly Type[] = [
  ...scalars,
  ...[...scalars, person, con("Tree", con("Colour"))].flatMap((of) => [
    optionalT(of),
    listT(of),
    textMapT(of),
    genMapT(int64T, of),
    genMapT(con("Point"), of),
    con("Box", of),
    con("Tree", of),
    con("Pair", of, optionalT(of)),
  ]),
];

type Labelled = Extract<LedgerValue, { kind: "record" | "variant" | "enum" }>;

/** The parts of a value changed, from the inside out. */
function mapped(value: LedgerValue, change: (value: LedgerValue) => LedgerValue): LedgerValue {
  const part = (of: LedgerValue): LedgerValue => mapped(of, change);
  switch (value.kind) {
    case "optional":
      return change({ ...value, value: value.value && part(value.value) });
    case "list":
      return change({ ...value, elements: value.elements.map(part) });
    case "textMap":
      return change({ ...value, entries: value.entries.map(([key, item]) => [key, part(item)] as const) });
    case "genMap":
      return change({ ...value, entries: value.entries.map(([key, item]) => [part(key), part(item)] as const) });
    case "record":
      return change({ ...value, fields: value.fields.map((field) => ({ ...field, value: part(field.value) })) });
    case "variant":
      return change({ ...value, value: part(value.value) });
    default:
      return change(value);
  }
}

const isNone = ({ value }: { readonly value: LedgerValue }): boolean => value.kind === "optional" && value.value === undefined;
const withoutTrailingNone = (value: LedgerValue): LedgerValue =>
  value.kind === "record" ? { ...value, fields: value.fields.slice(0, value.fields.findLastIndex((field) => !isNone(field)) + 1) } : value;

function withoutLabels(value: LedgerValue): LedgerValue {
  if (value.kind !== "record" && value.kind !== "variant" && value.kind !== "enum") return value;
  const { typeId: _, ...rest } = value as Labelled;
  return rest.kind === "record" ? { kind: "record", fields: rest.fields.map((field) => ({ value: field.value })) } : rest;
}

test("signed values: each has the labels and ids of its type, as the engine itself tells them in errors, and is the same without", () => {
  const random = generator(7);
  for (const type of everyType)
    for (let round = 0; round < rounds; round++) {
      const of = types.of(type),
        value = random.ofType(of, 3),
        enriched = enrich(of, value);
      const read = fromStoredValue(of, value, { forbidTrailingNone: true });
      assert.ok(read.ok !== undefined, read.error?.message);
      assert.deepEqual(enriched, mapped(labelledValue(of, read.ok), withoutTrailingNone));
      assert.deepEqual(mapped(enriched, withoutLabels), value);
    }
});

const localHex = `00${"11".repeat(32)}`,
  created = `${localHex}ca12${"22".repeat(33)}`,
  other = `00${"33".repeat(32)}ca12${"44".repeat(33)}`;

const contract = (hex: string): LedgerValue => ({ kind: "contractId", hex });
const pair = (...values: LedgerValue[]): LedgerValue => ({ kind: "record", fields: values.map((value) => ({ value })) });
/** Both ids at every place where a value has room for one. */
const holding: LedgerValue = pair(
  ...[created, other].flatMap((hex): LedgerValue[] => [
    contract(hex),
    { kind: "optional", value: contract(hex) },
    { kind: "list", elements: [contract(hex)] },
    { kind: "textMap", entries: [["a", contract(hex)]] },
    { kind: "genMap", entries: [[contract(hex), contract(hex)]] },
    { kind: "variant", constructor_: "Node", value: contract(hex) },
  ]),
  { kind: "optional", value: undefined },
  { kind: "int64", value: 1n },
);

const key: KeyWithMaintainers = { key: pair({ kind: "text", value: "k" }), maintainers: ["alice"], hash: "ab" };
const common = { packageName: "types", templateId: id("Person"), signatories: ["alice"], stakeholders: ["alice"], version: "2" as const };
const nodes: readonly TransactionNode[] = [
  { ...common, kind: "create", contractId: created, argument: holding, key },
  { ...common, kind: "fetch", contractId: created, actingParties: ["alice"], key: undefined, byKey: false, interfaceId: undefined },
  ...[holding, undefined].map((result) => ({
    ...common,
    kind: "exercise" as const,
    contractId: result ? other : created,
    interfaceId: undefined,
    choice: "Give",
    consuming: true,
    actingParties: ["alice"],
    choiceObservers: [],
    choiceAuthorizers: undefined,
    argument: holding,
    result,
    key,
    byKey: false,
    children: [],
  })),
  { kind: "queryByKey", packageName: "types", templateId: id("Person"), key, result: [created, other], exhaustive: true, version: "2" },
  { kind: "rollback", children: [] },
];

const asText = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));

test("signed values: ids of contracts that a transaction creates are signed without their suffixes, wherever they stand; others as they are", () => {
  const local = withLocalIds(nodes);
  assert.equal(asText(local), asText(nodes).replaceAll(created, localHex));
  assert.ok(asText(local).includes(other));
  const without = nodes.slice(1);
  assert.equal(withLocalIds(without), without, "nothing is created");
});

test("signed values: arguments, results and keys of every node get their labels", () => {
  const keyType = types.of(con("Box", int64T)),
    argument = types.of(con("Point")),
    result = types.of(con("Colour"));
  const ofNodes: NodeTypes = { argument: () => argument, key: () => keyType, choiceArgument: () => argument, choiceResult: () => result };
  const int = (value: bigint): LedgerValue => ({ kind: "int64", value });
  const plain = { ...key, key: pair(int(1n)) };
  const labelled = {
    ...key,
    key: { kind: "record", typeId: `${id("Box").packageId}:Main:Box`, fields: [{ label: "content", value: int(1n) }] },
  };
  const point = {
    kind: "record",
    typeId: `${id("Point").packageId}:Main:Point`,
    fields: [
      { label: "x", value: int(1n) },
      { label: "y", value: int(2n) },
    ],
  };
  for (const node of nodes) {
    const given = {
      ...node,
      ...("argument" in node && { argument: pair(int(1n), int(2n)) }),
      ...("result" in node && node.kind === "exercise" && node.result && { result: { kind: "enum", constructor_: "Red" } }),
      ...("key" in node && node.key && { key: plain }),
    } as TransactionNode;
    const expected = {
      ...given,
      ...("argument" in node && { argument: point }),
      ...("result" in node
        && node.kind === "exercise"
        && node.result && {
          result: { kind: "enum", constructor_: "Red", typeId: `${id("Colour").packageId}:Main:Colour` },
        }),
      ...("key" in node && node.key && { key: labelled }),
    };
    assert.deepEqual(enrichNode(given, ofNodes), expected);
  }
});
