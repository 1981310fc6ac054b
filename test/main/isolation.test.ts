import { proves } from "../prove/as-test.js";
import { isolation } from "../prove/real/isolation.js";

proves(isolation);
