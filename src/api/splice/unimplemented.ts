/** Operations that the reference has and this node has not: they say so in their API's form, and why. */
import { fail } from "../../base/result.js";
import type { Claims } from "../../auth/index.js";
import { noBody } from "../body.js";
import { json, operationFor, type AnyOperation, type RouteText } from "../operation.js";
import { refused } from "./errors.js";

export const isImplemented = ({ missingBecause }: AnyOperation): boolean => missingBecause === undefined;

/** `why`: goes on behind a colon. */
export const unimplemented = (
  why: string,
  claims: Claims,
  routes: Readonly<Record<string, RouteText>>,
): Readonly<Record<string, AnyOperation>> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      operationFor<unknown>()({
        route,
        summary: "Answers 501.",
        missingBecause: why,
        claims: claims === "none" ? claims : () => claims,
        body: noBody(),
        reply: json<object>(),
        handle: () => fail(refused({ kind: "unimplemented", message: `${name} is not implemented by this node: ${why}.` })),
      }),
    ]),
  );
