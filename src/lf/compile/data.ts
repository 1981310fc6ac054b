/** Records, structs, variants, enums, lists and optionals. */
import type { Expr } from "../ast.js";
import { recordVariant } from "../runtime/index.js";
import { unit, Variant } from "../value/index.js";
import type { Body } from "./body.js";
import type { Scope } from "./environment.js";
import { emitMissing } from "./leaf.js";
import { payloadField } from "./payload.js";
import { inOrder, type Ordered, sequence } from "./sequence.js";

type Node<K extends Expr["kind"]> = Extract<Expr, { readonly kind: K }>;

/** Elements of a list literal that are written as nested cells; longer ones go through an array, to keep the nesting flat. */
export const nestedCellsMax = 8;
/** Fields of a record that an update copies one by one; wider ones are copied as a whole. */
const copiedFieldsMax = 12;

export const emitRecord = (body: Body, scope: Scope, expr: Node<"recCon">): string => {
  const { prefix, parts } = madeFields(body, scope, expr);
  return sequence(prefix, `[${parts.join(", ")}]`);
};

const madeFields = (body: Body, scope: Scope, { fields }: Node<"recCon">): Ordered => {
  body.allocate(1 + fields.length);
  return inOrder(
    body,
    scope,
    fields.map((field) => field.expr),
  );
};

export const emitProjection = (body: Body, scope: Scope, expr: Node<"recProj">): string => {
  const index = body.linker.fieldIndex(expr.type.id, expr.field);
  if (index === undefined) return emitMissing(body, "record", expr.type.id);
  return payloadField(scope, expr.record)?.(index) ?? `${body.emit(scope, expr.record, "value")}[${index}]`;
};

/** `{{r with a = x} with b = y}` makes one copy: y, then x, then r is evaluated. */
export const emitRecordUpdate = (body: Body, scope: Scope, expr: Node<"recUpd">): string => {
  const count = body.linker.fieldCount(expr.type.id);
  if (count === undefined) return emitMissing(body, "record", expr.type.id);
  if (count <= copiedFieldsMax) {
    const { prefix, parts } = copiedFields(body, scope, expr, count);
    return sequence(prefix, `[${parts.join(", ")}]`);
  }
  const { record, updates } = updatesOf(body, expr);
  body.allocate(1 + count);
  const { prefix, parts } = inOrder(body, scope, [record, ...updates.map((update) => update.value)]);
  const [source, ...values] = parts as [string, ...string[]];
  // With values through temporaries or order-free, the record may be read first.
  return sequence(
    prefix,
    updates.reduce((code, update, index) => `${body.unit.helper("updateRecord")}(${code}, ${update.index}, ${values[index]!})`, source),
  );
};

interface Updates {
  readonly record: Expr;
  /** The innermost first. */
  readonly updates: readonly { readonly index: number; readonly value: Expr }[];
}

const updatesOf = (body: Body, expr: Node<"recUpd">): Updates => {
  const updates: { readonly index: number; readonly value: Expr }[] = [];
  let record: Expr = expr;
  while (record.kind === "recUpd") {
    updates.unshift({ index: body.linker.fieldIndex(record.type.id, record.field)!, value: record.update });
    record = record.record;
  }
  return { record, updates };
};

/** The fields of a record with updates. */
const copiedFields = (body: Body, scope: Scope, expr: Node<"recUpd">, count: number): Ordered => {
  const { record, updates } = updatesOf(body, expr);
  body.allocate(1 + count);
  const { prefix, parts } = inOrder(body, scope, [record, ...updates.map((update) => update.value)]);
  const [source, ...values] = parts as [string, ...string[]];
  const changed = new Map<number, string>(),
    overwritten: string[] = []; // nobody gets it, but it may fail
  updates.forEach((update, index) => {
    const former = changed.get(update.index);
    if (former !== undefined) overwritten.push(former);
    changed.set(update.index, values[index]!);
  });
  const field = payloadField(scope, record);
  const copy = field === undefined ? body.temporary() : "";
  const read = field ?? ((index: number) => `${copy}[${index}]`);
  return {
    prefix: [...prefix, ...overwritten, ...(field === undefined ? [`${copy} = ${source}`] : [])],
    parts: Array.from({ length: count }, (_, index) => changed.get(index) ?? read(index)),
  };
};

