/** How long what is read here in one go may hold the event loop. */
import { Turns } from "../base/turns.js";
import { limits } from "../config.js";

export const turns = new Turns(limits.turnMs);
