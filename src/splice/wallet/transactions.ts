/** The history of a wallet, the newest first: what moved its owner's Amulet, and whose choice it was. */
import { isFailure, ok } from "../../base/result.js";
import type { EventFormatRequest, Offset, Party } from "../../ledger/index.js";
import { parseDecimal, showDecimal } from "../decimal.js";
import { effects, partyFormat, transactionPages } from "../history/reading.js";
import { spanOfEvent, treesOf, type Exercised, type LedgerEvent, type Node as NodeOf, type Transaction } from "../history/transaction.js";
import { asJavaInstant } from "../instants.js";
import { packageIdOf } from "../names.js";
import { pageSizeProblem } from "../page-size.js";
import { invalid, refuse } from "../refusal.js";
import { reasonKey } from "./commands.js";
import { movementsBelow, type Movements, type PartyAndAmount } from "./movements.js";
import type { Answer, Owner, WalletContext } from "./wallet-context.js";

export interface TransactionSubtype {
  readonly template_id: string;
  readonly choice: string;
  readonly amulet_operation?: string;
  readonly interface_id?: string;
}
interface TransactionHead {
  readonly transaction_subtype: TransactionSubtype;
  readonly event_id: string;
  readonly date: string;
}
export interface TransferItem extends TransactionHead {
  readonly transaction_type: "transfer";
  readonly sender: PartyAndAmount;
  readonly receivers: readonly PartyAndAmount[];
  readonly holding_fees: string;
  readonly app_rewards_used: string;
  readonly validator_rewards_used: string;
  readonly sv_rewards_used: string;
  readonly development_fund_coupons_used: string;
  readonly transfer_instruction_receiver?: string;
  readonly transfer_instruction_amount?: string;
  readonly transfer_instruction_cid?: string;
  readonly description?: string;
}
export interface BalanceChangeItem extends TransactionHead {
  readonly transaction_type: "balance_change";
  readonly receivers: readonly PartyAndAmount[];
  readonly transfer_instruction_cid?: string;
}
export type TransactionItem = TransferItem | BalanceChangeItem;

export interface TransactionsQuery {
  readonly beginAfterId: string | undefined;
  readonly pageSize: number;
}

type Node = NodeOf<LedgerEvent>;

export async function transactionsOf(
  context: WalletContext,
  { party }: Owner,
  { beginAfterId, pageSize }: TransactionsQuery,
): Answer<readonly TransactionItem[]> {
  const problem = pageSizeProblem(pageSize);
  if (problem) return problem;
  const end = beginAfterId === undefined ? ok(context.ledger.ledgerEnd()) : await offsetOf(context, party, beginAfterId);
  if (isFailure(end)) return end;
  const items: TransactionItem[] = [];
  let isBehind = beginAfterId === undefined;
  for await (const page of transactionPages(context.ledger, { format: seenBy(party), after: 0, to: end.ok, descending: true, pageSize })) {
    if (isFailure(page)) return refuse("internal", page.error.cause);
    for (const transaction of page.ok) {
      for (const item of [...(await itemsOf(context, transaction, party))].reverse()) {
        if (isBehind) items.push(item);
        else isBehind = item.event_id === beginAfterId;
      }
      isBehind ||= transaction.offset !== end.ok;
    }
    if (items.length >= pageSize) break;
  }
  return ok(items.slice(0, pageSize));
}

const seenBy = (party: Party): EventFormatRequest =>
  partyFormat({ [party]: { cumulative: [{ kind: "wildcard", includeCreatedEventBlob: false }] } });

async function offsetOf({ ledger }: WalletContext, party: Party, eventId: string): Answer<Offset> {
  const updateId = eventId.slice(0, Math.max(eventId.lastIndexOf(":"), 0));
  const read = await ledger.readUpdate({ by: { updateId }, format: effects(seenBy(party)), form: "flat" });
  return isFailure(read) ? invalid(`No transaction of this wallet has the id ${eventId}`) : ok((JSON.parse(read.ok) as Transaction).offset);
}

async function itemsOf(context: WalletContext, transaction: Transaction, party: Party): Promise<readonly TransactionItem[]> {
  const { roots } = treesOf(transaction.events, spanOfEvent),
    items: TransactionItem[] = [];
  for (const node of roots.flatMap((root) => ownStepsOf(context, root))) {
    const item = await itemOf(context, transaction, node, party);
    if (item) items.push(item);
  }
  return items;
}

const ownPackages: ReadonlySet<string> = new Set([
  "splice-amulet",
  "splice-wallet",
  "splice-wallet-payments",
  "splice-amulet-name-service",
]);

