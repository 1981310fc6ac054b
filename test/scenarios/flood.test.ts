/** More commands than a node can do, and a steady rate of fewer. */
import { proves } from "../prove/as-test.js";
import { flood } from "../prove/real/flood.js";
import { steadyLoad } from "../prove/real/steady-load.js";

proves(flood);
proves(steadyLoad);
