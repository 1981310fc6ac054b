/** The schemas of all wire types, derived by typia. Loaded when a document is first asked for, never at start. */
import type { Body } from "./body.js";
import type { JsCantonError } from "./ledger/types/common.js";
import type { Reply } from "./operation.js";
import type { Operations } from "./operations.js";
import type { WireType } from "./wire.js";

type BodyOf<O> = O extends { readonly body: Body<infer B> } ? (B extends Uint8Array | undefined ? null : B) : never;
type ReplyOf<O> = O extends { readonly kind: "stream"; readonly element: infer E }
  ? WireType<E>
  : O extends { readonly reply: Reply<infer _A, infer W> }
    ? W extends undefined ? null : W
    : never;

type OperationWires = { [K in keyof Operations]: { body: BodyOf<Operations[K]>; reply: ReplyOf<Operations[K]> } };

/** Also the body of every failure. */
interface Wires extends OperationWires {
  failure: { body: null; reply: JsCantonError };
}

export const wireSchemas = typia.json.schema<Wires, "3.1">();
