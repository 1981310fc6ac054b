/** The same operations with something done about their answers, where an API stands behind another or asks for more of its callers. */
import type { AnyOperation } from "../operation.js";

export type Handle = Exclude<AnyOperation, { readonly kind: "stream" }>["handle"];

/** `change`: the other way to answer; undefined leaves an operation as it is. */
export const answering = <O extends Readonly<Record<string, AnyOperation>>>(
  operations: O,
  change: (name: string, handle: Handle) => Handle | undefined,
): O =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const handle = operation.kind === "stream" ? undefined : change(name, operation.handle);
      return [name, handle === undefined ? operation : { ...operation, handle }];
    }),
  ) as O;
