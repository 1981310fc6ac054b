/** Every scenario of the harness, in the order in which they run. */
import { damagedDars } from "./fuzz/damaged-dars.js";
import { generatedRequests } from "./fuzz/requests.js";
import { tokens } from "./fuzz/tokens.js";
import { requestHeads, socketFrames } from "./fuzz/wire.js";
import { illTypedBesideAnother } from "./beside/ill-typed.js";
import { besideAnother } from "./beside/ledgers.js";
import { programsBesideAnother } from "./beside/programs.js";
import { compiledPrograms, engineLedgers } from "./oracles/engine.js";
import { networkVisibility, visibility } from "./oracles/visibility.js";
import { backups } from "./real/backups.js";
import { damage } from "./real/damage.js";
import { doubleSpend } from "./real/double-spend.js";
import { raceOfMoves } from "./oracles/race-of-moves.js";
import { keyRaces } from "./real/key-races.js";
import { killedAdministration } from "./real/killed-administration.js";
import { killedMigrations } from "./real/killed-migrations.js";
import { killedMoves } from "./real/killed-moves.js";
import { engineThreads } from "./real/engine-threads.js";
import { flood } from "./real/flood.js";
import { idleStreams } from "./real/idle-streams.js";
import { isolation } from "./real/isolation.js";
import { kill9 } from "./real/kill-9.js";
import { deduplicationTwins } from "./real/twins.js";
import { mixedLoad } from "./real/mixed-load.js";
import { openings } from "./real/openings.js";
import { powerLoss } from "./real/power-loss.js";
import { snapshots } from "./real/snapshots.js";
import { authorization, clocks, fullDisks, hostileModels, locks, longTurns, overload, signatures } from "./real/test-files.js";
import { strength } from "./mutation/strength.js";
import { planted } from "./planted/planted.js";
import { steadyLoad } from "./real/steady-load.js";
import { simulation } from "./simulation/simulation.js";
import type { Scenario } from "./scenario.js";

export const scenarios: readonly Scenario[] = [
  simulation,
  kill9,
  killedAdministration,
  killedMigrations,
  killedMoves,
  powerLoss,
  mixedLoad,
  idleStreams,
  deduplicationTwins,
  doubleSpend,
  keyRaces,
  raceOfMoves,
  damage,
  backups,
  openings,
  visibility,
  networkVisibility,
  isolation,
  engineLedgers,
  compiledPrograms,
  besideAnother,
  programsBesideAnother,
  illTypedBesideAnother,
  generatedRequests,
  damagedDars,
  tokens,
  requestHeads,
  socketFrames,
  snapshots,
  engineThreads,
  fullDisks,
  clocks,
  locks,
  hostileModels,
  longTurns,
  overload,
  flood,
  steadyLoad,
  authorization,
  signatures,
  planted,
  strength,
];

export const scenarioTable = (): string =>
  ["| scenario | what holds | ci | night |", "|---|---|---|---|", ...scenarios.map(rowOf)].join("\n");

const rowOf = ({ name, holds, sizes: { ci, night }, unit }: Scenario): string =>
  `| \`${name}\` | ${holds} | ${ci.toLocaleString("en")} ${unit} | ${night.toLocaleString("en")} |`;
