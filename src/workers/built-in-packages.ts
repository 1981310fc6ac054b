import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import type { DarContents } from "../ledger/engine/index.js";
import { stablePackageIds } from "../lf/index.js";

/**
 * The stable packages, which every node has from its first start. Only then is the code loaded that describes and encodes
 * them: the main thread has no other use for archives and engine, and later starts are the quicker for it.
 */
export async function builtInPackages(isStored: (packageId: string) => boolean): Promise<DarContents["packages"]> {
  if (Object.values(stablePackageIds).every(isStored)) return [];
  const { decodePackage, stablePackages, summarizePackage } = await import("../lf/index.js");
  return stablePackages().map(({ id, payload }) => {
    const decoded = decodePackage(id, payload);
    assert(!isFailure(decoded), `built-in package ${id} decodes`);
    return { summary: summarizePackage(decoded.ok), payload };
  });
}
