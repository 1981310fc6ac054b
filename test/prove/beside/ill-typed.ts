/** Random packages of which a part was exchanged: two nodes refuse them for the same rule, or take them and run them alike. */
import assert from "node:assert/strict";
import { type Exchanged, exchanged } from "../../lf/programs/exchange.js";
import { programsOf } from "../../lf/programs/program.js";
import { Random } from "../../support/random.js";
import type { Play, Scenario } from "../scenario.js";
import type { Answer } from "./node-beside.js";
import { lanes, ofBoth, type Pair, startPair } from "./pair.js";
import { newName, packed, playUploaded } from "./programs.js";

const programsPerPackage = 3;

/** Apart from the seeds of what is exchanged. */
const exchangeSeeds = 1_000_000_007;

interface Refusal {
  readonly code?: string;
  readonly cause?: string;
  readonly context?: { readonly validationError?: string };
}

/** Each has words of its own for what is wrong, and the name of the rule in them: here first, there behind the class that it is. */
export function verdictOf({ status, body }: Answer): string {
  if (status === 200) return "taken";
  const { code = "", cause = "", context = {} } = body as Refusal;
  const rule = /^(?:[\w.]+\.E)?(\w+)/.exec(context.validationError ?? "")?.[1];
  return `${status} ${code} ${rule ?? cause.split(/[(:]/)[0]}`;
}

function written(seed: number): { readonly made: ReturnType<typeof programsOf>; readonly exchange: Exchanged } {
  const made = programsOf(seed, programsPerPackage),
    exchange = exchanged(made.module, new Random(seed + exchangeSeeds));
  return { made: { ...made, module: exchange.module }, exchange };
}

/** Undefined where no archive can say it. */
function archiveOf(of: Parameters<typeof packed>[0], name: string): Uint8Array | undefined {
  try {
    return packed(of, name);
  } catch {
    return undefined;
  }
}

export async function playIllTyped(play: Play, seed: number, pair: Pair): Promise<void> {
  const { made, exchange } = written(seed),
    name = newName(),
    dar = archiveOf(made, name);
  if (dar === undefined) {
    play.count("cannot be written");
    return;
  }
  const answers = await ofBoth(pair, ({ ask }) => ask("/v2/dars", dar)),
    [ours, other] = answers.map(verdictOf);
  play.count(ours!);
  if (ours !== other) assert.fail(`${exchange.what}\nours:  ${JSON.stringify(answers[0].body)}\nother: ${JSON.stringify(answers[1].body)}`);
  if (ours === "taken") await playUploaded(play, made, name, seed, pair);
}

export const illTypedBesideAnother: Scenario = {
  name: "ill-typed-beside-another",
  unit: "packages",
  sizes: { test: 12, ci: 200, night: 20_000 },
  holds: "two nodes refuse a random package of which a part was exchanged for the same rule, or take it and answer its programs alike",
  async run(play) {
    const pair = await startPair(play);
    await play.cases((seed) => playIllTyped(play, seed, pair), lanes);
  },
};
