/** Random ledger values from a seed. */
import type { ValueType } from "../../../src/lf/conversion/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { drawFrom } from "../../support/random.js";

export function generator(seed: number) {
  const below = drawFrom(seed);
  const int64 = (): bigint => BigInt.asIntN(below(64) + 1, (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32)));
  const text = (): string =>
    Array.from({ length: below(8) }, () => ["a", "Z", "é", "😀", "\uffff", '"', "\\", "\u2028", " "][below(9)]).join("");
  const many = <T>(make: () => T): T[] => Array.from({ length: below(5) }, make);

  const scalars: readonly (() => LedgerValue)[] = [
    () => ({ kind: "unit" }),
    () => ({ kind: "bool", value: below(2) === 1 }),
    () => ({ kind: "int64", value: int64() }),
    () => ({ kind: "date", days: below(3_652_059) - 719_162 }),
    () => ({ kind: "timestamp", micros: BigInt(below(2 ** 48)) * (below(2) === 1 ? 1n : -1n) }),
    () => ({ kind: "numeric", unscaled: int64(), scale: below(38) }),
    () => ({ kind: "party", value: `p-${below(100)}::x` }),
    () => ({ kind: "text", value: text() }),
    () => ({ kind: "contractId", hex: `00${"ab".repeat(32)}${"cd".repeat(below(95))}` }),
    () => ({ kind: "enum", constructor_: `C${below(9)}` }),
  ];
  const containers: readonly ((depth: number) => LedgerValue)[] = [
    (depth) => ({ kind: "optional", value: below(3) === 0 ? undefined : value(depth) }),
    (depth) => ({ kind: "list", elements: many(() => value(depth)) }),
    (depth) => ({ kind: "genMap", entries: many(() => [value(depth), value(depth)] as const) }),
    (depth) => ({ kind: "textMap", entries: [...new Set(many(() => `k${below(50)}`))].sort().map((key) => [key, value(depth)] as const) }),
    (depth) => ({ kind: "record", fields: many(() => ({ value: value(depth) })) }),
    (depth) => ({ kind: "variant", constructor_: `V${below(9)}`, value: value(depth) }),
  ];
  const value = (depth: number): LedgerValue =>
    depth > 0 && below(3) > 0 ? containers[below(containers.length)]!(depth - 1) : scalars[below(scalars.length)]!();
  /** A normalised value of the type: trailing None left out, map keys ascending. */
  const ofType = (type: ValueType, depth: number): LedgerValue => {
    const deeper = (of: ValueType): LedgerValue => ofType(of, depth - 1);
    const few = (): number => (depth > 0 ? below(4) : 0);
    switch (type.kind) {
      case "numeric":
        return { kind: "numeric", unscaled: int64(), scale: type.scale };
      case "contractId":
        return { kind: "contractId", hex: `00${"ab".repeat(32)}ca12` };
      case "optional":
        return { kind: "optional", value: depth > 0 && below(2) === 0 ? deeper(type.element) : undefined };
      case "list":
        return { kind: "list", elements: Array.from({ length: few() }, () => deeper(type.element)) };
      case "textMap":
        return { kind: "textMap", entries: Array.from({ length: few() }, (_, i) => [`${i}${text()}`, deeper(type.value)] as const) };
      case "genMap":
        return { kind: "genMap", entries: Array.from({ length: few() }, (_, i) => [keyNumber(type.key, i), deeper(type.value)] as const) };
      case "record":
        return record(type.fields.map((field) => deeper(field.type)));
      case "variant": {
        const { name, type: payload } = type.constructors[depth > 0 ? below(type.constructors.length) : 0]!;
        return { kind: "variant", constructor_: name, value: deeper(payload) };
      }
      case "enum":
        return { kind: "enum", constructor_: type.constructors[below(type.constructors.length)]! };
      default:
        return scalars.map((make) => make()).find((made) => made.kind === type.kind)!;
    }
  };
  return { value, ofType, below, int64, text };
}

function record(values: readonly LedgerValue[]): LedgerValue {
  const isNone = (value: LedgerValue): boolean => value.kind === "optional" && value.value === undefined;
  const size = values.findLastIndex((value) => !isNone(value)) + 1;
  return { kind: "record", fields: values.slice(0, size).map((value) => ({ value })) };
}

/** Ascending keys of the two key types that the tests use. */
function keyNumber(type: ValueType, index: number): LedgerValue {
  const number: LedgerValue = { kind: "int64", value: BigInt(index) };
  return type.kind === "record" ? { kind: "record", fields: type.fields.map(() => ({ value: number })) } : number;
}
