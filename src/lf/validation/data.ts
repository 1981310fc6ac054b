/** Building, reading and changing records, variants, enumerations and structs. */
import type { DefinitionId, Expr, FieldWithType, Type, TypeConApp } from "../ast.js";
import type { Checker } from "./checker.js";
import { showName, showNames, showType } from "./show.js";
import { applied, constructor_, struct } from "../type-forms.js";

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

export function typeOfRecord(checker: Checker, { type, fields }: Of<"recCon">): Type {
  const record = checker.types.checkedConstructor(type);
  const declared = fieldsOf(checker, record);
  if (declared.length !== fields.length || declared.some(({ name }, index) => name !== fields[index]!.name))
    checker.scope.refuse(
      "FieldMismatch",
      `the fields ${showNames(fields)} are not those of ${showName(record.id)}: ${showNames(declared)}`,
    );
  fields.forEach(({ expr }, index) => checker.check(expr, memberType(checker, record, declared[index]!)));
  return applied(record);
}

export function typeOfRecordProjection(checker: Checker, { type, field, record: expr }: Of<"recProj">): Type {
  const record = checker.types.checkedConstructor(type);
  const result = fieldType(checker, record, field);
  checker.check(expr, applied(record));
  return result;
}

export function typeOfRecordUpdate(checker: Checker, { type, field, record: expr, update }: Of<"recUpd">): Type {
  const record = checker.types.checkedConstructor(type);
  fieldsOf(checker, record);
  const result = checker.check(expr, applied(record));
  checker.check(update, fieldType(checker, record, field));
  return result;
}

function fieldsOf(checker: Checker, { id }: TypeConApp): readonly FieldWithType[] {
  const { cons } = checker.scope.dataType(id);
  return cons.kind === "record" ? cons.fields : checker.scope.refuse("ExpectedRecordType", `${showName(id)} is no record type`);
}

function fieldType(checker: Checker, record: TypeConApp, field: string): Type {
  const fields = fieldsOf(checker, record);
  checker.scope.budget.spend(fields.length);
  const found = fields.find(({ name }) => name === field);
  return found === undefined
    ? checker.scope.refuse("UnknownField", `${showName(record.id)} has no field ${field}`)
    : memberType(checker, record, found);
}

/** The type of a field or constructor, for the arguments that the data type is given. */
const memberType = (checker: Checker, { id, args }: TypeConApp, member: FieldWithType): Type =>
  checker.types.instantiate(checker.scope.dataType(id).params, args, member.type);

export function typeOfVariant(checker: Checker, { type, constructor_: name, arg }: Of<"variantCon">): Type {
  const variant = checker.types.checkedConstructor(type);
  checker.check(arg, constructorType(checker, variant, name));
  return applied(variant);
}

export function constructorType(checker: Checker, variant: TypeConApp, name: string): Type {
  const { cons } = checker.scope.dataType(variant.id);
  if (cons.kind !== "variant") return checker.scope.refuse("ExpectedVariantType", `${showName(variant.id)} is no variant type`);
  checker.scope.budget.spend(cons.constructors.length);
  const found = cons.constructors.find((constructor_) => constructor_.name === name);
  return found === undefined
    ? checker.scope.refuse("UnknownVariantCon", `${showName(variant.id)} has no constructor ${name}`)
    : memberType(checker, variant, found);
}

export function typeOfEnum(checker: Checker, { id, constructor_: name }: Of<"enumCon">): Type {
  const { cons } = checker.scope.dataType(id);
  if (cons.kind !== "enum") return checker.scope.refuse("ExpectedEnumType", `${showName(id)} is no enumeration`);
  checkEnumConstructor(checker, id, cons.constructors, name);
  return constructor_(id);
}

export function checkEnumConstructor(checker: Checker, id: DefinitionId, constructors: readonly string[], name: string): void {
  checker.scope.budget.spend(constructors.length);
  if (!constructors.includes(name)) checker.scope.refuse("UnknownEnumCon", `${showName(id)} has no constructor ${name}`);
}

/** Written in any order; the type has the fields sorted. */
export function typeOfStruct(checker: Checker, { fields }: Of<"structCon">): Type {
  const typed = fields
    .map(({ name, expr }) => ({ name, type: checker.typeOf(expr) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  typed.forEach(({ name }, index) => {
    if (name === typed[index + 1]?.name) checker.scope.refuse("DuplicateField", `the field ${name} stands twice in one struct`);
  });
  return struct(typed);
}

export function typeOfStructProjection(checker: Checker, { field, struct: expr }: Of<"structProj">): Type {
  return structField(checker, checker.typeOf(expr), field).type;
}

export function typeOfStructUpdate(checker: Checker, { field, struct: expr, update }: Of<"structUpd">): Type {
  const whole = checker.typeOf(expr);
  checker.check(update, structField(checker, whole, field).type);
  return whole;
}

function structField(checker: Checker, type: Type, field: string): FieldWithType {
  const found = type.kind === "struct" ? type : checker.types.expand(type);
  if (found.kind !== "struct") return checker.scope.refuse("ExpectedStructType", `${showType(type)} is no struct type`);
  return found.fields.find(({ name }) => name === field) ?? checker.scope.refuse("UnknownField", `${showType(type)} has no field ${field}`);
}
