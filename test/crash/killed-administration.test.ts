import { proves } from "../prove/as-test.js";
import { killedAdministration } from "../prove/real/killed-administration.js";

proves(killedAdministration);
