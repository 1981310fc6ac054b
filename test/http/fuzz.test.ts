import { proves } from "../prove/as-test.js";
import { requestHeads, socketFrames } from "../prove/fuzz/wire.js";

proves(requestHeads);
proves(socketFrames);
