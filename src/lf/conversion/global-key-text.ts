/**
 * A contract key as Scala shows the reference's classes of it (`GlobalKey`, `GenValue`): in these words its ledger, unlike its
 * interpreter, tells which key nobody has.
 */
import { time } from "../runtime/index.js";
import { type LedgerValue, showDate, showNumeric } from "../value/index.js";
import { type Around, beginningOf, listed, type Pieces } from "./text-pieces.js";

export interface GlobalKeyToShow {
  readonly templateId: string;
  readonly packageName: string;
  readonly key: LedgerValue;
  /** In lower-case hex. */
  readonly hash: string;
}

/** Ends soon behind so many characters. */
export const globalKeyText = (key: GlobalKeyToShow, charsMax: number): string => beginningOf(keyPieces(key), charsMax);

function* keyPieces({ templateId, packageName, key, hash }: GlobalKeyToShow): Pieces {
  yield `GlobalKey(${templateId}, ${packageName}, `;
  yield* pieces(key);
  yield `, Hash(${hash}))`;
}

const around = (before: string, after: string): Around => ({ before, between: ",", after });
const within = (before: string, items: readonly LedgerValue[], after: string): Pieces => listed(around(before, after), items, pieces);

/** Values in transactions have neither labels nor type ids. */
function* pieces(value: LedgerValue): Pieces {
  switch (value.kind) {
    case "unit":
      return yield "Unit";
    case "bool":
      return yield `Bool(${value.value})`;
    case "int64":
      return yield `Int64(${value.value})`;
    case "date":
      return yield `Date(${showDate(value.days)})`;
    case "timestamp":
      return yield `Timestamp(${time.timestampToText(value.micros)})`;
    case "numeric":
      return yield `Numeric(${bigDecimalText(value.unscaled, value.scale)})`;
    case "party":
      return yield `Party(${value.value})`;
    case "text":
      return yield `Text(${value.value})`;
    case "contractId":
      return yield `ContractId(ContractId(${value.hex}))`;
    case "optional":
      return value.value === undefined ? yield "Optional(None)" : yield* within("Optional(Some(", [value.value], "))");
    case "list":
      return yield* within("List(FrontStack(", value.elements, "))");
    case "textMap":
      return yield* listed(around("TextMap(SortedLookupList(", "))"), value.entries, ([key, item]) => within(`(${key},`, [item], ")"));
    case "genMap":
      return yield* listed(around("GenMap(", ")"), value.entries, (entry) => within("(", entry, ")"));
    case "record":
      return yield* listed(around("Record(None,ImmArray(", "))"), value.fields, (field) => within("(None,", [field.value], ")"));
    case "variant":
      return yield* within(`Variant(None,${value.constructor_},`, [value.value], ")");
    case "enum":
      return yield `Enum(None,${value.constructor_})`;
  }
}

const leastPlainExponent = -6;

/** As `java.math.BigDecimal` shows one: with an exponent where the first digit stands far behind the point. */
function bigDecimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled),
    exponent = digits.length - 1 - scale;
  if (scale === 0) return String(unscaled);
  if (exponent >= leastPlainExponent) return showNumeric(unscaled, scale);
  const fraction = digits.length === 1 ? "" : `.${digits.slice(1)}`;
  return `${unscaled < 0n ? "-" : ""}${digits[0]}${fraction}E${exponent}`;
}
