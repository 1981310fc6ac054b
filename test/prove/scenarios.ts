/** Every scenario of the harness, in the order in which they run. */
import { damagedDars } from "./fuzz/damaged-dars.js";
import { generatedRequests } from "./fuzz/requests.js";
import { tokens } from "./fuzz/tokens.js";
import { compiledPrograms, engineLedgers } from "./oracles/engine.js";
import { visibility } from "./oracles/visibility.js";
import { backups } from "./real/backups.js";
import { damage } from "./real/damage.js";
import { doubleSpend } from "./real/double-spend.js";
import { kill9 } from "./real/kill-9.js";
import { deduplicationTwins } from "./real/twins.js";
import { simulation } from "./simulation/simulation.js";
import type { Scenario } from "./scenario.js";

export const scenarios: readonly Scenario[] = [
  simulation, kill9, deduplicationTwins, doubleSpend, damage, backups, visibility, engineLedgers, compiledPrograms, generatedRequests, damagedDars, tokens,
];

export const scenarioTable = (): string => ["| scenario | what holds | ci | night |", "|---|---|---|---|", ...scenarios.map(rowOf)].join("\n");

const rowOf = ({ name, holds, sizes: { ci, night }, unit }: Scenario): string =>
  `| \`${name}\` | ${holds} | ${ci.toLocaleString("en")} ${unit} | ${night.toLocaleString("en")} |`;
