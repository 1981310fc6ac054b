/** Two nodes that are asked the same, ours first: this program, and this program again or the node that LEDGERLINE_BESIDE names, a Canton sandbox say. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { text } from "../../support/knobs.js";
import { startNodeProcess } from "../../support/node-process.js";
import type { Play } from "../scenario.js";
import { difference, type Told } from "./difference.js";
import { type Answer, type Ask, askAt, NodeBeside } from "./node-beside.js";

export const parties = ["alice", "bob", "carol", "dave"];

/** Cases that are played at once. */
export const lanes = 4;

export type Pair = readonly [NodeBeside, NodeBeside];

export const ofBoth = <T>([ours, other]: Pair, make: (node: NodeBeside, index: 0 | 1) => Promise<T>): Promise<readonly [T, T]> =>
  Promise.all([make(ours, 0), make(other, 1)]);

export const withNoContracts = ([ours, other]: Pair): Pair => [ours.withNoContracts(), other.withNoContracts()];

/** A fault of its own is no answer of a node that is not ours. */
export const hasFailed = ([ours, other]: readonly [Answer, Answer], [, { isForeign }]: Pair): boolean =>
  isForeign && other.status === 500 && ours.status < 500;

/** What differs between two answers, with both; undefined where nothing does. */
export function differenceOf(answers: readonly [Answer, Answer], pair: Pair): string | undefined {
  const [ours, other] = answers.map((body, index): Told => ({ body, named: pair[index]!.named })) as [Told, Told],
    found = difference(ours, other);
  return found === undefined ? undefined : `${found}\nours:  ${shown(ours)}\nother: ${shown(other)}`;
}

const charactersShown = 3_000;
export const shown = ({ body, named }: Told): string => named(JSON.stringify(body)).slice(0, charactersShown);

export async function expectOk<T>(answer: Promise<Answer>): Promise<T> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

interface Transaction {
  readonly transaction?: { readonly events: readonly { readonly CreatedEvent?: { readonly contractId: string } }[] };
}
/** Ids of contracts in the order in which they were made; none where a submission was refused. */
export const createdIn = ({ body }: Answer): readonly string[] =>
  ((body as Transaction).transaction?.events ?? []).flatMap(({ CreatedEvent }) =>
    CreatedEvent === undefined ? [] : [CreatedEvent.contractId],
  );

/** Both asked by way of what is given, with parties that are this run's own; `isForeign`: the other one is not this program. */
export async function begin(ours: Ask, other: Ask, isForeign = false): Promise<Pair> {
  const hint = randomBytes(4).toString("hex");
  return Promise.all([NodeBeside.begin(ours, parties, hint, false), NodeBeside.begin(other, parties, hint, isForeign)]);
}

/** Nodes of this program end with the play. */
export async function startPair(play: Play): Promise<Pair> {
  const ours = await startOurs(play),
    foreign = text("LEDGERLINE_BESIDE");
  if (foreign === undefined)
    play.notes.push("beside another node of this program: LEDGERLINE_BESIDE gives the address of a node to be compared with");
  return begin(ours, foreign === undefined ? await startOurs(play, "--workers", "3") : askAt(foreign), foreign !== undefined);
}

async function startOurs(play: Play, ...args: readonly string[]): Promise<Ask> {
  const node = await startNodeProcess(["--memory", ...args]);
  play.after(() => node.stop());
  return askAt(`http://127.0.0.1:${node.port}`);
}
