/**
 * The harness: `npm run prove -- [--tier ci|night|test] [--seed N] [--only NAME,..] [--count N] [--jobs N] [--list]`. Each scenario
 * runs in a process of its own. Ends with a table of what was counted; the same is in `dist/prove.json`,
 * and what scenarios drew lies beside it. Exit code 1: something
 * was violated, 2: it was asked for what there is not.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { repositoryRoot } from "../support/paths.js";
import { testSeed } from "./as-test.js";
import type { Ended, Message } from "./one.js";
import { again, type Scenario, type Tier, tiers } from "./scenario.js";
import { scenarios } from "./scenarios.js";

interface Outcome extends Omit<Ended, "files"> {
  readonly name: string;
  readonly firstSeed: number;
  readonly size: number;
  readonly unit: string;
  readonly seconds: number;
}

interface Asked {
  readonly tier: Tier;
  readonly seed: number;
  readonly count: number | undefined;
  readonly jobs: number;
  readonly chosen: readonly Scenario[];
}

/** A scenario that tells nothing for so long hangs. */
const silenceMs = 6 * 60_000,
  progressMs = 5_000;

function refuse(text: string): never {
  console.error(text);
  process.exit(2);
}

const parsed = () =>
  parseArgs({
    options: {
      tier: { type: "string" },
      seed: { type: "string" },
      only: { type: "string" },
      count: { type: "string" },
      jobs: { type: "string" },
      list: { type: "boolean" },
    },
  }).values;

function options(): ReturnType<typeof parsed> {
  try {
    return parsed();
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function number(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,15}$/.test(text)) refuse(`--${name} takes a number, not ${text}.`);
  return text === undefined ? undefined : Number(text);
}

function asked(): Asked {
  const { tier = "ci", seed, only, count, jobs, list } = options();
  if (list === true) {
    for (const { name, holds, sizes, unit } of scenarios)
      console.log(`${name.padEnd(nameWidth)} ${holds} (${tiers.map((one) => `${one} ${sizes[one]}`).join(", ")} ${unit})`);
    process.exit(0);
  }
  if (!tiers.includes(tier as Tier)) refuse(`--tier is one of ${tiers.join(", ")}.`);
  const names = only?.split(",") ?? scenarios.map(({ name }) => name),
    unknown = names.filter((name) => !scenarios.some((one) => one.name === name));
  if (unknown.length > 0) refuse(`There is no scenario ${unknown.join(", ")}. There are: ${scenarios.map(({ name }) => name).join(", ")}.`);
  return {
    tier: tier as Tier,
    seed: number("seed", seed) ?? testSeed,
    count: number("count", count),
    jobs: Math.max(1, number("jobs", jobs) ?? 1),
    chosen: scenarios.filter(({ name }) => names.includes(name)),
  };
}

const nameWidth = Math.max(...scenarios.map(({ name }) => name.length));

async function play({ name, sizes, unit }: Scenario, { tier, seed, count }: Asked): Promise<Outcome> {
  const size = count ?? sizes[tier],
    began = Date.now();
  let ended: Ended | undefined,
    last = { done: 0, seed },
    toldAt = began,
    output = "";
  const child = fork(fileURLToPath(new URL("one.js", import.meta.url)), [name, String(seed), String(size)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // the nodes that it starts are of its group, and end with it
  });
  const endAll = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
  };
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  let silence = setTimeout(endAll, silenceMs);
  child.on("message", (message: Message) => {
    clearTimeout(silence);
    silence = setTimeout(endAll, silenceMs);
    if (message.kind === "ended") {
      ended = message.ended;
      child.kill("SIGTERM"); // nothing of it is of use any more
    } else {
      last = message;
      if (Date.now() - toldAt < progressMs) return;
      toldAt = Date.now();
      console.log(`${name.padEnd(nameWidth)} ${last.done} of ${size} ${unit}`);
    }
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(silence);
  const died = (): Ended => ({
    verdict: "violated",
    counts: {},
    notes: [],
    files: {},
    seed: last.seed,
    text: `the run ended with ${signal ?? code} at case ${last.done}\n${output}\n${again(name, last.seed)}`,
  });
  const { files, ...rest } = ended ?? died(),
    outcome = { ...rest, name, firstSeed: seed, size, unit, seconds: (Date.now() - began) / 1_000 };
  console.log([row(outcome), ...outcome.notes].join("\n"));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(repositoryRoot(), "dist", `prove-${file}`), text);
  if (outcome.verdict === "violated") console.log(outcome.text);
  return outcome;
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, times]) => `${times.toLocaleString("en")} ${what}`)
    .join(", ");

function row({ name, verdict, size, unit, seconds, counts, text, seed, firstSeed }: Outcome): string {
  const what = verdict === "held" ? counted(counts) : verdict === "violated" ? `seed ${seed ?? firstSeed}` : text;
  return `${name.padEnd(nameWidth)} ${verdict.padEnd(10)} ${`${size} ${unit}`.padEnd(22)} ${`${seconds.toFixed(1)} s`.padStart(9)}  ${what}`;
}

const all = asked(),
  queue = [...all.chosen],
  outcomes: Outcome[] = [];
console.log(`tier ${all.tier}, seed ${all.seed}`);
await Promise.all(
  Array.from({ length: all.jobs }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) outcomes.push(await play(next, all));
  }),
);
const violated = outcomes.filter(({ verdict }) => verdict === "violated"),
  file = join(repositoryRoot(), "dist", "prove.json");
console.log(`\n${outcomes.map(row).join("\n")}\n`);
console.log(
  `${outcomes.length} scenarios, ${violated.length} violated, ${outcomes.filter(({ verdict }) => verdict === "not played").length} not played, tier ${all.tier}, seed ${all.seed}`,
);
writeFileSync(file, `${JSON.stringify({ tier: all.tier, seed: all.seed, node: process.version, outcomes }, undefined, 1)}\n`);
console.log(`as JSON: ${relative(process.cwd(), file)}`);
process.exit(violated.length > 0 ? 1 : 0);
