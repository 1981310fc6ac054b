/** Results of coverage as a file: the reference's protobuf (its `test_results.proto`), so that each reads what the other saved. */
import { fail, ok, type Result } from "../../base/result.js";
import { delimited, ProtoReader, ProtoWriter, unknownField, WireFailure, WireType } from "../../lf/wire/index.js";
import { CoverageResults, type Definition, type Origin, type Origins } from "./coverage-results.js";

/** All fields of these messages are texts or messages. */
type Field = readonly [number: number, content: Uint8Array];

export function encodeResults(results: CoverageResults): Uint8Array {
  const byChoice = new Map<string, Uint8Array[]>();
  for (const [template, choices] of results.exercised)
    for (const [choice, by] of choices) {
      const on = message([1, definition(template)], ...origins(by));
      byChoice.set(choice, [...(byChoice.get(choice) ?? []), on]);
    }
  const defined = (id: Definition, choices: ReadonlySet<string>): Uint8Array =>
    message([1, definition(id)], [2, message(...[...choices].sort().map((choice) => [1, text(choice)] as const))]);
  return message(
    ...Array.from(results.templates, ([id, choices]) => [1, defined(id, choices)] as const),
    ...Array.from(results.interfaces, ([id, choices]) => [2, defined(id, choices)] as const),
    ...results.implementations.map(
      ({ template, interface_ }) =>
        [3, message([1, definition(template)], [2, definition(interface_)], [3, origin(template.origin)])] as const,
    ),
    ...Array.from(results.created, ([id, by]) => [4, message([1, definition(id)], ...origins(by))] as const),
    ...[...byChoice].sort(([left], [right]) => (left < right ? -1 : 1)).map(([choice, on]) => [5, exercise(choice, on)] as const),
  );
}

const exercise = (choice: string, on: readonly Uint8Array[]): Uint8Array =>
  message([1, text(choice)], ...on.map((each) => [2, each] as const));
const definition = ({ name, origin: of }: Definition): Uint8Array => message([1, text(name)], [2, origin(of)]);
const origins = (by: Origins): readonly Field[] => [...by.values()].map((each) => [2, origin(each)]);
const origin = (of: Origin): Uint8Array =>
  of === undefined ? message([1, message()]) : message([2, message([1, text(of.id)], [2, text(of.name)])]);

const text = (value: string): Uint8Array => Buffer.from(value, "utf8");

const out = new ProtoWriter();

/** From its end on, as the writer goes; what is nested in it was written before. */
function message(...fields: Field[]): Uint8Array {
  for (const [number, content] of fields.reverse()) out.bytesField(number, content);
  return out.finish();
}

/** A sentence where it is not such a file. */
export function decodeResults(bytes: Uint8Array): Result<CoverageResults, string> {
  const results = new CoverageResults();
  try {
    for (const [number, content] of fieldsOf(bytes)) readField(results, number, content);
  } catch (error) {
    if (error instanceof WireFailure) return fail("holds no results of coverage");
    throw error;
  }
  return ok(results);
}

function readField(results: CoverageResults, number: number, content: Uint8Array): void {
  const fields = fieldsOf(content);
  switch (number) {
    case 1:
      return results.addTemplate(readDefinition(one(fields, 1)), readChoices(one(fields, 2)));
    case 2:
      return results.addInterface(readDefinition(one(fields, 1)), readChoices(one(fields, 2)));
    case 3:
      return results.addImplementation({ template: readDefinition(one(fields, 1)), interface_: readDefinition(one(fields, 2)) });
    case 4:
      return all(fields, 2).forEach((by) => results.addCreated(readDefinition(one(fields, 1)), readOrigin(by)));
    case 5:
      for (const on of all(fields, 2).map(fieldsOf))
        for (const by of all(on, 2)) results.addExercised(readDefinition(one(on, 1)), readText(one(fields, 1)), readOrigin(by));
      return undefined;
    default:
      throw unknownField("results of coverage", delimited(number));
  }
}

function readDefinition(content: Uint8Array): Definition {
  const fields = fieldsOf(content);
  return { name: readText(one(fields, 1)), origin: readOrigin(one(fields, 2)) };
}

function readOrigin(content: Uint8Array): Origin {
  const [external] = all(fieldsOf(content), 2);
  if (external === undefined) return undefined;
  const fields = fieldsOf(external);
  return { id: readText(one(fields, 1)), name: readText(one(fields, 2)) };
}

const readChoices = (content: Uint8Array): readonly string[] => all(fieldsOf(content), 1).map(readText);
const readText = (content: Uint8Array): string => Buffer.from(content).toString("utf8");

const all = (fields: readonly Field[], number: number): readonly Uint8Array[] =>
  fields.filter(([each]) => each === number).map(([, content]) => content);

/** Protobuf leaves out what is empty. */
const one = (fields: readonly Field[], number: number): Uint8Array => all(fields, number)[0] ?? new Uint8Array();

function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [],
    input = new ProtoReader(bytes);
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag % 8 !== WireType.delimited) throw unknownField("a result of coverage", tag);
    fields.push([Math.floor(tag / 8), input.bytes()]);
  }
  return fields;
}
