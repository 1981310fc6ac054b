/** Values in the words of errors: as the reference shows them, with type ids and labels where the value has them. */
import { time } from "../runtime/index.js";
import { type LedgerValue, showDate, showNumeric } from "../value/index.js";

/** Ends soon behind so many characters: a model can make a value as large as its thread's memory. */
export function valueText(value: LedgerValue, charsMax: number): string {
  let text = "";
  for (const piece of pieces(value)) {
    text += piece;
    if (text.length > charsMax) break;
  }
  return text;
}

/** `Module:Entity` with the beginning of the package's id. */
export function shortIdText(id: string): string {
  const [packageId = "", ...name] = id.split(":");
  return `${name.join(":")}@${packageId.slice(0, 8)}`;
}

const typeText = ({ typeId }: { readonly typeId?: string }, mark = ""): string =>
  typeId === undefined ? "" : `${shortIdText(typeId)}${mark}`;

function* pieces(value: LedgerValue): IterableIterator<string> {
  switch (value.kind) {
    case "unit":
      return yield "<unit>";
    case "bool":
    case "int64":
      return yield String(value.value);
    case "date":
      return yield showDate(value.days);
    case "timestamp":
      return yield time.timestampToText(value.micros);
    case "numeric":
      return yield showNumeric(value.unscaled, value.scale);
    case "party":
      return yield `'${value.value}'`;
    case "text":
      return yield `"${value.value}"`;
    case "contractId":
      return yield value.hex;
    case "optional":
      return value.value === undefined ? yield "None" : yield* within("Option(", value.value, ")");
    case "list":
      return yield* listed("[", value.elements, pieces, "]");
    case "textMap":
      return yield* listed("TextMap(", value.entries, ([key, item]) => within(`${key} -> `, item, ""), ")");
    case "genMap":
      return yield* listed("GenMap(", value.entries, entryPieces, ")");
    case "record":
      return yield* listed(
        `${typeText(value)}{ `,
        value.fields,
        ({ label, value: field }) => within(`${label ?? "<no-label>"} = `, field, ""),
        " }",
      );
    case "variant":
      return yield* within(`${typeText(value, ":")}${value.constructor_}(`, value.value, ")");
    case "enum":
      return yield `${typeText(value, ":")}${value.constructor_}`;
  }
}

function* within(before: string, value: LedgerValue, after: string): IterableIterator<string> {
  yield before;
  yield* pieces(value);
  yield after;
}

function* listed<T>(
  before: string,
  items: readonly T[],
  piecesOf: (item: T) => IterableIterator<string>,
  after: string,
): IterableIterator<string> {
  yield before;
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ", ";
    yield* piecesOf(item);
  }
  yield after;
}

function* entryPieces([key, item]: readonly [LedgerValue, LedgerValue]): IterableIterator<string> {
  yield* pieces(key);
  yield* within(" -> ", item, "");
}
