/** What came of an instruction of the token standard, of either generation, as clients see it. */
import type { Meta } from "./commands.js";

interface Told<Output> {
  readonly output: Output;
  readonly sender_change_cids: readonly string[];
  readonly meta: Meta;
}

interface InstructionResult<Value> {
  readonly output: { readonly value: Value };
  readonly senderChangeCids?: readonly string[];
  /** Of allocations of the second generation, by instrument. */
  readonly authorizerChangeCids?: Readonly<Record<string, readonly string[]>>;
  readonly meta: { readonly values: Meta };
}

/** `outputOf`: the contracts that came of it, by what the choice returned. */
export function instructionResult<Value, Output>(json: unknown, outputOf: (value: Value) => Output): Told<Output> {
  const { output, senderChangeCids, authorizerChangeCids, meta } = json as InstructionResult<Value>;
  return {
    output: outputOf(output.value),
    sender_change_cids: senderChangeCids ?? authorizerChangeCids?.["Amulet"] ?? [],
    meta: meta.values,
  };
}
