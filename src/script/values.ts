/** Payloads and answers of questions, which have no types any more when the runner sees them: fields by position. */
import { assert } from "../base/assert.js";
import type { DefinitionId, Type } from "../lf/index.js";
import {
  AnyValue,
  arrayFromList,
  type List,
  listFromArray,
  none,
  type Optional,
  type RecordValue,
  Some,
  textMapOf,
  TypeRep,
  type Value,
  Variant,
} from "../lf/running-code.js";
import type { SourceLocation, StackFrame } from "./outcome.js";
import type { FailureStatus } from "./stop.js";

export const fieldsOf = (value: Value): RecordValue => value as RecordValue;
export const elementsOf = (value: Value): Value[] => arrayFromList(value as List);
export const optionOf = (value: Value): Value | undefined => (value instanceof Some ? value.value : undefined);
export const texts = (value: Value): readonly string[] => elementsOf(value) as string[];
export const optionalText = (value: Value): string | undefined => optionOf(value) as string | undefined;

export const list = (values: readonly Value[]): Value => listFromArray(values);
export const optional = (value: Value | undefined): Optional => (value === undefined ? none : new Some(value));
export const tuple = (...values: Value[]): Value => values;
export const nonEmpty = (values: readonly Value[]): Value => tuple(values[0]!, list(values.slice(1)));

/** Of the stable package of `Either`. */
export const left = (value: Value): Value => new Variant(0, "Left", value);
export const right = (value: Value): Value => new Variant(1, "Right", value);

export const typeOf = (id: DefinitionId): Type => ({ kind: "con", id });
export const templateRep = (id: DefinitionId): Value => [new TypeRep(typeOf(id))];
export const anyTemplate = (id: DefinitionId, payload: Value): Value => [new AnyValue(typeOf(id), payload)];

/** The template or interface that a `TemplateTypeRep` stands for. */
export const definitionOf = (rep: Value): DefinitionId => idOf((fieldsOf(rep)[0] as TypeRep).type);

export function idOf(type: Type): DefinitionId {
  assert(type.kind === "con", "a template, choice or exception type is a type constructor");
  return type.id;
}

/** [(Text, SrcLoc)], lines and columns from 0. */
export const stackOf = (locations: Value): readonly StackFrame[] => elementsOf(locations).map(frameOf);

export function frameOf(frame: Value): StackFrame {
  const [function_, location] = fieldsOf(frame);
  return { function: function_ as string, location: locationOf(location!) };
}

function locationOf(location: Value): SourceLocation {
  const [package_, module, file, startLine, startColumn, endLine, endColumn] = fieldsOf(location) as readonly (string | number)[];
  const fromOne = (position: string | number | undefined): number => Number(position) + 1;
  return {
    package: package_ as string,
    module: module as string,
    file: file as string,
    startLine: fromOne(startLine),
    startColumn: fromOne(startColumn),
    endLine: fromOne(endLine),
    endColumn: fromOne(endColumn),
  };
}

/** Record of DA.Fail; compiled code has categories as bigint. */
export const failureStatusValue = ({ errorId, category, message, metadata }: FailureStatus): Value => [
  errorId,
  BigInt(category),
  message,
  textMapOf(metadata),
];
