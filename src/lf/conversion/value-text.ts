/** Values in the words of errors: as the reference shows them, with type ids and labels where the value has them. */
import { time } from "../runtime/index.js";
import { type LedgerValue, showDate, showNumeric } from "../value/index.js";
import { type Around, beginningOf, listed, type Pieces } from "./text-pieces.js";

/** Ends soon behind so many characters. */
export const valueText = (value: LedgerValue, charsMax: number): string => beginningOf(pieces(value), charsMax);

/** `Module:Entity` with the beginning of the package's id. */
export function shortIdText(id: string): string {
  const [packageId = "", ...name] = id.split(":");
  return `${name.join(":")}@${packageId.slice(0, 8)}`;
}

const typeText = ({ typeId }: { readonly typeId?: string }, mark = ""): string =>
  typeId === undefined ? "" : `${shortIdText(typeId)}${mark}`;

const commas = (before: string, after: string): Around => ({ before, between: ", ", after });

function* pieces(value: LedgerValue): Pieces {
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
      return yield* listed(commas("[", "]"), value.elements, pieces);
    case "textMap":
      return yield* listed(commas("TextMap(", ")"), value.entries, ([key, item]) => within(`${key} -> `, item, ""));
    case "genMap":
      return yield* listed(commas("GenMap(", ")"), value.entries, entryPieces);
    case "record":
      return yield* listed(commas(`${typeText(value)}{ `, " }"), value.fields, ({ label, value: field }) =>
        within(`${label ?? "<no-label>"} = `, field, ""),
      );
    case "variant":
      return yield* within(`${typeText(value, ":")}${value.constructor_}(`, value.value, ")");
    case "enum":
      return yield `${typeText(value, ":")}${value.constructor_}`;
  }
}

function* within(before: string, value: LedgerValue, after: string): Pieces {
  yield before;
  yield* pieces(value);
  yield after;
}

function* entryPieces([key, item]: readonly [LedgerValue, LedgerValue]): Pieces {
  yield* pieces(key);
  yield* within(" -> ", item, "");
}
