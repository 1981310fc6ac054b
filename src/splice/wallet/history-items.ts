/**
 * What a transaction is to a wallet: transfers in which its owner sends or receives, changes of what is his that nobody paid for, and
 * notices of what ended without either.
 * Amulet that is locked counts as gone, and comes back when it is unlocked: what a payment takes out of a lock was paid before.
 */
import type { Turns } from "../../base/turns.js";
import type { Participant, Party } from "../../ledger/index.js";
import type { Contracts } from "../contracts.js";
import { parseDecimal, showDecimal } from "../decimal.js";
import { isOfNetwork } from "../dso-of.js";
import {
  spanOfEvent,
  treesOf,
  type Created,
  type Exercised,
  type LedgerEvent,
  type Node as NodeOf,
  type Transaction,
} from "../history/transaction.js";
import { asIsoTime } from "../instants.js";
import { entityOf, interfaces, packageIdOf, packageNames, templates } from "../names.js";
import { reasonKey } from "./commands.js";
import { isAmulet, movementsBelow, type Movements, type PartyAndAmount } from "./movements.js";

export interface TransactionSubtype {
  readonly template_id: string;
  readonly choice: string;
  /** Of an operation that failed in a batch of a wallet's: there are none here, nor with packages of today, where the batch fails with it. */
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
export interface NotificationItem extends TransactionHead {
  readonly transaction_type: "notification";
  readonly details: string;
}
export interface UnknownItem extends TransactionHead {
  readonly transaction_type: "unknown";
}
export type TransactionItem = TransferItem | BalanceChangeItem | NotificationItem | UnknownItem;

type Node = NodeOf<LedgerEvent>;

/** How a choice is told. */
interface Kind {
  readonly type: "transfer" | "balance_change";
  /** Under another name than its own. */
  readonly as?: { readonly entity: string; readonly choice: string };
  /** Amulet that goes to nobody: it is burnt, where it costs any. */
  readonly burns?: true;
  /** What is unlocked for it is told apart. */
  readonly unlocksApart?: true;
  /** As no change, however much it was. */
  readonly isWorthless?: true;
  /** Of the second generation leg by leg, which it has once it is settled. */
  readonly byLegs?: true;
}
const transfer: Kind = { type: "transfer" },
  balanceChange: Kind = { type: "balance_change" };
const plainTransfer: Kind = { ...transfer, as: { entity: templates.amuletRules.entity, choice: "AmuletRules_Transfer" } };
const unlocking: Kind = { ...balanceChange, as: { entity: templates.lockedAmulet.entity, choice: "LockedAmulet_Unlock" } },
  ownerExpiry: Kind = { ...balanceChange, as: { entity: templates.lockedAmulet.entity, choice: "LockedAmulet_OwnerExpireLock" } };
const expiry = (entity: string, choice: string): Kind => ({ ...balanceChange, isWorthless: true, as: { entity, choice } });
const amuletExpiry = expiry(templates.amulet.entity, "Amulet_Expire"),
  lockedExpiry = expiry(templates.lockedAmulet.entity, "LockedAmulet_ExpireAmulet");
const preapproval: Kind = {
  ...transfer,
  burns: true,
  as: { entity: templates.amuletRules.entity, choice: "AmuletRules_CreateTransferPreapproval" },
};

/** Choices that a wallet tells of, of whichever package calls them. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["AmuletRules_Transfer", transfer],
  ["AmuletRules_BuyMemberTraffic", transfer],
  ["AmuletRules_CreateTransferPreapproval", preapproval],
  ["AmuletRules_CreateExternalPartySetupProposal", preapproval],
  ["TransferPreapproval_Renew", { ...transfer, burns: true }],
  ["TransferPreapproval_Send", transfer],
  ["TransferPreapproval_SendV2", { ...transfer, as: { entity: templates.transferPreapproval.entity, choice: "TransferPreapproval_Send" } }],
  ["AcceptedTransferOffer_Complete", transfer],
  ["AppPaymentRequest_Accept", transfer],
  ["AcceptedAppPayment_Collect", transfer],
  ["SubscriptionRequest_AcceptAndMakePayment", transfer],
  ["SubscriptionInitialPayment_Collect", transfer],
  ["SubscriptionIdleState_MakePayment", transfer],
  ["SubscriptionPayment_Collect", transfer],
  ["AnsRules_CollectInitialEntryPayment", transfer],
  ["AnsRules_CollectEntryRenewalPayment", transfer],
  ["TransferFactory_Transfer", transfer],
  ["TransferInstruction_Accept", transfer],
  ["AllocationFactory_Allocate", { ...plainTransfer, byLegs: true }],
  ["Allocation_ExecuteTransfer", { ...plainTransfer, unlocksApart: true }],
  ["SettlementFactory_SettleBatch", { ...plainTransfer, byLegs: true }],
  ["AmuletRules_DevNet_Tap", balanceChange],
  ["AmuletRules_Mint", balanceChange],
  ["AcceptedAppPayment_Reject", balanceChange],
  ["AcceptedAppPayment_Expire", balanceChange],
  ["SubscriptionInitialPayment_Reject", balanceChange],
  ["SubscriptionInitialPayment_Expire", balanceChange],
  ["SubscriptionPayment_Reject", balanceChange],
  ["SubscriptionPayment_Expire", balanceChange],
  ["TransferInstruction_Reject", balanceChange],
  ["TransferInstruction_Withdraw", balanceChange],
  ["LockedAmulet_Unlock", unlocking],
  ["LockedAmulet_UnlockV2", unlocking],
  ["LockedAmulet_OwnerExpireLock", ownerExpiry],
  ["LockedAmulet_OwnerExpireLockV2", ownerExpiry],
  ["Amulet_Expire", amuletExpiry],
  ["Amulet_ExpireV2", amuletExpiry],
  ["LockedAmulet_ExpireAmulet", lockedExpiry],
  ["LockedAmulet_ExpireAmuletV2", lockedExpiry],
]);

const ownPackages: ReadonlySet<string> = new Set<string>([
  packageNames.amulet,
  packageNames.wallet,
  packageNames.walletPayments,
  packageNames.nameService,
]);

interface Account {
  readonly owner: Party | null;
}
type Side = Party | Account;
interface TransferArgument {
  readonly sender: Side;
  readonly receiver?: Side;
  readonly amount?: string;
  readonly instrumentId?: { readonly admin: Party };
  readonly meta?: { readonly values: Readonly<Record<string, string>> };
}
interface Leg {
  readonly transferLegId: string;
  readonly sender: { readonly owner: Party };
  /** Without an owner: it is burnt. */
  readonly receiver: Account;
  readonly amount: string;
  readonly instrumentId: string;
}
interface Argument {
  readonly transfer?: TransferArgument;
  readonly sender?: Side;
  /** Who buys traffic, or pays for a preapproval. */
  readonly provider?: Party;
  readonly validator?: Party;
  readonly description?: string | null;
}
/** An account without an owner is its admin's. */
const partyOf = (side: Side, { instrumentId }: TransferArgument): Party =>
  typeof side === "string" ? side : (side.owner ?? instrumentId?.admin ?? "");

