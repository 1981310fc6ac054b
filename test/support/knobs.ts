/** What runs of tests and benchmarks can be told from outside: every variable of the environment that they read, with its meaning. */

/** `count`: how many, or how long; `text`: anything; `switch`: on by `1`. */
interface Knob {
  readonly kind: "count" | "text" | "switch";
  readonly where: string;
  readonly meaning: string;
}

const knobs = {
  LEDGERLINE_SEED: { kind: "count", where: "all that draws by chance", meaning: "the seed to draw from; a failure names it" },
  LEDGERLINE_RENEW: {
    kind: "switch",
    where: "house/readme, script/mistakes",
    meaning: "generated pages and expected texts are written anew, to be read as a difference",
  },
  LEDGERLINE_REAL_DARS: {
    kind: "text",
    where: "console, golden/packages, lf, packaging, scenarios, script, splice; benchmarks",
    meaning: "a folder of public DARs: all of them loaded, and Amulet flows over HTTP with each transaction's tree",
  },
  LEDGERLINE_ECONOMY_ROUNDS: {
    kind: "count",
    where: "splice/real-economy",
    meaning: "rounds that the economy lives through (1,000); of fewer than 50 nothing is burned",
  },
  LEDGERLINE_MUTATIONS: { kind: "count", where: "lf/validation", meaning: "packages with a mutated definition" },
  LEDGERLINE_SIMULATIONS: { kind: "count", where: "ledger/simulation", meaning: "ledgers that are simulated against the oracle" },
  LEDGERLINE_TOKEN_REQUESTS: { kind: "count", where: "auth/wire", meaning: "requests with damaged tokens" },
  LEDGERLINE_LOCK_ROUNDS: { kind: "count", where: "main/data-folder", meaning: "rounds of simultaneous starts on one data folder" },
  LEDGERLINE_CREATES: {
    kind: "count",
    where: "crash/growth",
    meaning: "creates whose bytes in the file are counted, with 1 and 4 engine threads and 1 and 16 clients",
  },
  LEDGERLINE_CHURN_MINUTES: {
    kind: "count",
    where: "crash/growth",
    meaning:
      "minutes of creates and archives, after ten of which and a million commands file and memory stay flat (60, with 100,000 contracts)",
  },
  LEDGERLINE_CHURN_CONTRACTS: { kind: "count", where: "crash/growth", meaning: "contracts that are active all the while" },
  LEDGERLINE_CHURN_PAUSE_MS: {
    kind: "count",
    where: "crash/growth",
    meaning: "milliseconds that each of its clients pauses after an archive",
  },
  LEDGERLINE_WRITE_LEDGER: {
    kind: "switch",
    where: "crash/formats",
    meaning: "a ledger of a new format is written beside those of the older ones",
  },
  LEDGERLINE_MEMORY: {
    kind: "switch",
    where: "main/memory",
    meaning: "unfinished uploads where everybody may upload, against the memory of the process",
  },
  LEDGERLINE_HOSTILE_ALL: {
    kind: "switch",
    where: "scenarios/hostile",
    meaning: "every hostile model twice, those included that only the clock stops",
  },
  LEDGERLINE_TURNS: {
    kind: "text",
    where: "attack/turns",
    meaning: "`full`: bodies of 8 MiB against a bound of 50 ms, which takes a quarter of an hour",
  },
  LEDGERLINE_TURNS_OF: { kind: "text", where: "attack/turns", meaning: "only operations with this text in their names" },
  LEDGERLINE_TURNS_BYTES: { kind: "count", where: "attack/turns", meaning: "the size of the bodies" },
  LEDGERLINE_TURNS_MS: { kind: "count", where: "attack/turns", meaning: "the bound on a turn of the event loop" },
  LEDGERLINE_TURNS_ALL: {
    kind: "switch",
    where: "attack/turns",
    meaning: "each body is told with its turn, not only the worst of an operation",
  },
  LEDGERLINE_RECORDED: {
    kind: "text",
    where: "conformance",
    meaning: "`1`: recorded authorisation is replayed, too, for two minutes; `0`: nothing recorded is",
  },
  LEDGERLINE_RECORDED_KEEP: { kind: "text", where: "conformance/recorded-answers", meaning: "a folder that keeps what was answered" },
  LEDGERLINE_BROWSER: { kind: "text", where: "console, main/browser", meaning: "the Chromium to start" },
  LEDGERLINE_PROGRAM: {
    kind: "text",
    where: "crash, main, prove, scenarios",
    meaning: "the program that the tests of processes run in place of this build: a single executable by its path",
  },
  LEDGERLINE_BESIDE: {
    kind: "text",
    where: "prove/beside; bench/beside",
    meaning:
      "the address of another node, a Canton sandbox without authorization say, that is asked the same in place of a second one of this program",
  },
  LEDGERLINE_CONSOLE_CONTRACTS: {
    kind: "count",
    where: "console/hostile",
    meaning: "contracts that the console lists, counts and scrolls",
  },
  LEDGERLINE_RECORDINGS: { kind: "text", where: "bench/engine", meaning: "a folder of recorded steps" },
  LEDGERLINE_GROWTH: {
    kind: "count",
    where: "bench/growth",
    meaning: "contracts of the largest ledger; of a million the file takes 2.3 GB",
  },
  LEDGERLINE_BENCH_CASE: { kind: "text", where: "bench/engine", meaning: "the only case to measure" },
} as const satisfies Readonly<Record<string, Knob>>;

type Name = keyof typeof knobs;
type Of<K extends Knob["kind"]> = { readonly [N in Name]: (typeof knobs)[N]["kind"] extends K ? N : never }[Name];

export const text = (name: Of<"text">): string | undefined => process.env[name];
export const isOn = (name: Of<"switch">): boolean => process.env[name] === "1";

/** Of a program that is tested: knobs say nothing to it. */
export const environmentOfPrograms = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in knobs)));

/** Undefined where nothing is said. */
export function count(name: Of<"count">): number | undefined {
  const said = process.env[name];
  if (said === undefined) return undefined;
  const number = Number(said);
  if (said === "" || !Number.isFinite(number) || number < 0) throw new Error(`${name} is a number, not ${JSON.stringify(said)}`);
  return number;
}

export const knobTable = (): string =>
  [
    "| variable | read by | meaning |",
    "|---|---|---|",
    ...Object.entries(knobs).map(
      ([name, { kind, where, meaning }]) => `| \`${name}${kind === "switch" ? "=1" : ""}\` | ${where} | ${meaning} |`,
    ),
  ].join("\n");
