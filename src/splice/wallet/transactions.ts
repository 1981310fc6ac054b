/** The history of a wallet, the newest first, in pages. */
import { isFailure, ok } from "../../base/result.js";
import type { EventFormatRequest, Offset, Party } from "../../ledger/index.js";
import { effects, partyFormat, transactionPages } from "../history/reading.js";
import type { Transaction } from "../history/transaction.js";
import { pageSizeProblem } from "../page-size.js";
import { type Answer, refuse } from "../refusal.js";
import { HistoryItems, type TransactionItem } from "./history-items.js";
import type { Owner, WalletContext } from "./wallet-context.js";

export interface TransactionsQuery {
  readonly beginAfterId: string | undefined;
  readonly pageSize: number;
}

/** Behind an id that is none of this wallet's, or whose transaction was pruned, there is nothing. */
export async function transactionsOf(
  context: WalletContext,
  { party }: Owner,
  { beginAfterId, pageSize }: TransactionsQuery,
): Answer<readonly TransactionItem[]> {
  const problem = pageSizeProblem(pageSize);
  if (problem) return problem;
  const end = beginAfterId === undefined ? context.ledger.ledgerEnd() : await offsetOf(context, party, beginAfterId);
  if (end === undefined) return ok([]);
  const { turns } = context,
    { ok: dso } = await context.network.dso(),
    history = new HistoryItems(context, party, dso),
    items: TransactionItem[] = [];
  let isBehind = beginAfterId === undefined;
  for await (const page of transactionPages(context.ledger, { format: seenBy(party), after: 0, to: end, descending: true, pageSize })) {
    if (isFailure(page)) return refuse("internal", page.error.cause);
    for (const transaction of page.ok) {
      if (turns.isOver) await turns.next();
      for (const item of [...(await history.of(transaction))].reverse()) {
        if (isBehind) items.push(item);
        else isBehind = item.event_id === beginAfterId;
      }
      if (!isBehind) return ok([]);
      if (items.length >= pageSize) return ok(items.slice(0, pageSize));
    }
  }
  return ok(items);
}

const seenBy = (party: Party): EventFormatRequest =>
  partyFormat({ [party]: { cumulative: [{ kind: "wildcard", includeCreatedEventBlob: false }] } });

async function offsetOf({ ledger }: WalletContext, party: Party, eventId: string): Promise<Offset | undefined> {
  const updateId = eventId.slice(eventId.startsWith("#") ? 1 : 0, Math.max(eventId.indexOf(":"), 0));
  const read = await ledger.readUpdate({ by: { updateId }, format: effects(seenBy(party)), form: "flat" });
  return isFailure(read) ? undefined : (JSON.parse(read.ok) as Transaction).offset;
}
