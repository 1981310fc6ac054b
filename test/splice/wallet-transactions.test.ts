/** Pages of a wallet's history, on a history that is made up: what is read for them, and that others come between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElementWriter } from "../../src/base/element-writer.js";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import type { Participant } from "../../src/ledger/index.js";
import type { LedgerEvent } from "../../src/splice/history/transaction.js";
import { transactionsOf } from "../../src/splice/wallet/transactions.js";
import type { WalletContext } from "../../src/splice/wallet/wallet-context.js";
import { ownTurns } from "../support/turns.js";

const alice = { userId: "alice", party: "alice" },
  transactionsMade = 12,
  itemsEach = 3,
  inputsEach = 40;

const common = (nodeId: number, entity: string) => ({
  nodeId,
  contractId: `c${nodeId}`,
  templateId: `p:${entity}`,
  packageName: "splice-amulet",
  witnessParties: [],
});
const spent = (nodeId: number, contractId: string): LedgerEvent => ({
  ExercisedEvent: {
    ...common(nodeId, "Splice.Amulet:Amulet"),
    contractId,
    interfaceId: null,
    choice: "Archive",
    choiceArgument: {},
    exerciseResult: {},
    actingParties: [],
    consuming: true,
    lastDescendantNodeId: nodeId,
  },
});

/** Transfers, each of which spends as much Amulet as another. */
const eventsAt = (offset: number): readonly LedgerEvent[] =>
  Array.from({ length: itemsEach }, (_, item) => {
    const first = item * (inputsEach + 1),
      transfer: LedgerEvent = {
        ExercisedEvent: {
          ...common(first, "Splice.AmuletRules:AmuletRules"),
          interfaceId: null,
          choice: "AmuletRules_Transfer",
          choiceArgument: { transfer: { sender: "alice" } },
          exerciseResult: {},
          actingParties: [],
          consuming: false,
          lastDescendantNodeId: first + inputsEach,
        },
      };
    return [transfer, ...Array.from({ length: inputsEach }, (_, input) => spent(first + 1 + input, `${offset}-${item}-${input}`))];
  }).flat();

const transactionAt = (offset: number) => ({
  updateId: `1220${offset}`,
  offset,
  effectiveAt: "2026-01-01T00:00:00Z",
  events: eventsAt(offset),
});

/** A ledger with so many transactions, which counts what is looked up. */
class MadeUp {
  lookups = 0;
  found = 0;

  context(turns: Turns): WalletContext {
    const ledger: Partial<Participant> = {
      ledgerEnd: () => transactionsMade,
      prunedOffsets: () => ({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 }),
      packageSummary: () => undefined,
      openUpdates: ({ endInclusive }) => ok(this.#cursor(Number(endInclusive))),
      readUpdate: async ({ by }) => ok(JSON.stringify(transactionAt(Number((by as { updateId: string }).updateId.slice("1220".length))))),
    };
    const contracts = {
      interfaceIds: () => [],
      creationsOf: async (contractIds: readonly string[]) => {
        this.lookups++;
        this.found += contractIds.length;
        return new Map(contractIds.map((id) => [id, { payload: { owner: "alice", amount: { initialAmount: "1.0" } }, createdAt: "" }]));
      },
    };
    return { ledger, contracts, turns, network: { dso: async () => ok(undefined) } } as unknown as WalletContext;
  }

  #cursor(from: number) {
    let next = from;
    return {
      get ended() {
        return next === 0;
      },
      read: (max: number, out: ElementWriter): number => {
        const count = Math.min(max, next);
        for (let written = 0; written < count; written++) {
          out.begin();
          out.text(JSON.stringify({ update: { Transaction: { value: transactionAt(next--) } } }));
          out.end();
        }
        return count;
      },
      wait: async () => undefined,
      close: () => undefined,
    };
  }
}

const idsOf = async (context: WalletContext, pageSize: number, beginAfterId?: string): Promise<readonly string[]> =>
  (await transactionsOf(context, alice, { pageSize, beginAfterId })).ok!.map(({ event_id }) => event_id);

test("wallet transactions: pages of any size give every item once, the newest first", async () => {
  const context = new MadeUp().context(ownTurns()),
    all = await idsOf(context, 1_000);
  assert.equal(all.length, transactionsMade * itemsEach);
  assert.equal(all[0], `#1220${transactionsMade}:${2 * (inputsEach + 1)}`);
  for (const size of [1, 2, 3, 4, 7, 35, 36, 37]) {
    const paged: string[] = [];
    for (let page = await idsOf(context, size); page.length > 0; page = await idsOf(context, size, page.at(-1))) paged.push(...page);
    assert.deepEqual(paged, all, `pages of ${size}`);
  }
});

test("wallet transactions: of what is read those are told that a page has room for, and what each spends is looked up together", async () => {
  const ledger = new MadeUp();
  assert.equal((await idsOf(ledger.context(ownTurns()), 4)).length, 4);
  assert.deepEqual([ledger.lookups, ledger.found], [2 * itemsEach, 2 * itemsEach * inputsEach]);
});

test("wallet transactions: while they are told others have their turn", async () => {
  let turns = 0,
    isRead = false;
  const count = (): void => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  await idsOf(new MadeUp().context(new Turns(0)), 1_000);
  isRead = true;
  assert.ok(turns >= transactionsMade * itemsEach, `${turns} turns`);
});
