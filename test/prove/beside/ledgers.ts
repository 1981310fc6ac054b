/**
 * Random models of several parties: the same submissions to two nodes, and the same reads of what came of them. The other one is this
 * program again, or the node that LEDGERLINE_BESIDE names: a Canton sandbox, say.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { encodePackage } from "../../../src/lf/archive/index.js";
import { submissionsPerLedger, worldOf } from "../../lf/ledger-oracle/difference.js";
import { type Action, Refused, Store } from "../../lf/ledger-oracle/ledger.js";
import { LedgerOracle } from "../../lf/ledger-oracle/oracle.js";
import { evaluated, packageOfModel } from "../../lf/ledger-oracle/run.js";
import { text } from "../../support/knobs.js";
import { buildDar } from "../../support/lf-builder.js";
import { startNodeProcess } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";
import { difference, type Told } from "./difference.js";
import { type Answer, type Ask, askAt, NodeBeside } from "./node-beside.js";
import { type Offsets, readsOf, submissionOf } from "./requests.js";

/** Nodes roll back nothing that had an effect, whether there are keys or not. */
const mode = "NUCK";

const parties = ["alice", "bob", "carol", "dave"],
  lanes = 4;

/** Ours first. */
export type Pair = readonly [NodeBeside, NodeBeside];

const ofBoth = <T>([ours, other]: Pair, make: (node: NodeBeside, index: 0 | 1) => Promise<T>): Promise<readonly [T, T]> =>
  Promise.all([make(ours, 0), make(other, 1)]);

/** Asks both, and holds their answers against each other; undefined where a node that is not ours met a fault of its own. */
async function asked(
  pair: Pair,
  what: string,
  ask: (node: NodeBeside, index: 0 | 1) => Promise<Answer>,
): Promise<readonly [Answer, Answer] | undefined> {
  const answers = await ofBoth(pair, ask);
  if (answers[1].status === 500 && pair[1].isForeign && answers[0].status < 500) return undefined;
  const [ours, other] = answers.map((body, index): Told => ({ body, named: pair[index]!.named })) as [Told, Told],
    found = difference(ours, other);
  if (found !== undefined) assert.fail(`${what}: ${found}\nours:  ${shown(ours)}\nother: ${shown(other)}`);
  return answers;
}

const said = (actions: readonly Action[] | Refused): string => (actions instanceof Refused ? actions.class_ : "that it is done");

const charactersShown = 3_000;
const shown = ({ body, named }: Told): string => named(JSON.stringify(body)).slice(0, charactersShown);

async function expectOk<T>(answer: Promise<Answer>): Promise<T> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

const endOf = async ({ ask }: NodeBeside): Promise<number> =>
  (await expectOk<{ readonly offset: number }>(ask("/v2/state/ledger-end"))).offset;

/** One random ledger at both nodes. */
export async function playBeside(play: Play, seed: number, around: Pair): Promise<void> {
  const { model, plans } = worldOf(seed),
    packageName = `beside-${seed}-${randomBytes(4).toString("hex")}`,
    store = new Store();
  const dar = buildDar(encodePackage({ ...packageOfModel(model), name: packageName, minor: model.lfVersion === "2.3" ? "3" : "1" }));
  const pair: Pair = [around[0].withNoContracts(), around[1].withNoContracts()];
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
    for (const [which, { body }] of answers.entries()) pair[which]!.contracts.meet(createdIn(body), actions);
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

interface Transaction {
  readonly transaction: { readonly events: readonly { readonly CreatedEvent?: { readonly contractId: string } }[] };
}
const createdIn = (body: unknown): readonly string[] =>
  (body as Transaction).transaction.events.flatMap(({ CreatedEvent }) => (CreatedEvent === undefined ? [] : [CreatedEvent.contractId]));

/** Both asked by way of what is given, with parties that are this run's own; `isForeign`: the other one is not this program. */
export async function begin(ours: Ask, other: Ask, isForeign = false): Promise<Pair> {
  const hint = randomBytes(4).toString("hex");
  return Promise.all([NodeBeside.begin(ours, parties, hint, false), NodeBeside.begin(other, parties, hint, isForeign)]);
}

/** Nodes of this program end with the play. */
async function startOurs(play: Play, ...args: readonly string[]): Promise<Ask> {
  const node = await startNodeProcess(["--memory", ...args]);
  play.after(() => node.stop());
  return askAt(`http://127.0.0.1:${node.port}`);
}

export const besideAnother: Scenario = {
  name: "beside-another",
  unit: "ledgers",
  sizes: { test: 8, ci: 100, night: 5_000 },
  holds: `two nodes answer ${submissionsPerLedger} random submissions to a random model alike, and all reads of them: this program twice, or beside another one`,
  async run(play) {
    const ours = await startOurs(play),
      foreign = text("LEDGERLINE_BESIDE");
    if (foreign === undefined)
      play.notes.push("beside another node of this program: LEDGERLINE_BESIDE gives the address of a node to be compared with");
    const pair = await begin(ours, foreign === undefined ? await startOurs(play, "--workers", "3") : askAt(foreign), foreign !== undefined);
    await play.cases((seed) => playBeside(play, seed, pair), lanes);
  },
};
