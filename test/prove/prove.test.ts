import { proves } from "./as-test.js";
import { planted } from "./planted/planted.js";
import { idleStreams } from "./real/idle-streams.js";
import { mixedLoad } from "./real/mixed-load.js";
import { snapshots } from "./real/snapshots.js";
import { simulation } from "./simulation/simulation.js";

proves(simulation);
proves(snapshots);
proves(mixedLoad);
proves(idleStreams);
proves(planted);