/** The topmost choices that are Amulet's, the wallet's or the token standard's: apps call them from choices of their own. */
function ownStepsOf(context: WalletContext, node: Node): readonly Node[] {
  const {
    event: { ExercisedEvent: exercised },
    children,
  } = node;
  if (!exercised) return [];
  const standard = exercised.interfaceId === null ? undefined : context.ledger.packageSummary(packageIdOf(exercised.interfaceId))?.name;
  const isOwn = ownPackages.has(exercised.packageName) || standard?.startsWith("splice-api-token-") === true;
  return isOwn ? [node] : children.flatMap((child) => ownStepsOf(context, child));
}

/** Choices after which somebody has more, and nobody has paid for it. */
const balanceChanges: Readonly<Record<string, string | undefined>> = {
  AmuletRules_DevNet_Tap: "tap",
  AmuletRules_Mint: "mint",
  TransferInstruction_Reject: undefined,
  TransferInstruction_Withdraw: undefined,
  Allocation_Withdraw: undefined,
  Allocation_Cancel: undefined,
  LockedAmulet_Unlock: undefined,
  LockedAmulet_UnlockV2: undefined,
  LockedAmulet_OwnerExpireLock: undefined,
  LockedAmulet_OwnerExpireLockV2: undefined,
};

interface TransferArgument {
  readonly transfer?: {
    readonly sender: Party | { readonly owner: Party };
    readonly receiver: Party | { readonly owner: Party };
    readonly amount: string;
    readonly meta?: { readonly values: Readonly<Record<string, string>> };
  };
}
const partyOf = (side: Party | { readonly owner: Party }): Party => (typeof side === "string" ? side : side.owner);

/** Undefined: no Amulet moved. */
async function itemOf(context: WalletContext, transaction: Transaction, node: Node, party: Party): Promise<TransactionItem | undefined> {
  const exercised = node.event.ExercisedEvent!,
    movements = await movementsBelow(context.contracts, node);
  if (movements.isEmpty) return undefined;
  const { choice, templateId, interfaceId } = exercised,
    operation = balanceChanges[choice];
  const head = {
    transaction_subtype: {
      template_id: templateId,
      choice,
      ...(operation === undefined ? {} : { amulet_operation: operation }),
      ...(interfaceId === null ? {} : { interface_id: interfaceId }),
    },
    event_id: `${transaction.updateId}:${exercised.nodeId}`,
    date: asJavaInstant(transaction.effectiveAt),
  };
  const instruction = choice.startsWith("TransferInstruction_") ? { transfer_instruction_cid: exercised.contractId } : {};
  if (choice in balanceChanges) return { transaction_type: "balance_change", ...head, receivers: movements.gains(), ...instruction };
  return { transaction_type: "transfer", ...head, ...transferFacts(exercised, movements, party), ...instruction };
}

const nothing = showDecimal(0n);

function transferFacts(exercised: Exercised, movements: Movements, party: Party) {
  const { transfer } = exercised.choiceArgument as TransferArgument,
    { summary } = summaryOf(exercised.exerciseResult);
  const gains = movements.gains(),
    [locked] = movements.lockedOwners;
  const sender = transfer ? partyOf(transfer.sender) : (movements.payer() ?? locked ?? party);
  const receivers = gains.filter((gain) => gain.party !== sender);
  const net = movements.of(sender),
    fromLock = locked === sender && net >= 0n;
  const paid = fromLock ? -receivers.reduce((total, { amount }) => total + parseDecimal(amount), 0n) : net;
  const pending = pendingInstruction(exercised.exerciseResult),
    description = transfer?.meta?.values[reasonKey];
  return {
    sender: { party: sender, amount: showDecimal(paid) },
    receivers,
    holding_fees: summary?.holdingFees ?? nothing,
    app_rewards_used: summary?.inputAppRewardAmount ?? nothing,
    validator_rewards_used: summary?.inputValidatorRewardAmount ?? nothing,
    sv_rewards_used: summary?.inputSvRewardAmount ?? nothing,
    development_fund_coupons_used: nothing,
    ...(pending && transfer
      ? {
          transfer_instruction_receiver: partyOf(transfer.receiver),
          transfer_instruction_amount: transfer.amount,
          transfer_instruction_cid: pending,
        }
      : {}),
    ...(description === undefined ? {} : { description }),
  };
}

interface TransferSummary {
  readonly holdingFees: string;
  readonly inputAppRewardAmount: string;
  readonly inputValidatorRewardAmount: string;
  readonly inputSvRewardAmount: string;
}

/** Where a choice tells one. */
function summaryOf(result: unknown): { readonly summary?: TransferSummary } {
  const { summary, transferResult, result: inner } = (result ?? {}) as Readonly<Record<"summary" | "transferResult" | "result", unknown>>;
  if (summary !== undefined) return { summary: summary as TransferSummary };
  const below = transferResult ?? inner;
  return typeof below === "object" && below !== null ? summaryOf(below) : {};
}

function pendingInstruction(result: unknown): string | undefined {
  const { output } = (result ?? {}) as { readonly output?: { readonly value?: { readonly transferInstructionCid?: string } } };
  return output?.value?.transferInstructionCid;
}
