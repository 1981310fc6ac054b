import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import type { DarContents } from "../ledger/index.js";
import { decodePackage, stablePackages, summarizePackage } from "../lf/index.js";

/** The stable packages, which every node has from its first start. */
export function builtInPackages(): DarContents["packages"] {
  return stablePackages().map(({ id, payload }) => {
    const decoded = decodePackage(id, payload);
    assert(!isFailure(decoded), `built-in package ${id} decodes`);
    return { summary: summarizePackage(decoded.ok), payload };
  });
}
