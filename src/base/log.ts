/** What the layers need of a log; `telemetry/log.ts` writes it. Fields are small facts, never payloads or tokens. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
