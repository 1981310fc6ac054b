import { engine } from "./engine.js";
import { list } from "./list.js";
import { submit } from "./submit.js";

export const benches = [submit, list, engine];
