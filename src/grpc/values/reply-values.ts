/** Values of replies: their types are asked for once each and kept. */
import { DescribedTypes, type Participant } from "../../ledger/index.js";
import type { TypeDescription } from "../../lf/index.js";
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
    const positions: ValuePosition[] = [];
    let knowsAll = true;
    const ifKnown = (position: ValuePosition): Described => {
      positions.push(position);
      const types = this.#types.ifKnown(position);
      if (types === undefined) knowsAll = false;
      return types;
    };
    const written = write(replyWriter(verbosity, ifKnown));
    if (knowsAll) return written;
    return this.#types.whileKnown(positions, () => write(replyWriter(verbosity, (position) => this.#types.at(position))));
  }
}

/** Null: a type without end; undefined: its value is left out for now. */
type Described = TypeDescription | null | undefined;

function replyWriter(verbosity: Verbosity, typesAt: (position: ValuePosition) => Described): ValueWriter {
  const typed = (out: ProtoWriter, position: ValuePosition): TypedWriter | undefined => {
    const types = typesAt(position);
    if (types === null) throw new ValueWithoutEnd(position);
    return types && new TypedWriter(out, types, verbosity);
  };
  return {
    writeValue: (out, position, json) => typed(out, position)?.value(json),
    writeRecord: (out, position, json) => typed(out, position)?.record(json),
  };
}