const amuletId = "Amulet",
  makesOffer = "TransferFactory_Transfer",
  onInstruction = "TransferInstruction_";
const nothing = showDecimal(0n);
const noRewards = {
  holding_fees: nothing,
  app_rewards_used: nothing,
  validator_rewards_used: nothing,
  sv_rewards_used: nothing,
  development_fund_coupons_used: nothing,
};

export interface HistoryItemsContext {
  readonly contracts: Pick<Contracts, "creationsOf" | "interfaceIds">;
  readonly ledger: Pick<Participant, "packageSummary">;
  readonly turns: Turns;
}

export class HistoryItems {
  readonly #context: HistoryItemsContext;
  readonly #party: Party;
  readonly #dso: Party | undefined;
  #offerInterface: string | undefined;

  /** `dso`: the network's; undefined: there is none. */
  constructor(context: HistoryItemsContext, party: Party, dso: Party | undefined) {
    this.#context = context;
    this.#party = party;
    this.#dso = dso;
  }

  /** In the order of the events. */
  async of(transaction: Transaction): Promise<readonly TransactionItem[]> {
    const { roots } = treesOf(transaction.events, spanOfEvent);
    if (roots.some((root) => this.#isBare(root))) return [unknownItem(roots[0]!, transaction)];
    return this.#each(roots, (root) => this.#below(root, transaction));
  }

  /** Amulet that is there, or gone, by no choice of Amulet's: what that means nobody knows, nor what the rest of the transaction does. */
  #isBare({ event: { CreatedEvent: created, ExercisedEvent: exercised }, children }: Node): boolean {
    if (created) return isAmulet(created.templateId, created.packageName) && isOfNetwork(created.createArgument, this.#dso);
    if (isAmulet(exercised.templateId, exercised.packageName) && exercised.choice === archive) return true;
    return !this.#isOwn(exercised) && children.some((child) => this.#isBare(child));
  }

  async #below(node: Node, transaction: Transaction): Promise<readonly TransactionItem[]> {
    const { ExercisedEvent: exercised } = node.event;
    if (exercised && !this.#isOwn(exercised)) return this.#each(node.children, (child) => this.#below(child, transaction));
    const known = await this.#known(node, transaction);
    // A choice of Amulet's that is not in the list may move Amulet all the same.
    return known.length > 0 || !exercised || kinds.has(exercised.choice) || exercised.choice === archive
      ? known
      : this.#item(node, transfer, transaction);
  }

  async #known(node: Node, transaction: Transaction): Promise<readonly TransactionItem[]> {
    const { CreatedEvent: created, ExercisedEvent: exercised } = node.event;
    if (created) return this.#offered(created, transaction);
    if (exercised.choice === expiredSubscription) return [expiryNotice(exercised, transaction)];
    if (exercised.choice === walletBatch) return this.#each(node.children, (child) => this.#inBatch(child, exercised, transaction));
    const kind = kinds.get(exercised.choice),
      isAmuletV2 = exercised.packageName === packageNames.amulet && isOfSecondGeneration(exercised);
    if (kind?.byLegs && isAmuletV2) return this.#legs(exercised, kind, transaction);
    const wraps = isAmuletV2 && exercised.choice.startsWith(onInstruction);
    if (kind && !kind.unlocksApart && !wraps) {
      const items = await this.#item(node, kind, transaction);
      return exercised.choice === makesOffer && items.length === 0 ? this.#offeredBelow(node, transaction) : items;
    }
    const nested = await this.#each(node.children, (child) => this.#known(child, transaction));
    if (wraps && nested.length > 0) return nested; // the first generation's step, which the second's takes
    return kind && !nested.some(isTransfer) ? [...nested, ...(await this.#item(node, kind, transaction))] : nested;
  }

  /** A plain transfer in a batch of a wallet is its automation's: that collects rewards and merges what is held. */
  async #inBatch(node: Node, batch: Exercised, transaction: Transaction): Promise<readonly TransactionItem[]> {
    const items = await this.#known(node, transaction),
      isAutomatic = node.event.ExercisedEvent?.choice === plainTransfer.as?.choice;
    return isAutomatic ? items.map((item) => ({ ...item, transaction_subtype: subtypeOf(batch, undefined) })) : items;
  }

  async #each(nodes: readonly Node[], itemsOf: (node: Node) => Promise<readonly TransactionItem[]>): Promise<readonly TransactionItem[]> {
    const items: TransactionItem[] = [];
    for (const node of nodes) {
      if (this.#context.turns.isOver) await this.#context.turns.next();
      items.push(...(await itemsOf(node)));
    }
    return items;
  }

  #isOwn({ packageName, interfaceId }: Exercised): boolean {
    return ownPackages.has(packageName) || (interfaceId !== null && this.#packageOf(interfaceId)?.startsWith("splice-api-token-") === true);
  }
  #packageOf(id: string): string | undefined {
    return this.#context.ledger.packageSummary(packageIdOf(id))?.name;
  }

  /** In the second generation he sees the choice that makes it, too, and by that it is told. */
  #offeredBelow({ event: { ExercisedEvent: exercised }, children }: Node, transaction: Transaction): readonly TransactionItem[] {
    return children.flatMap(({ event: { CreatedEvent: created } }) =>
      created ? this.#offered(created, transaction, exercised!.nodeId) : [],
    );
  }

