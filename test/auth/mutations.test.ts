import { proves } from "../prove/as-test.js";
import { tokens } from "../prove/fuzz/tokens.js";

proves(tokens);
