/** Versions of Daml-LF 2 in their order. */
import type { LfVersion } from "./ast.js";

const order: readonly LfVersion[] = ["2.1", "2.2", "2.3", "2.dev"];

export const isOlderVersion = (a: LfVersion, b: LfVersion): boolean => order.indexOf(a) < order.indexOf(b);
