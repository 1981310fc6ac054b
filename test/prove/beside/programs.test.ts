import assert from "node:assert/strict";
import { test } from "node:test";
import { startNodeProcess } from "../../support/node-process.js";
import { proves, testSeed } from "../as-test.js";
import { Play, Violation } from "../scenario.js";
import { illTypedBesideAnother, playIllTyped } from "./ill-typed.js";
import { type Ask, askAt } from "./node-beside.js";
import { begin, type Pair } from "./pair.js";
import { playPrograms, programsBesideAnother } from "./programs.js";

proves(programsBesideAnother);
proves(illTypedBesideAnother);

type PlayOne = (play: Play, seed: number, pair: Pair) => Promise<void>;

/** Wrongs that a node's answers may have. */
const faults: readonly (readonly [what: string, wrong: (answer: string) => string, playOne: PlayOne])[] = [
  ["another digit in what a choice returned", (answer) => answer.replace(/("exerciseResult":[^\d]*)(\d)/, "$19$2"), playPrograms],
  ["another word in an error", (answer) => answer.replace(/Interpretation error: Error:/, "Interpretation error:"), playPrograms],
  ["another rule of validation", (answer) => answer.replace(/"validationError":"\w+/, '"validationError":"TypesMismatch'), playIllTyped],
  ["a package that is taken", (answer) => (answer.includes("DAR_VALIDATION_ERROR") ? '{"status":200,"body":{}}' : answer), playIllTyped],
];

test("programs beside another: a node that answers otherwise is found out, with a smaller program", { timeout: 300_000 }, async (t) => {
  const nodes = await Promise.all([startNodeProcess(["--memory"]), startNodeProcess(["--memory"])]);
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const [ours, right] = nodes.map(({ port }) => askAt(`http://127.0.0.1:${port}`)) as [Ask, Ask];
  for (const [what, wrong, playOne] of faults) {
    const other: Ask = async (path, body) => {
      const answer = await right(path, body);
      return path === "/v2/parties" ? answer : (JSON.parse(wrong(JSON.stringify(answer))) as typeof answer);
    };
    const play = new Play({ scenario: programsBesideAnother, seed: testSeed, size: 30 }),
      pair = await begin(ours, other);
    await assert.rejects(
      play.cases((seed) => playOne(play, seed, pair)),
      (error) => error instanceof Violation && (playOne === playIllTyped || error.message.includes("smallest: ")),
      what,
    );
  }
});
