/**
 * Steps of a hash as lines of text, in the form that the reference tells them in: what a step puts down in hex, and what that is. What
 * belongs to a hash inside of another is moved in by two spaces.
 */
import type { DefinitionId } from "../ast.js";
import { definitionOf, type HashSteps } from "./hash-steps.js";

/** There would be more of them than anybody is told. */
export class TooManySteps extends Error {
  override readonly name = "TooManySteps";
}

/** The lines of all levels, in their order. */
export class StepLines {
  readonly #charsMax: number;
  readonly #lines: string[] = [];
  #chars = 0;

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  /** A text may have lines of its own. */
  add(level: number, text: string): void {
    for (const line of text.split(/\r\n|\r|\n/)) {
      this.#chars += level * indent + line.length + 1;
      if (this.#chars > this.#charsMax) throw new TooManySteps();
      this.#lines.push(" ".repeat(level * indent) + line);
    }
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

const indent = 2;

export class ToldSteps implements HashSteps {
  readonly #lines: StepLines;
  readonly #level: number;

  constructor(lines: StepLines, level: number) {
    this.#lines = lines;
    this.#level = level;
  }

  /** Steps of a hash that this one has in it. */
  get inner(): ToldSteps {
    return new ToldSteps(this.#lines, this.#level + 1);
  }

  about(name: string): this {
    this.#lines.add(this.#level, `# ${name}`);
    return this;
  }
  byte(value: number, what: string): this {
    return this.#tell(Uint8Array.of(value), what);
  }
  bool(value: boolean): this {
    return this.byte(value ? 1 : 0, `${value} (bool)`);
  }
  int32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return this.#tell(bytes, `${value} (int)`);
  }
  int64(value: bigint): this {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    return this.#tell(bytes, `${value} (long)`);
  }
  text(value: string): this {
    return this.#sized(Buffer.from(value), `${value} (string)`);
  }
  numeric(shown: string): this {
    return this.#sized(Buffer.from(shown), `${shown} (numeric)`);
  }
  texts(values: readonly string[]): this {
    this.int32(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  identifier({ packageId, module, name }: DefinitionId): this {
    return this.text(packageId).texts(module.split(".")).texts(name.split("."));
  }
  typeId(text: string): this {
    return this.identifier(definitionOf(text));
  }
  contractId(hex: string): this {
    return this.#sized(Buffer.from(hex, "hex"), `${hex} (contractId)`);
  }
  bytes(value: Uint8Array, what: string): this {
    return this.#tell(value, what);
  }

  #sized(bytes: Buffer, what: string): this {
    return this.int32(bytes.length).#tell(bytes, what);
  }
  #tell(bytes: Uint8Array, what: string): this {
    this.#lines.add(this.#level, `'${Buffer.from(bytes).toString("hex")}' # ${what}`);
    return this;
  }
}
