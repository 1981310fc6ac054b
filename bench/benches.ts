import { engine } from "./engine.js";
import { list } from "./list.js";
import { readers } from "./readers.js";
import { submit } from "./submit.js";

export const benches = [submit, list, readers, engine];
