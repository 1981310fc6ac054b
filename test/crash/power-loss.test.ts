import { proves } from "../prove/as-test.js";
import { powerLoss } from "../prove/real/power-loss.js";

proves(powerLoss);
