/** The two generations of Amulet's packages, and which a package belongs to. */
import type { PackageSummary } from "../ledger/index.js";
import { packageNames, templates } from "./names.js";

/**
 * What the rules of Amulet demand of a network's configuration changed once: since then there are configuration states
 * beside the rounds, and transfers are free.
 */
export type Generation = "rounds" | "configStates";

export const generationOf = ({ templates: known }: Pick<PackageSummary, "templates">): Generation =>
  known.includes(templates.externalPartyConfigState.entity) ? "configStates" : "rounds";

/** The Amulet that a package was compiled with. */
export const amuletOf = (
  { dependencies }: Pick<PackageSummary, "dependencies">,
  known: { get(packageId: string): PackageSummary | undefined },
): PackageSummary | undefined => dependencies.map((id) => known.get(id)).find((summary) => summary?.name === packageNames.amulet);