  /** Whom somebody offers Amulet sees nothing but the offer. */
  #offered(created: Created, transaction: Transaction, nodeId = created.nodeId): readonly TransactionItem[] {
    const { contractId, templateId, packageName, createArgument } = created,
      { packageName: amulet, entity } = templates.amuletTransferInstruction;
    if (packageName !== amulet || entityOf(templateId) !== entity || !isOfNetwork(createArgument, this.#dso)) return [];
    const { transfer: offer } = createArgument as { readonly transfer: Required<TransferArgument> },
      receiver = partyOf(offer.receiver, offer);
    if (receiver !== this.#party) return [];
    const transaction_subtype = {
      template_id: `${packageIdOf(templateId)}:${templates.externalPartyAmuletRules.entity}`,
      choice: makesOffer,
      ...this.#offerSubtype(),
    };
    return [
      {
        transaction_type: "transfer",
        ...headOf(transaction, nodeId, transaction_subtype),
        sender: { party: partyOf(offer.sender, offer), amount: nothing },
        receivers: [{ party: receiver, amount: nothing }],
        ...noRewards,
        transfer_instruction_receiver: receiver,
        transfer_instruction_amount: offer.amount,
        transfer_instruction_cid: contractId,
        ...described(offer.meta.values[reasonKey]),
      },
    ];
  }

  #offerSubtype(): { readonly interface_id?: string } {
    this.#offerInterface ??= this.#context.contracts.interfaceIds(interfaces.v1.transferFactory)[0] ?? "";
    return this.#offerInterface === "" ? {} : { interface_id: this.#offerInterface };
  }

  /** Of the allocations in a batch only net amounts move. */
  #legs(exercised: Exercised, { as }: Kind, transaction: Transaction): readonly TransactionItem[] {
    const { transferLegs = [] } = exercised.choiceArgument as { readonly transferLegs?: readonly Leg[] };
    const mine = transferLegs.filter(
      ({ instrumentId, sender, receiver }) => instrumentId === amuletId && [sender.owner, receiver.owner].includes(this.#party),
    );
    const { event_id, ...head } = headOf(transaction, exercised.nodeId, subtypeOf(exercised, as));
    return mine.map(({ transferLegId, sender, receiver, amount }): TransferItem => {
      const parts = parseDecimal(amount);
      return {
        transaction_type: "transfer",
        ...head,
        event_id: `${event_id}:${transferLegId}`,
        sender: { party: sender.owner, amount: showDecimal(-parts) },
        receivers: receiver.owner === null ? [] : [{ party: receiver.owner, amount: showDecimal(parts) }],
        ...noRewards,
      };
    });
  }

  async #item(node: Node, kind: Kind, transaction: Transaction): Promise<readonly TransactionItem[]> {
    const exercised = node.event.ExercisedEvent!,
      { choice, contractId } = exercised;
    const movements = await movementsBelow({ contracts: this.#context.contracts, dso: this.#dso }, node),
      isOffer = choice.startsWith(onInstruction) && exercised.packageName === packageNames.amulet;
    if (movements.isEmpty && !kind.burns && !(isOffer && kind.type === "balance_change")) return [];
    const output = outputOf(exercised.exerciseResult),
      as = choice === makesOffer && !output?.transferInstructionCid ? plainTransfer.as : kind.as;
    // Offers are told as the first generation's, whichever made them.
    const subtype = {
      ...subtypeOf(exercised, as),
      ...(choice === makesOffer && !as && isOfSecondGeneration(exercised) && this.#offerSubtype()),
    };
    const head = headOf(transaction, exercised.nodeId, subtype),
      instruction = isOffer ? { transfer_instruction_cid: contractId } : {};
    if (kind.type === "transfer") {
      const facts = this.#transferFacts(node, movements, kind);
      const isConcerned = [facts.sender, ...facts.receivers].some(({ party }) => party === this.#party);
      return isConcerned ? [{ transaction_type: "transfer", ...head, ...facts, ...instruction }] : [];
    }
    // Who is offered Amulet learns of the end of the offer, too.
    const isMine = isOffer || movements.concern(this.#party),
      receivers = [{ party: this.#party, amount: kind.isWorthless ? nothing : showDecimal(movements.of(this.#party)) }];
    return isMine ? [{ transaction_type: "balance_change", ...head, receivers, ...instruction }] : [];
  }

  #transferFacts(node: Node, movements: Movements, { burns, unlocksApart }: Kind) {
    const { choiceArgument, exerciseResult } = node.event.ExercisedEvent!,
      { transfer: asked, description } = choiceArgument as Argument;
    const sender = senderBelow(node) ?? movements.payer() ?? [...movements.lockedOwners][0] ?? this.#party;
    const receivers = burns ? [] : movements.received().filter(({ party }) => party !== sender);
    const { summary } = summaryOf(exerciseResult),
      pending = outputOf(exerciseResult)?.transferInstructionCid;
    const gained = receivers.reduce((total, { parts }) => total + parts, 0n);
    return {
      sender: { party: sender, amount: showDecimal(unlocksApart ? -gained : movements.of(sender)) },
      receivers: receivers.map(({ party, parts }) => ({ party, amount: showDecimal(parts) })),
      ...noRewards,
      ...(summary && {
        holding_fees: summary.holdingFees,
        app_rewards_used: summary.inputAppRewardAmount,
        validator_rewards_used: summary.inputValidatorRewardAmount,
        sv_rewards_used: summary.inputSvRewardAmount,
        development_fund_coupons_used: summary.inputDevelopmentFundAmount ?? nothing,
      }),
      ...(pending !== undefined && asked?.receiver !== undefined && asked.amount !== undefined
        ? {
            transfer_instruction_receiver: partyOf(asked.receiver, asked),
            transfer_instruction_amount: asked.amount,
            transfer_instruction_cid: pending,
          }
        : {}),
      ...described(asked?.meta?.values[reasonKey] ?? description ?? undefined),
    };
  }
}

/** As choices name him: who pays with rewards may have more than before. */
function senderBelow({ event: { ExercisedEvent: exercised }, children }: Node): Party | undefined {
  if (!exercised) return undefined;
  const { transfer: asked, sender, provider, validator } = exercised.choiceArgument as Argument;
  if (asked) return partyOf(asked.sender, asked);
  const named = sender ?? provider ?? validator ?? ((exercised.exerciseResult ?? {}) as Argument).provider;
  if (typeof named === "string") return named;
  for (const child of children) {
    const below = senderBelow(child);
    if (below !== undefined) return below;
  }
  return undefined;
}

const archive = "Archive";
const unknownItem = ({ event }: Node, transaction: Transaction): UnknownItem => ({
  transaction_type: "unknown",
  ...headOf(transaction, (event.CreatedEvent ?? event.ExercisedEvent).nodeId, { template_id: "unknown", choice: "unknown" }),
});

const isTransfer = ({ transaction_type }: TransactionItem): boolean => transaction_type === "transfer";

const headOf = ({ updateId, effectiveAt }: Transaction, nodeId: number, transaction_subtype: TransactionSubtype): TransactionHead => ({
  transaction_subtype,
  event_id: `#${updateId}:${nodeId}`, // ids of events once began so, and Splice's wallets keep them so
  date: asIsoTime(effectiveAt),
});

const subtypeOf = ({ templateId, choice, interfaceId }: Exercised, as: Kind["as"]): TransactionSubtype =>
  as
    ? { template_id: `${packageIdOf(templateId)}:${as.entity}`, choice: as.choice }
    : { template_id: templateId, choice, ...(interfaceId === null ? {} : { interface_id: interfaceId }) };

const walletBatch = "WalletAppInstall_ExecuteBatch",
  expiredSubscription = "SubscriptionIdleState_ExpireSubscription";
const expiryNotice = (exercised: Exercised, transaction: Transaction): NotificationItem => ({
  transaction_type: "notification",
  ...headOf(transaction, exercised.nodeId, subtypeOf(exercised, undefined)),
  details: `Expired by ${(exercised.choiceArgument as { readonly actor: Party }).actor} because the last subscription payment was missed`,
});

const secondGeneration: ReadonlySet<string> = new Set<string>(Object.values(interfaces.v2).map(({ entity }) => entity));
const isOfSecondGeneration = ({ interfaceId }: Exercised): boolean => interfaceId !== null && secondGeneration.has(entityOf(interfaceId));

const described = (description: string | undefined): { readonly description?: string } => (description ? { description } : {});

interface TransferSummary {
  readonly holdingFees: string;
  readonly inputAppRewardAmount: string;
  readonly inputValidatorRewardAmount: string;
  readonly inputSvRewardAmount: string;
  /** Of the first generation none. */
  readonly inputDevelopmentFundAmount?: string | null;
}

/** Where a choice tells one. */
function summaryOf(result: unknown): { readonly summary?: TransferSummary } {
  const { summary, transferResult, result: inner } = (result ?? {}) as Readonly<Record<"summary" | "transferResult" | "result", unknown>>;
  if (summary !== undefined) return { summary: summary as TransferSummary };
  const below = transferResult ?? inner;
  return typeof below === "object" && below !== null ? summaryOf(below) : {};
}

function outputOf(result: unknown): { readonly transferInstructionCid?: string } | undefined {
  const { output } = (result ?? {}) as { readonly output?: { readonly value?: { readonly transferInstructionCid?: string } } };
  return output?.value;
}
