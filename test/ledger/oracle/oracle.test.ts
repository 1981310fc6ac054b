import { proves } from "../../prove/as-test.js";
import { visibility } from "../../prove/oracles/visibility.js";

proves(visibility);
