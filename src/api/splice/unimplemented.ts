/** Operations that the reference has and this node does not have yet: they say so in their API's form. */
import { fail } from "../../base/result.js";
import type { Claims } from "../../auth/index.js";
import { noBody } from "../body.js";
import { json, operationFor, type AnyOperation, type RouteText } from "../operation.js";
import { refused } from "./errors.js";

const unimplementedSummary = "Not there yet: answers 501.";

export const isImplemented = ({ summary }: AnyOperation): boolean => summary !== unimplementedSummary;

export const unimplemented = (routes: Readonly<Record<string, RouteText>>, claims: Claims): Readonly<Record<string, AnyOperation>> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      operationFor<unknown>()({
        route,
        summary: unimplementedSummary,
        claims: claims === "none" ? claims : () => claims,
        body: noBody(),
        reply: json<object>(),
        handle: () => fail(refused({ kind: "unimplemented", message: `${name} is not implemented by this node yet.` })),
      }),
    ]),
  );
