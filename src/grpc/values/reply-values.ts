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
  readonly #writers: Readonly<Record<Verbosity, ValueWriter>>;

  constructor(ledger: Pick<Participant, "describeTypes">) {
    this.#types = new DescribedTypes(ledger);
    this.#writers = { bare: this.#writer("bare"), verbose: this.#writer("verbose") };
  }

  /** Calls `write` when the types of the positions are at hand: the writer takes values at these, within that call. */
  whileKnown<T>(positions: readonly ValuePosition[], verbosity: Verbosity, write: (writer: ValueWriter) => T): Promise<T> {
    return this.#types.whileKnown(positions, () => write(this.#writers[verbosity]));
  }

  #writer(verbosity: Verbosity): ValueWriter {
    const typed = (out: ProtoWriter, position: ValuePosition): TypedWriter => {
      const types = this.#types.at(position);
      if (types === null) throw new ValueWithoutEnd(position);
      return new TypedWriter(out, types, verbosity);
    };
    return {
      writeValue: (out, position, json) => typed(out, position).value(json),
      writeRecord: (out, position, json) => typed(out, position).record(json),
    };
  }
}
