import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";

/** Of what a test runs beside nothing else. */
export const ownTurns = (): Turns => new Turns(limits.turnMs);
