/** Values as a Daml developer would write them, with field names; contracts by their labels. What is long has several lines. */
import { limits } from "../../config.js";
import type { LedgerValue, ValueType } from "../../lf/index.js";
import { showDate, showNumeric, showTimestamp } from "../../lf/running-code.js";
import type { ShownFields } from "../outcome.js";

/** Values are cut so that a list of a million does not fill the screen. */
export interface ShowRules {
  readonly labelOf: (contractId: string) => string;
  readonly charsMax: number;
}

/** The fields of a record, each on one line. */
export function showFields(type: ValueType, value: LedgerValue, rules: ShowRules): ShownFields {
  if (type.kind !== "record" || value.kind !== "record")
    return value.kind === "unit" ? [] : [{ name: "", value: showValue(type, value, rules) }];
  return type.fields.map(({ name, type: fieldType }, index) => ({
    name,
    value: showValue(fieldType, value.fields[index]?.value ?? noneValue, rules),
  }));
}

export function showValue(type: ValueType, value: LedgerValue, rules: ShowRules): string {
  const shown = new Shower(rules).show(type, value, false);
  return shown.length <= rules.charsMax ? shown : `${shown.slice(0, rules.charsMax)}... (${shown.length} characters)`;
}

const noneValue: LedgerValue = { kind: "optional", value: undefined };

class Shower {
  #chars = 0;
  constructor(readonly rules: ShowRules) {}

  /** `inner`: an application needs parentheses. */
  show(type: ValueType, value: LedgerValue, inner: boolean): string {
    if (this.#chars > this.rules.charsMax) return "...";
    const shown = this.#shown(type, value, inner);
    if (value.kind !== "record" && value.kind !== "list") this.#chars += shown.length;
    return shown;
  }

  #shown(type: ValueType, value: LedgerValue, inner: boolean): string {
    switch (value.kind) {
      case "unit":
        return "()";
      case "bool":
        return value.value ? "True" : "False";
      case "int64":
        return inner && value.value < 0n ? `(${value.value})` : String(value.value);
      case "date":
        return showDate(value.days);
      case "timestamp":
        return showTimestamp(value.micros);
      case "numeric":
        return plainNumeric(showNumeric(value.unscaled, value.scale));
      case "party":
        return `'${value.value}'`;
      case "text":
        return JSON.stringify(value.value);
      case "contractId":
        return this.rules.labelOf(value.hex);
      case "enum":
        return value.constructor_;
      case "optional":
        return value.value === undefined ? "None" : wrapped(inner, `Some ${this.show(elementOf(type), value.value, true)}`);
      case "list":
        return bracketed(value.elements.map((element) => this.show(elementOf(type), element, false)));
      case "textMap":
        return `Map ${bracketed(value.entries.map(([key, entry]) => `(${JSON.stringify(key)}, ${this.show(type.kind === "textMap" ? type.value : type, entry, false)})`))}`;
      case "genMap":
        return `Map ${bracketed(value.entries.map(([key, entry]) => `(${this.show(type.kind === "genMap" ? type.key : type, key, false)}, ${this.show(type.kind === "genMap" ? type.value : type, entry, false)})`))}`;
      case "variant":
        return this.#variant(type, value, inner);
      case "record":
        return this.#record(type, value, inner);
    }
  }

  #variant(type: ValueType, { constructor_, value }: Extract<LedgerValue, { kind: "variant" }>, inner: boolean): string {
    const payload = type.kind === "variant" ? type.constructors[type.rankOf(constructor_) ?? 0]!.type : type;
    if (value.kind === "unit") return constructor_;
    return wrapped(
      inner,
      value.kind === "record" && payload.kind === "record" && payload.id.name.endsWith(`.${constructor_}`)
        ? `${constructor_} with${this.#fields(payload, value)}`
        : `${constructor_} ${this.show(payload, value, true)}`,
    );
  }

  #record(type: ValueType, value: Extract<LedgerValue, { kind: "record" }>, inner: boolean): string {
    if (type.kind !== "record") return "{...}";
    if (/^Tuple\d+$/.test(type.id.name))
      return `(${type.fields.map((field, index) => this.show(field.type, value.fields[index]?.value ?? noneValue, false)).join(", ")})`;
    if (type.fields.length === 0) return type.id.name;
    return wrapped(inner, `${type.id.name} with${this.#fields(type, value)}`);
  }

  #fields(type: Extract<ValueType, { kind: "record" }>, value: Extract<LedgerValue, { kind: "record" }>): string {
    const fields = type.fields.map(
      ({ name, type: fieldType }, index) => `${name} = ${this.show(fieldType, value.fields[index]?.value ?? noneValue, false)}`,
    );
    return fitsLine(fields) ? ` ${fields.join("; ")}` : `\n${indented(fields.join("\n"))}`;
  }
}

/** What is wider is broken, from the outside in. */
const fitsLine = (parts: readonly string[]): boolean =>
  parts.reduce((sum, part) => sum + part.length + 2, 0) <= limits.scriptLineCharsMax && !parts.some((part) => part.includes("\n"));
const indented = (lines: string): string => lines.replaceAll(/^/gm, "  ");
const bracketed = (parts: readonly string[]): string =>
  fitsLine(parts) ? `[${parts.join(", ")}]` : `[\n${indented(parts.join(",\n"))}\n]`;

const elementOf = (type: ValueType): ValueType => (type.kind === "optional" || type.kind === "list" ? type.element : type);
const wrapped = (inner: boolean, text: string): string => (inner ? `(${text})` : text);
/** As Daml writes them: without the zeros behind, but with one digit. */
const plainNumeric = (text: string): string => text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ".0");
