/** Plays one scenario in a process of its own: a crash, a hang or an unhandled rejection there is a violation like any other. */
import { CannotPlay, type Played, playScenario, Violation } from "./scenario.js";
import { scenarios } from "./scenarios.js";

export interface Ended extends Played {
  readonly verdict: "held" | "violated" | "not played";
  readonly text: string;
  /** Of the case that broke it. */
  readonly seed?: number;
}

export type Message =
  { readonly kind: "progress"; readonly done: number; readonly seed: number } | { readonly kind: "ended"; readonly ended: Ended };

const [name = "", seed = "", size = ""] = process.argv.slice(2);
const scenario = scenarios.find((one) => one.name === name)!;
const tell = (message: Message): void => void process.send?.(message);

const nothing: Played = { counts: {}, notes: [], files: {} };

async function play(): Promise<Ended> {
  try {
    const onProgress = (done: number, of: number): void => tell({ kind: "progress", done, seed: of });
    return { verdict: "held", ...(await playScenario({ scenario, seed: Number(seed), size: Number(size), onProgress })), text: "" };
  } catch (error) {
    if (error instanceof CannotPlay) return { verdict: "not played", ...nothing, text: error.message };
    return {
      verdict: "violated",
      ...nothing,
      text: String((error as Error).message),
      ...(error instanceof Violation ? { seed: error.seed, ...error.played } : {}),
    };
  }
}

process.once("message", () => {}); // the channel stays open until the parent has what is told
process.once("SIGTERM", () => process.exit()); // its folders go with it
process.once("disconnect", () => process.kill(-process.pid, "SIGTERM")); // who asked left: its nodes, which are of its group, end too
const ended = await play();
tell({ kind: "ended", ended });
if (ended.verdict === "violated") process.exitCode = 1;
