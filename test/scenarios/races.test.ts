import { proves } from "../prove/as-test.js";
import { doubleSpend } from "../prove/real/double-spend.js";
import { keyRaces } from "../prove/real/key-races.js";
import { deduplicationTwins } from "../prove/real/twins.js";

proves(doubleSpend);
proves(keyRaces);
proves(deduplicationTwins);
