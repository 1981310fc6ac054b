/** Loaded before the program, on each of its threads: engine threads have little memory. */
import { limits } from "../../src/config.js";

Object.assign(limits, { workerOldGenerationMb: 100, workerYoungGenerationMb: 16 });
