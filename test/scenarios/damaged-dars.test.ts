import { proves } from "../prove/as-test.js";
import { damagedDars } from "../prove/fuzz/damaged-dars.js";

proves(damagedDars);
