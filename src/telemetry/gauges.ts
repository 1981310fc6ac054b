/** Figures that are taken when somebody looks, and cost nothing before. */
import { limits } from "../config.js";
import type { EventLoopDelay } from "./event-loop-delay.js";
import { anonymousBytes } from "./process-memory.js";

export interface EngineLoad {
  readonly waiting: number;
  readonly running: number;
  readonly runningOnReserve: number;
  readonly darsWaiting: number;
}

export interface Figures {
  /** What `/readyz` says. */
  readonly isReady: () => boolean;
  readonly ledgerEnd: () => number;
  readonly commandsInFlight: () => number;
  readonly engine: () => EngineLoad;
  readonly openStreams: () => number;
  readonly bodiesBytes: () => number;
  readonly store: () => { readonly fileBytes: number; readonly usedBytes: number };
  /** How far the oldest snapshot that is held lies behind. */
  readonly oldestReaderCommits: () => number;
  /** 0: none are. */
  readonly scanPrintedOffset: () => number;
  /** Of the process. */
  readonly logLinesDropped: () => number;
}

export interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly value: (figures: Figures, delay: EventLoopDelay) => number;
}

const windowSeconds = limits.eventLoopDelayWindowMs / 1_000;

export const gauges: readonly GaugeRow[] = [
  {
    name: "ledgerline_ready",
    value: ({ isReady }) => (isReady() ? 1 : 0),
    help: "1: commands run; 0: they are refused, and /readyz says why.",
  },
  { name: "ledgerline_ledger_end", help: "Offset of the last durable update or completion.", value: ({ ledgerEnd }) => ledgerEnd() },
  {
    name: "ledgerline_commands_in_flight",
    value: ({ commandsInFlight }) => commandsInFlight(),
    help: "Commands between their start and their durable end.",
  },
  {
    name: "ledgerline_engine_submissions_waiting",
    value: ({ engine }) => engine().waiting,
    help: "Submissions and interface views that wait for an engine thread.",
  },
  { name: "ledgerline_engine_threads_running", help: "Engine threads at work.", value: ({ engine }) => engine().running },
  {
    name: "ledgerline_engine_reserve_threads_running",
    value: ({ engine }) => engine().runningOnReserve,
    help: "Reserve threads at work, which stand in for those held by slow commands.",
  },
  {
    name: "ledgerline_engine_dars_waiting",
    value: ({ engine }) => engine().darsWaiting,
    help: "DARs that wait for the thread that reads them.",
  },
  {
    name: "ledgerline_streams_open",
    value: ({ openStreams }) => openStreams(),
    help: "WebSockets that are read, and lists that wait for elements.",
  },
  {
    name: "ledgerline_request_bodies_bytes",
    help: "What the bodies of all requests take, and first messages of WebSockets.",
    value: ({ bodiesBytes }) => bodiesBytes(),
  },
  { name: "ledgerline_store_file_bytes", help: "Size of the ledger's file.", value: ({ store }) => store().fileBytes },
  {
    name: "ledgerline_store_used_bytes",
    value: ({ store }) => store().usedBytes,
    help: "Pages of the file that hold records; the others are used before it grows.",
  },
  {
    name: "ledgerline_store_oldest_reader_commits",
    value: ({ oldestReaderCommits }) => oldestReaderCommits(),
    help: "Commits since the oldest snapshot that a reader of the file holds was taken; the file grows while it rises.",
  },
  {
    name: "ledgerline_scan_printed_offset",
    value: ({ scanPrintedOffset }) => scanPrintedOffset(),
    help: "Up to here what Scan tells of events and holdings stands ready; 0 while nobody asked for them.",
  },
  {
    name: "ledgerline_log_lines_dropped",
    value: ({ logLinesDropped }) => logLinesDropped(),
    help: "Lines of the log that could not be written, as a disk is full or nobody reads them any more.",
  },
  {
    name: "ledgerline_memory_anonymous_bytes",
    value: anonymousBytes,
    help: "Resident memory without mapped files; as the ledger's file is mapped, it counts in process_resident_memory_bytes.",
  },
  {
    name: "ledgerline_event_loop_delay_p50_seconds",
    value: (_, delay) => delay.p50Seconds,
    help: `How late the main thread was in the last ${windowSeconds / 2} to ${windowSeconds} seconds, whoever looks: median.`,
  },
  { name: "ledgerline_event_loop_delay_p99_seconds", help: "The same: 99th percentile.", value: (_, delay) => delay.p99Seconds },
  { name: "ledgerline_event_loop_delay_max_seconds", help: "The same: longest.", value: (_, delay) => delay.maxSeconds },
];
