/**
 * `npm run bench -- --against REV`: this build and that of another revision, in turn, on the same machine in the same minutes. Figures are
 * ratios: what a request takes of the processor there over what it takes here, of whole server processes, and the same of rates.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mainProgram } from "../test/support/node-process.js";
import { repositoryRoot } from "../test/support/paths.js";
import type { BenchRow } from "./support/bench.js";
import { create, exercise, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import { loopMs } from "./support/pace.js";
import { microsSince, processorTimes } from "./support/processor.js";
import { median } from "./support/quantile.js";

export interface AgainstSize {
  readonly connections: number;
  readonly requests: number;
  readonly pages: number;
  /** Even where it counts: each side goes first as often as the other. */
  readonly rounds: number;
}
export const againstFull: AgainstSize = { connections: 64, requests: 2_500, pages: 200, rounds: 10 },
  againstSmoke: AgainstSize = { connections: 4, requests: 40, pages: 4, rounds: 1 };

/** A built checkout, or a revision of this repository, which is built. */
export async function against(revision: string, size: AgainstSize): Promise<readonly BenchRow[]> {
  const other = existsSync(join(revision, "dist")) ? { root: revision, remove: () => undefined } : builtRevision(revision);
  try {
    return await compare([mainProgram, join(other.root, "dist", "src", "main.js")], size);
  } finally {
    other.remove();
  }
}

/** With the packages that are installed here. */
function builtRevision(revision: string): { readonly root: string; remove(): void } {
  const root = join(mkdtempSync(join(tmpdir(), "ledgerline-revision-")), "tree"),
    repository = repositoryRoot();
  const git = (...args: string[]): unknown => execFileSync("git", ["-C", repository, ...args], { stdio: "inherit" });
  git("worktree", "add", "--detach", root, revision);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  execFileSync(join(root, "node_modules", ".bin", "tspc"), ["-p", "tsconfig.json"], { cwd: root, stdio: "inherit" });
  return {
    root,
    remove: () => {
      git("worktree", "remove", "--force", root);
      rmSync(join(root, ".."), { recursive: true });
    },
  };
}

interface Sample {
  readonly perSecond: number;
  readonly micros: number | undefined;
  readonly loopMs: number;
}
interface Case {
  readonly name: string;
  readonly requests: number;
  next(side: Side): Buffer;
}
interface Side {
  readonly ledger: BenchLedger;
  readonly contractId: string;
  readonly samples: Map<string, Sample[]>;
}

async function compare(programs: readonly string[], { connections, requests, pages, rounds }: AgainstSize): Promise<readonly BenchRow[]> {
  const sides: Side[] = [];
  try {
    for (const program of programs) sides.push(await startSide(program));
    const cases: readonly Case[] = [
      { name: "create", requests, next: ({ ledger }) => command(create(ledger.party, nextId())) },
      {
        name: "exercise",
        requests,
        next: ({ ledger, contractId }) => command(exercise(ledger.party, nextId(), contractId, "GetAmount", {})),
      },
      { name: "page of 200 updates", requests: pages, next: ({ ledger }) => page(ledger.party) },
    ];
    for (let round = 0; round <= rounds; round++)
      for (const each of cases)
        for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
          const sample = await take(side, each, connections);
          if (round > 0) side.samples.set(each.name, [...(side.samples.get(each.name) ?? []), sample]); // the first warms up
        }
    return cases.map(({ name }) =>
      rowOf(
        name,
        sides.map(({ samples }) => samples.get(name)!),
      ),
    );
  } finally {
    for (const { ledger } of sides) await ledger.stop();
  }
}

async function startSide(program: string): Promise<Side> {
  const ledger = await startBenchLedger({ program });
  const reply = await ledger.client.post("/v2/commands/submit-and-wait-for-transaction", { commands: create(ledger.party, nextId()) });
  return { ledger, contractId: reply.json().transaction.events[0].CreatedEvent.contractId as string, samples: new Map() };
}

async function take(side: Side, { name, requests, next }: Case, connections: number): Promise<Sample> {
  const { node } = side.ledger,
    pid = node.child.pid!,
    loop = loopMs(),
    before = processorTimes(pid);
  const { failures, seconds } = await runLoad({ port: node.port, connections, requests, next: () => next(side) });
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed: ${name}`);
  const micros = microsSince(before, pid);
  return { perSecond: requests / seconds, micros: micros && micros / requests, loopMs: loop };
}

/** The value and what stands beside it are rates; what they take of the processor is in the note. */
function rowOf(name: string, [ours, theirs]: readonly (readonly Sample[])[]): BenchRow {
  const rate = (samples: readonly Sample[]): number => median(samples.map(({ perSecond }) => perSecond)),
    loops = [...ours!, ...theirs!].map((sample) => sample.loopMs);
  const pairs = ours!
    .map(({ micros }, index) => ({ here: micros, there: theirs![index]!.micros }))
    .filter(({ here, there }) => here !== undefined && there !== undefined);
  const processor =
    pairs.length === 0
      ? ""
      : `processor ${median(pairs.map(({ here }) => here!)).toFixed(0)} against ${median(pairs.map(({ there }) => there!)).toFixed(0)} us, there/here ${median(pairs.map(({ here, there }) => there! / here!)).toFixed(3)}; `;
  const note = `${processor}loop ${Math.min(...loops).toFixed(0)} to ${Math.max(...loops).toFixed(0)} ms`;
  return { case: name, value: rate(ours!), unit: "/s", ceiling: { value: rate(theirs!), ratio: rate(ours!) / rate(theirs!) }, note };
}

let commands = 0;
const nextId = (): string => `against-${++commands}`;
const command = (body: object): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(body));

function page(party: string): Buffer {
  const eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: true };
  const updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
  return httpRequest("POST", "/v2/updates?limit=200", JSON.stringify({ beginExclusive: 0, updateFormat }));
}
