export { createLog, logLevels, type LogLevel } from "./log.js";
export { Metrics } from "./metrics.js";
