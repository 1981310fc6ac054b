/** Random event formats: one or more parties, any party, both; wildcards, templates, interfaces, mixed. */
import type { EventFormatRequest, FilterRequest } from "../../../src/ledger/index.js";
import { packageName } from "../support.js";
import { interfaces, templates } from "./play.js";
import type { Random } from "../../support/random.js";

function randomFilter(random: Random): FilterRequest {
  const includeCreatedEventBlob = random.chance(0.3);
  switch (random.below(5)) {
    case 0:
      return { kind: "empty" };
    case 1:
      return { kind: "wildcard", includeCreatedEventBlob };
    case 2:
      return {
        kind: "interface",
        interfaceId: `#${packageName}:${random.chance(0.5) ? interfaces[0] : random.one(interfaces)}`,
        includeInterfaceView: random.chance(0.6),
        includeCreatedEventBlob,
      };
    default:
      return { kind: "template", templateId: `#${packageName}:${random.one(templates)}`, includeCreatedEventBlob };
  }
}

const randomFilters = (random: Random) => ({ cumulative: Array.from({ length: random.below(4) }, () => randomFilter(random)) });

export function randomFormat(random: Random, parties: readonly string[]): EventFormatRequest {
  const named = random.chance(0.15) ? [] : random.several([...parties, `nobody::1220${"ab".repeat(32)}`]);
  return {
    filtersByParty: Object.fromEntries(named.map((party) => [party, randomFilters(random)])),
    filtersForAnyParty: named.length === 0 || random.chance(0.1) ? randomFilters(random) : undefined,
    verbose: random.chance(0.5),
  };
}
