import assert from "node:assert/strict";
import { test } from "node:test";
import { startNodeProcess } from "../../support/node-process.js";
import { proves, testSeed } from "../as-test.js";
import { Play, Violation } from "../scenario.js";
import { besideAnother, playBeside } from "./ledgers.js";
import { type Ask, askAt } from "./node-beside.js";
import { begin } from "./pair.js";

proves(besideAnother);

/** Wrongs that a node's answers may have. */
const faults: readonly (readonly [what: string, wrong: (answer: string) => string])[] = [
  ["a witness less", (answer) => answer.replace(/("witnessParties":\["[^"]+"),"[^"]+"/, "$1")],
  ["another code", (answer) => answer.replace(/"code":"[A-Z_]+"/, '"code":"UNKNOWN"')],
  ["another amount", (answer) => answer.replace(/"amount":"(\d+)"/, '"amount":"9$1"')],
];

test("beside another: a node that answers otherwise is found out", { timeout: 300_000 }, async (t) => {
  const nodes = await Promise.all([startNodeProcess(["--memory"]), startNodeProcess(["--memory"])]);
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const [ours, right] = nodes.map(({ port }) => askAt(`http://127.0.0.1:${port}`)) as [Ask, Ask];
  for (const [what, wrong] of faults) {
    const other: Ask = async (path, body) => {
      const { status, body: answer } = await right(path, body);
      return { status, body: path === "/v2/parties" ? answer : (JSON.parse(wrong(JSON.stringify(answer))) as unknown) };
    };
    const play = new Play({ scenario: besideAnother, seed: testSeed, size: 20 }),
      pair = await begin(ours, other);
    await assert.rejects(
      play.cases((seed) => playBeside(play, seed, pair)),
      Violation,
      what,
    );
  }
});
