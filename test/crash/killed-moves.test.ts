import { proves } from "../prove/as-test.js";
import { killedMoves } from "../prove/real/killed-moves.js";

proves(killedMoves);
