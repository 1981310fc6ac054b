import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { begin, newProgress, tellUsed, type SharedProgress } from "../../src/workers/batch-progress.js";
import { arrived, asThrown } from "../../src/workers/thrown.js";
import { verdictOf, type FailedBatch } from "../../src/workers/verdict.js";

type Asked = FailedBatch["answered"][number];

/** A thread that has begun its first part, and so many more. */
function progressAt(part: number, used: boolean): SharedProgress {
  const progress = newProgress();
  for (let index = 0; index <= part; index++) begin(progress, index);
  if (used) tellUsed(progress);
  return progress;
}

const exited = new Error("worker exited with code: 1"),
  outOfMemory = Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" }),
  thrown = arrived(structuredClone(asThrown(new RangeError("x"))));

interface Case {
  readonly error: unknown;
  readonly jobs?: number;
  readonly asked?: Partial<Asked>;
  readonly part?: number;
  readonly used?: boolean;
  readonly hasBarked?: boolean;
}

function told({ error, jobs = 1, asked = {}, part = 0, used = false, hasBarked = false }: Case): string {
  const job = { deadlineMs: 70, alone: true, ...asked },
    verdict = verdictOf({ answered: Array<Asked>(jobs).fill(job), watchdog: { hasBarked, progress: progressAt(part, used) } }, error);
  if (verdict.kind === "stopped") return `stopped at ${verdict.part}: ${verdict.error.cause.slice(0, 40)}`;
  if (verdict.kind === "failed") return verdict.kind;
  return ["again", verdict.isLost && "lost", verdict.forgetsConstants && "forgets"].filter(Boolean).join(", ");
}

const lostBefore = { timesLost: limits.threadsLostMax },
  tooLong = /^stopped at 2: .*took more than 70 ms/,
  tooLarge = /^stopped at 0: .*needed more than/;

const cases: readonly (readonly [title: string, of: Case, verdict: string | RegExp])[] = [
  [
    "jobs that came together are asked again each alone, where their thread was lost",
    { error: exited, jobs: 2, used: true },
    "again, lost",
  ],
  ["and where it lacked memory", { error: outOfMemory, jobs: 2, part: 1 }, "again, lost"],
  ["and where it threw, as one of them may be innocent", { error: thrown, jobs: 2 }, "again"],
  ["one whose thread was lost is asked again", { error: exited }, "again, lost"],
  ["and what others left is forgotten first", { error: exited, used: true }, "again, lost, forgets"],
  ["also what its earlier parts left", { error: exited, part: 1 }, "again, lost, forgets"],
  ["but so often only", { error: exited, asked: lostBefore }, "failed"],
  ["what one throws it would throw again", { error: thrown, used: true }, "failed"],
  ["one that ran too long is to blame", { error: exited, part: 2, used: true, hasBarked: true }, tooLong],
  ["one that had all memory to itself is to blame", { error: outOfMemory }, tooLarge],
  ["one that shared memory with others is asked again without what they left", { error: outOfMemory, used: true }, "again, lost, forgets"],
  ["however often it was lost", { error: outOfMemory, used: true, asked: lostBefore }, "again, lost, forgets"],
  ["but once only", { error: outOfMemory, used: true, asked: { forgetsConstants: true } }, tooLarge],
];
for (const [title, of, verdict] of cases)
  test(`verdict: ${title}`, () => (typeof verdict === "string" ? assert.equal(told(of), verdict) : assert.match(told(of), verdict)));

test("verdict: an error that a task throws arrives as itself, and any other as it came", () => {
  assert.deepEqual(thrown, new RangeError("x"));
  assert.equal(arrived(exited), exited);
  assert.match(String(arrived(asThrown("no error"))), /no error/);
  assert.equal(told({ error: exited }), "again, lost");
});
