import { proves } from "../../prove/as-test.js";
import { networkVisibility } from "../../prove/oracles/visibility.js";

proves(networkVisibility);
