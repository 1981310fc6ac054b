import { proves } from "../prove/as-test.js";
import { engineThreads } from "../prove/real/engine-threads.js";

proves(engineThreads);
