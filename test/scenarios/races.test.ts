import { proves } from "../prove/as-test.js";
import { doubleSpend } from "../prove/real/double-spend.js";
import { deduplicationTwins } from "../prove/real/twins.js";

proves(doubleSpend);
proves(deduplicationTwins);