export const emitStruct = (body: Body, scope: Scope, expr: Node<"structCon">): string => {
  const { prefix, parts } = inOrder(
    body,
    scope,
    expr.fields.map((field) => field.expr),
  );
  const sorted = expr.fields.map((field, index) => ({ name: field.name, code: parts[index]! })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const layout = body.unit.constant(body.linker.structs.of(sorted.map((field) => field.name)));
  body.allocate(1 + parts.length);
  return sequence(prefix, `new ${layout}(${sorted.map((field) => field.code).join(", ")})`);
};

export const emitStructProjection = (body: Body, scope: Scope, expr: Node<"structProj">): string =>
  `${body.emit(scope, expr.struct, "value")}.${body.linker.structs.slot(expr.field)}`;

export const emitStructUpdate = (body: Body, scope: Scope, expr: Node<"structUpd">): string => {
  const { prefix, parts } = inOrder(body, scope, [expr.struct, expr.update]);
  body.allocate(4);
  return sequence(
    prefix,
    `${body.unit.helper("updateStruct")}(${parts[0]!}, ${JSON.stringify(body.linker.structs.slot(expr.field))}, ${parts[1]!})`,
  );
};

export const emitVariant = (body: Body, scope: Scope, expr: Node<"variantCon">): string => {
  const { type, constructor_, arg } = expr;
  const rank = body.linker.rank(type.id, constructor_);
  if (rank === undefined) return emitMissing(body, "variant", type.id);
  if (arg.kind === "unit") return body.unit.constant(new Variant(rank, constructor_, unit));
  body.allocate(1);
  const made = `${rank}, ${JSON.stringify(constructor_)}`;
  const held = heldFields(body, scope, expr);
  if (held === undefined) return `new ${body.unit.helper("Variant")}(${made}, ${body.emit(scope, arg, "value")})`;
  return sequence(held.prefix, `new ${body.unit.constant(recordVariant(held.parts.length))}(${[made, ...held.parts].join(", ")})`);
};

/** The fields of a record that is made here for a variant that can hold them. */
const heldFields = (body: Body, scope: Scope, { type, constructor_, arg }: Node<"variantCon">): Ordered | undefined => {
  const count = body.linker.payloadFieldCount(type.id, constructor_);
  if (count === undefined || recordVariant(count) === undefined || (arg.kind !== "recCon" && arg.kind !== "recUpd")) return undefined;
  body.unit.count();
  return arg.kind === "recCon" ? madeFields(body, scope, arg) : copiedFields(body, scope, arg, count);
};

export const emitEnum = (body: Body, expr: Node<"enumCon">): string => {
  const value = body.linker.enumValue(expr.id, expr.constructor_);
  return value === undefined ? emitMissing(body, "enum", expr.id) : body.unit.constant(value);
};

export const emitSome = (body: Body, scope: Scope, expr: Node<"some">): string => {
  body.allocate(1);
  return `new ${body.unit.helper("Some")}(${body.emit(scope, expr.value, "value")})`;
};

export const emitCons = (body: Body, scope: Scope, expr: Node<"cons">): string => {
  const { prefix, parts } = inOrder(body, scope, [...expr.front, expr.tail]);
  const tail = parts[parts.length - 1]!;
  const front = parts.slice(0, -1);
  body.allocate(front.length);
  if (front.length > nestedCellsMax) return sequence(prefix, `${body.unit.helper("listFromArray")}([${front.join(", ")}], ${tail})`);
  const Cons = body.unit.helper("Cons");
  return sequence(
    prefix,
    front.reduceRight((rest, head) => `new ${Cons}(${head}, ${rest})`, tail),
  );
};
