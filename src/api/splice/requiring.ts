/** The same operations with other claims, where an API stands behind another. */
import type { Claims } from "../../auth/index.js";
import type { AnyOperation } from "../operation.js";

export const requiring = <O extends Readonly<Record<string, AnyOperation>>>(operations: O, claims: Claims): O =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, { ...operation, claims: claims === "none" ? claims : () => claims }]),
  ) as O;
