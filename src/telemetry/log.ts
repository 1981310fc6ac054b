import { pino } from "pino";
import type { Log } from "../base/log.js";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";
export const logLevels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error", "silent"];

/** JSON lines on stderr: stdout carries the ready line and nothing else. */
export function createLog(level: LogLevel): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  return {
    debug: (message, fields) => logger.debug(fields, message),
    info: (message, fields) => logger.info(fields, message),
    warn: (message, fields) => logger.warn(fields, message),
    error: (message, fields) => logger.error(fields, message),
  };
}
