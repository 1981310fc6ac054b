import { proves } from "../prove/as-test.js";
import { raceOfMoves } from "../prove/oracles/race-of-moves.js";

proves(raceOfMoves);
