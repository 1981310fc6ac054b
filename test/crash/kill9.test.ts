import { proves } from "../prove/as-test.js";
import { kill9 } from "../prove/real/kill-9.js";

proves(kill9);
