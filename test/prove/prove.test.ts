import { proves } from "./as-test.js";
import { planted } from "./planted/planted.js";
import { mixedLoad } from "./real/mixed-load.js";
import { snapshots } from "./real/snapshots.js";
import { simulation } from "./simulation/simulation.js";

proves(simulation);
proves(snapshots);
proves(mixedLoad);
proves(planted);
