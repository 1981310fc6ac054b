/** What the layers need of a log; `telemetry/log.ts` writes it. Fields are small facts, never payloads or tokens. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A line as it is kept for those who ask. `number`: how many were written before it in this process, and itself. */
export interface LogLine {
  readonly number: number;
  readonly at: string;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

export interface LogTail {
  /** How many lines were ever written. */
  readonly linesWritten: number;
  /** The last lines behind a number, the oldest first. */
  linesAfter(number: number): readonly LogLine[];
}
