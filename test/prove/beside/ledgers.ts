/** Random models of several parties: the same submissions to two nodes, and the same reads of what came of them. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { encodePackage } from "../../../src/lf/archive/index.js";
import { submissionsPerLedger, worldOf } from "../../lf/ledger-oracle/difference.js";
import { type Action, Refused, Store } from "../../lf/ledger-oracle/ledger.js";
import { LedgerOracle } from "../../lf/ledger-oracle/oracle.js";
import { evaluated, packageOfModel } from "../../lf/ledger-oracle/run.js";
import { buildDar } from "../../support/lf-builder.js";
import type { Play, Scenario } from "../scenario.js";
import type { Answer, NodeBeside } from "./node-beside.js";
import {
  createdIn,
  differenceOf,
  expectOk,
  hasFailed,
  lanes,
  ofBoth,
  type Pair,
  parties,
  shown,
  startPair,
  withNoContracts,
} from "./pair.js";
import { type Offsets, readsOf, submissionOf } from "./requests.js";

/** Nodes roll back nothing that had an effect, whether there are keys or not. */
const mode = "NUCK";

/** Asks both, and holds their answers against each other; undefined where a node that is not ours met a fault of its own. */
async function asked(
  pair: Pair,
  what: string,
  ask: (node: NodeBeside, index: 0 | 1) => Promise<Answer>,
): Promise<readonly [Answer, Answer] | undefined> {
  const answers = await ofBoth(pair, ask);
  if (hasFailed(answers, pair)) return undefined;
  const found = differenceOf(answers, pair);
  if (found !== undefined) assert.fail(`${what}: ${found}`);
  return answers;
}

const said = (actions: readonly Action[] | Refused): string => (actions instanceof Refused ? actions.class_ : "that it is done");

const endOf = async ({ ask }: NodeBeside): Promise<number> =>
  (await expectOk<{ readonly offset: number }>(ask("/v2/state/ledger-end"))).offset;

/** One random ledger at both nodes. */
export async function playBeside(play: Play, seed: number, around: Pair): Promise<void> {
  const { model, plans } = worldOf(seed),
    packageName = `beside-${seed}-${randomBytes(4).toString("hex")}`,
    store = new Store();
  const dar = buildDar(encodePackage({ ...packageOfModel(model), name: packageName, minor: model.lfVersion === "2.3" ? "3" : "1" }));
  const pair = withNoContracts(around);
  await ofBoth(pair, ({ ask }) => expectOk(ask("/v2/dars", dar)));
  const begin = await ofBoth(pair, endOf);
  for (const [index, plan] of plans.entries()) {
    const submission = plan(store),
      { actAs, readAs } = submission,
      ledgerTime = BigInt(Date.now()) * 1_000n;
    const actions = evaluated(new LedgerOracle({ module: model.module, mode, store, actAs, readAs, ledgerTime }), submission);
    if (actions === undefined) {
      play.count("too large");
      continue;
    }
    const answers = await asked(pair, `submission ${index}`, (node) =>
      node.ask(
        "/v2/commands/submit-and-wait-for-transaction",
        submissionOf({ packageName, ...node.spelling }, submission, `${packageName}-${index}`, parties),
      ),
    );
    if (answers === undefined) {
      play.count("the other one failed");
      return;
    }
    play.count(answers[0].status === 200 ? "accepted" : (answers[0].body as { readonly code: string }).code);
    if ((answers[0].status === 200) === actions instanceof Refused)
      assert.fail(`submission ${index}: both say ${shown({ body: answers[0], named: pair[0].named })}, and not ${said(actions)}`);
    if (actions instanceof Refused) continue;
    for (const [which, answer] of answers.entries()) pair[which]!.contracts.meet(createdIn(answer), actions);
    store.apply(actions);
  }
  await readBoth(play, pair, { packageName, begin });
}

interface History {
  readonly packageName: string;
  readonly begin: readonly [number, number];
}

async function readBoth(play: Play, pair: Pair, { packageName, begin }: History): Promise<void> {
  const end = await ofBoth(pair, endOf);
  for (const { what, path, body } of readsOf(parties)) {
    const offsets = (index: 0 | 1): Offsets => ({ begin: begin[index], end: end[index] });
    await asked(pair, what, (node, index) => node.ask(path, body({ packageName, ...node.spelling }, offsets(index))));
    play.count("reads");
  }
}

export const besideAnother: Scenario = {
  name: "beside-another",
  unit: "ledgers",
  sizes: { test: 8, ci: 100, night: 5_000 },
  holds: `two nodes answer ${submissionsPerLedger} random submissions to a random model alike, and all reads of them: this program twice, or beside another one`,
  async run(play) {
    const pair = await startPair(play);
    await play.cases((seed) => playBeside(play, seed, pair), lanes);
  },
};
