/** What operations take and answer, as types that typia makes schemas of. */
import type { Body } from "./body.js";
import type { Reply } from "./operation.js";
import type { WireType } from "./wire.js";

type BodyOf<O> = O extends { readonly body: Body<infer B> } ? (B extends Uint8Array | undefined ? null : B) : never;
type ReplyOf<O> = O extends { readonly kind: "stream"; readonly element: infer E }
  ? WireType<E>
  : O extends { readonly reply: Reply<infer _A, infer W> }
    ? W extends undefined
      ? null
      : W
    : never;

export type WiresOf<Operations> = { [K in keyof Operations]: { body: BodyOf<Operations[K]>; reply: ReplyOf<Operations[K]> } };

/** The body of every failure. */
export interface FailureWire<F> {
  failure: { body: null; reply: F };
}
