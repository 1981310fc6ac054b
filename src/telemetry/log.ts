import { pino } from "pino";
import type { Log, LogFields, LogLine, LogTail } from "../base/log.js";
import { limits } from "../config.js";
import { LineWriter } from "./line-writer.js";

/** `trace` is a spelling of `debug`, for who is used to Canton's levels: no line is below that. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** The log of a process: its last lines stay in memory. */
export interface ProcessLog extends Log, LogTail {
  level: LogLevel;
  /** That nobody has, as they could not be written. */
  readonly linesDropped: number;
}

const stderr = 2;

/** JSON lines on stderr: stdout carries the ready line and nothing else. */
export function createLog(level: LogLevel, descriptor = stderr): ProcessLog {
  const lines = new LineWriter(descriptor),
    logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines),
    kept = new KeptLines();
  let told = 0;
  const write =
    (level: LogLine["level"]) =>
    (message: string, fields: LogFields = {}): void => {
      if (!logger.isLevelEnabled(level)) return;
      kept.add(level, message, fields);
      logger[level](fields, message);
      const untold = lines.dropped - told;
      if (untold === 0 || lines.isStuck) return;
      logger[level]({ lines: untold }, "lines of the log could not be written and are lost");
      if (!lines.isStuck) told += untold;
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    linesAfter: (number) => kept.after(number),
    get linesWritten() {
      return kept.written;
    },
    get linesDropped() {
      return lines.dropped;
    },
    get level() {
      return logger.level as LogLevel;
    },
    set level(changed) {
      logger.level = changed;
    },
  };
}

/** A ring: what is too old, or too long, is let go. */
class KeptLines {
  readonly #lines: LogLine[] = [];
  written = 0;

  add(level: LogLine["level"], message: string, fields: LogFields): void {
    const number = ++this.written,
      short = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? cut(value) : value]));
    this.#lines[(number - 1) % limits.logLinesKept] = { number, at: new Date().toISOString(), level, message: cut(message), fields: short };
  }

  after(number: number): readonly LogLine[] {
    return this.#lines.filter((line) => line.number > number).sort((left, right) => left.number - right.number);
  }
}

const cut = (text: string): string => (text.length <= limits.logTextCharsKept ? text : `${text.slice(0, limits.logTextCharsKept)}…`);
