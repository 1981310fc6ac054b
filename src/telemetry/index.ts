export { createLog, type LogLevel, type ProcessLog } from "./log.js";
export type { Figures } from "./gauges.js";
export { Metrics, metricTable } from "./metrics.js";
export { Tracing } from "./tracing.js";
