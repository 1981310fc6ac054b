/** Values of a type in the JSON of the ledger, drawn at random; undefined where none can be written or none was found. */
import type { Type } from "../../../src/lf/ast.js";
import type { PackageInterface } from "../../../src/lf/package-interface.js";
import type { Json } from "../../golden/eval-values.js";
import type { Random } from "../../support/random.js";
import { instantiate, spine } from "./value-shape.js";

const depthMax = 6;
const texts = ["", "a", "Alice", "12", "1.5", "deadbeef", "\u{1F600}x", "2024-01-01"];
const integers = ["0", "1", "-1", "2", "7", "100", "9223372036854775807", "-9223372036854775808"];

export class Samples {
  constructor(
    private readonly packages: PackageInterface,
    private readonly random: Random,
  ) {}

  of(type: Type, depth = 0): Json | undefined {
    if (depth > depthMax) return undefined;
    const { head, args } = spine(type);
    if (head.kind === "con") return this.#data(type, depth);
    if (head.kind !== "builtin") return undefined;
    const [one, two] = args;
    switch (head.builtin) {
      case "UNIT":
        return {};
      case "BOOL":
        return this.random.below(2) === 0;
      case "INT64":
        return this.random.one(integers);
      case "TEXT":
        return this.random.one(texts);
      case "PARTY":
        return "Alice";
      case "DATE":
        return "2024-02-29";
      case "TIMESTAMP":
        return "2024-01-01T00:00:00Z";
      case "NUMERIC":
        return one?.kind === "nat" ? `${this.random.one(["0", "1", "-1", "3"])}.${"0".repeat(one.value)}` : undefined;
      case "CONTRACT_ID":
        return `00${"ab".repeat(32)}`;
      case "LIST":
        return this.#several(() => this.of(one!, depth + 1));
      case "OPTIONAL":
        return this.#optional(one!, depth);
      case "TEXTMAP":
        return this.#textMap(one!, depth);
      case "GENMAP":
        return this.#several(() => this.#pair(one!, two!, depth), 1);
      default:
        return undefined;
    }
  }

  #several<T extends Json>(sample: () => T | undefined, max = 3): readonly T[] | undefined {
    const drawn = Array.from({ length: this.random.below(max + 1) }, sample);
    return drawn.every((each) => each !== undefined) ? (drawn as T[]) : [];
  }

  #pair(key: Type, value: Type, depth: number): readonly Json[] | undefined {
    const pair = [this.of(key, depth + 1), this.of(value, depth + 1)];
    return pair.every((each) => each !== undefined) ? (pair as Json[]) : undefined;
  }

  #textMap(value: Type, depth: number): Json {
    const each = this.of(value, depth + 1);
    return each === undefined || this.random.below(2) === 0 ? {} : { [this.random.one(texts)]: each };
  }

  #optional(content: Type, depth: number): Json {
    const { head } = spine(content);
    const isNested = head.kind === "builtin" && head.builtin === "OPTIONAL";
    const value = this.random.below(2) === 0 ? undefined : this.of(content, depth + 1);
    if (value === undefined) return isNested ? [] : null;
    return isNested ? [value] : value;
  }

  #data(type: Type, depth: number): Json | undefined {
    const { head, args } = spine(type);
    if (head.kind !== "con") return undefined;
    const { params, cons } = this.packages.dataType(head.id)!;
    const member = (each: Type): Json | undefined => this.of(instantiate(params, args, each), depth + 1);
    if (cons.kind === "enum") return cons.constructors.length === 0 ? undefined : this.random.one(cons.constructors);
    if (cons.kind === "variant") {
      if (cons.constructors.length === 0) return undefined;
      const { name, type: payload } = this.random.one(cons.constructors);
      const value = member(payload);
      return value === undefined ? undefined : { tag: name, value };
    }
    if (cons.kind !== "record") return undefined;
    const fields = cons.fields.map((field) => [field.name, member(field.type)] as const);
    return fields.every(([, value]) => value !== undefined) ? (Object.fromEntries(fields) as Json) : undefined;
  }
}
