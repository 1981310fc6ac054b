/** Values of replies: their types are asked for once each and kept. */
import { DescribedTypes, type Participant } from "../../ledger/index.js";
import type { ProtoWriter } from "../../lf/wire/index.js";
import type { ValueWriter } from "../codec/index.js";
import type { ValuePosition } from "../schema/index.js";
import { TypedWriter, type Verbosity } from "./typed-writer.js";

/** A value whose type has no end, so that nobody can tell its parts from their JSON; thrown where it is written. */
export class ValueWithoutEnd extends Error {
  override readonly name = "ValueWithoutEnd";
  constructor(position: ValuePosition) {
    const { at } = position,
      id = at === "interfaceView" ? position.interfaceId : position.templateId;
    super(`the type of a value (${at} of ${id}) has too many parts to be told over gRPC`);
  }
}

export class ReplyValues {
  readonly #types: DescribedTypes;

  constructor(ledger: Pick<Participant, "describeTypes">) {
    this.#types = new DescribedTypes(ledger);
  }

  /** What `write` gives, which is called again where it came by values whose types are not at hand yet: the first time mostly suffices. */
  written<T>(verbosity: Verbosity, write: (writer: ValueWriter) => T): T | Promise<T> {
    const writer = new ReplyWriter(this.#types, verbosity),
      written = write(writer);
    return writer.knewAll ? written : this.#types.whileKnown(writer.positions, () => write(writer));
  }
}

class ReplyWriter implements ValueWriter {
  readonly positions: ValuePosition[] = [];
  knewAll = true;

  constructor(
    private readonly types: DescribedTypes,
    private readonly verbosity: Verbosity,
  ) {}

  writeValue(out: ProtoWriter, position: ValuePosition, json: unknown): void {
    this.#typed(out, position)?.value(json);
  }
  writeRecord(out: ProtoWriter, position: ValuePosition, json: unknown): void {
    this.#typed(out, position)?.record(json);
  }

  /** Undefined: its type is not at hand. */
  #typed(out: ProtoWriter, position: ValuePosition): TypedWriter | undefined {
    this.positions.push(position);
    const types = this.types.ifKnown(position);
    if (types === null) throw new ValueWithoutEnd(position);
    if (types !== undefined) return new TypedWriter(out, types, this.verbosity);
    this.knewAll = false;
    return undefined;
  }
}
