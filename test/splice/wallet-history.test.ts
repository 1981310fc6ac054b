/** What transactions are to a wallet, by trees of events as the packages make them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerEvent, Transaction } from "../../src/splice/history/transaction.js";
import { HistoryItems, type HistoryItemsContext, type TransactionItem } from "../../src/splice/wallet/history-items.js";

import { ownTurns } from "../support/turns.js";

type Tree = (nodeId: number) => readonly LedgerEvent[];
const standard = "api-v1:Splice.Api.Token.TransferInstructionV1:",
  reason = (text: string) => ({ values: { "splice.lfdecentralizedtrust.org/reason": text } });

/** Contracts that choices below spend, by their ids. */
const contracts = new Map<string, unknown>();
let ids = 0;
const nextId = (): string => `#${ids++}`;
const holding = (owner: string, initialAmount: string): object => ({ owner, amount: { initialAmount } });

const common = (nodeId: number, contractId: string, entity: string, packageName: string) => ({
  nodeId,
  contractId,
  templateId: `p:${entity}`,
  packageName,
  witnessParties: [],
});

function create(entity: string, createArgument: object, contractId = nextId()): Tree {
  contracts.set(contractId, createArgument);
  return (nodeId) => [
    {
      CreatedEvent: {
        ...common(nodeId, contractId, entity, "splice-amulet"),
        createArgument,
        createdAt: "",
        signatories: [],
        observers: [],
      },
    },
  ];
}
const amulet = (owner: string, amount: string): Tree => create("Splice.Amulet:Amulet", holding(owner, amount));

interface Choice {
  readonly on: string;
  readonly entity: string;
  readonly packageName?: string;
  readonly interfaceId?: string;
  readonly argument?: object;
  readonly result?: object;
  readonly consuming?: boolean;
}
function exercise(choice: string, of: Choice, ...children: readonly Tree[]): Tree {
  return (nodeId) => {
    const below: LedgerEvent[] = [];
    for (const child of children) below.push(...child(nodeId + 1 + below.length));
    const exercised = {
      ...common(nodeId, of.on, of.entity, of.packageName ?? "splice-amulet"),
      interfaceId: of.interfaceId ?? null,
      choice,
      choiceArgument: of.argument ?? {},
      exerciseResult: of.result ?? {},
      actingParties: [],
      consuming: of.consuming ?? false,
      lastDescendantNodeId: nodeId + below.length,
    };
    return [{ ExercisedEvent: exercised }, ...below];
  };
}
const spend = (owner: string, amount: string): Tree => {
  const id = nextId();
  contracts.set(id, holding(owner, amount));
  return exercise("Archive", { on: id, entity: "Splice.Amulet:Amulet", consuming: true });
};
/** Out of a lock and on at once: what is made in between is no contract that can be looked up. */
const spendUnlocked = (owner: string, amount: string): Tree => {
  const locked = nextId();
  contracts.set(locked, { amulet: holding(owner, amount) });
  const unlocked = nextId(),
    made = create("Splice.Amulet:Amulet", holding(owner, amount), unlocked);
  contracts.delete(unlocked);
  const unlocking = exercise("LockedAmulet_UnlockV2", { on: locked, entity: "Splice.Amulet:LockedAmulet", consuming: true }, made),
    spending = exercise("Archive", { on: unlocked, entity: "Splice.Amulet:Amulet", consuming: true });
  return (nodeId) => [...unlocking(nodeId), ...spending(nodeId + 2)];
};
const unlock = (owner: string, amount: string): Tree => {
  const id = nextId();
  contracts.set(id, { amulet: holding(owner, amount) });
  return exercise("LockedAmulet_UnlockV2", { on: id, entity: "Splice.Amulet:LockedAmulet", consuming: true }, amulet(owner, amount));
};
const lock = (owner: string, amount: string): Tree => create("Splice.Amulet:LockedAmulet", { amulet: holding(owner, amount) });

const context = {
  contracts: {
    creationsOf: async (ids: readonly string[]) =>
      new Map(ids.filter((id) => contracts.has(id)).map((id) => [id, { payload: contracts.get(id), createdAt: "" }])),
    interfaceIds: () => [`${standard}TransferFactory`],
  },
  turns: ownTurns(),
  ledger: {
    packageSummary: (id: string) => ({ name: id === "api-v1" ? "splice-api-token-transfer-instruction-v1" : "splice-amulet" }),
  },
} as unknown as HistoryItemsContext;

function itemsOf(party: string, ...trees: readonly Tree[]): Promise<readonly TransactionItem[]> {
  const events: LedgerEvent[] = [];
  for (const tree of trees) events.push(...tree(events.length));
  return new HistoryItems(context, party, undefined).of({
    updateId: "u",
    effectiveAt: "2026-01-01T00:00:00Z",
    events,
  } as unknown as Transaction);
}
/** The kind, the choice that it is told as, and amounts by party, the sender's first. */
async function told(party: string, ...trees: readonly Tree[]): Promise<readonly string[]> {
  return (await itemsOf(party, ...trees)).map((item) => {
    if (item.transaction_type === "notification") return `notification ${item.transaction_subtype.choice}: ${item.details}`;
    if (item.transaction_type === "unknown") return item.transaction_type;
    const sides = item.transaction_type === "transfer" ? [item.sender, ...item.receivers] : item.receivers;
    const amounts = sides.map((side) => `${side.party} ${Number(side.amount)}`).join(", ");
    return `${item.transaction_type} ${item.transaction_subtype.choice}: ${amounts}`;
  });
}

const transfer = { sender: "alice", receiver: "bob", amount: "10.0", instrumentId: { admin: "dso", id: "Amulet" }, meta: reason("rent") };
const factory = { on: "f", entity: "Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules", interfaceId: `${standard}TransferFactory` };
const instruction = { on: "i", entity: "Splice.AmuletTransferInstruction:AmuletTransferInstruction", consuming: true };
const onInstruction = { ...instruction, interfaceId: `${standard}TransferInstruction` };
const offer = create(instruction.entity, { transfer }, "i");

test("wallet history: who pays with rewards is the sender, though he has more than before", async () => {
  const moved = (...children: readonly Tree[]): Tree =>
    exercise(
      "AmuletRules_Transfer",
      { on: "r", entity: "Splice.AmuletRules:AmuletRules", argument: { transfer: { sender: "alice" } } },
      ...children,
      amulet("alice", "90.0"),
    );
  const ofWallet = { on: "o", packageName: "splice-wallet", entity: "Splice.Wallet.TransferOffer:AcceptedTransferOffer" },
    completed = exercise("AcceptedTransferOffer_Complete", ofWallet, moved(amulet("bob", "10.0")));
  for (const party of ["alice", "bob"])
    assert.deepEqual(await told(party, completed), ["transfer AcceptedTransferOffer_Complete: alice 90, bob 10"], party);

  const ofPayments = { on: "p", packageName: "splice-wallet-payments", entity: "Splice.Wallet.Payment:AppPaymentRequest" },
    accepted = exercise("AppPaymentRequest_Accept", ofPayments, moved(lock("alice", "10.0")));
  assert.deepEqual([await told("alice", accepted), await told("bob", accepted)], [["transfer AppPaymentRequest_Accept: alice 90"], []]);

  const renewed = exercise(
    "TransferPreapproval_Renew",
    { on: "t", entity: "Splice.AmuletRules:TransferPreapproval", result: { provider: "alice" } },
    amulet("alice", "90.0"),
  );
  assert.deepEqual([await told("alice", renewed), await told("bob", renewed)], [["transfer TransferPreapproval_Renew: alice 90"], []]);
});

test("wallet history: what is locked for a payment is paid once, when it is locked, not again when it is collected", async () => {
  const payment = { on: "p", packageName: "splice-wallet-payments", consuming: true };
  for (const [accept, collect, entity] of [
    ["AppPaymentRequest_Accept", "AcceptedAppPayment_Collect", "Splice.Wallet.Payment:AcceptedAppPayment"],
    [
      "SubscriptionRequest_AcceptAndMakePayment",
      "SubscriptionInitialPayment_Collect",
      "Splice.Wallet.Subscriptions:SubscriptionInitialPayment",
    ],
    ["SubscriptionIdleState_MakePayment", "SubscriptionPayment_Collect", "Splice.Wallet.Subscriptions:SubscriptionPayment"],
  ] as const) {
    const accepted = exercise(accept, { ...payment, entity }, spend("alice", "25.0"), lock("alice", "10.0"), amulet("alice", "15.0"));
    assert.deepEqual(await told("alice", accepted), [`transfer ${accept}: alice -10`]);
    const collected = exercise(collect, { ...payment, entity }, spendUnlocked("alice", "10.0"), amulet("bob", "10.0"));
    for (const party of ["alice", "bob"])
      assert.deepEqual(await told(party, collected), [`transfer ${collect}: alice 0, bob 10`], `${collect} to ${party}`);
    assert.deepEqual(await told("carol", collected), [], "who only sees it has no part in it");
  }
});

test("wallet history: what was locked for a payment that is refused or expires comes back to its owner", async () => {
  for (const choice of ["AcceptedAppPayment_Reject", "AcceptedAppPayment_Expire", "SubscriptionPayment_Expire"]) {
    const refused = exercise(
      choice,
      { on: "p", entity: "Splice.Wallet.Payment:AcceptedAppPayment", packageName: "splice-wallet-payments", consuming: true },
      unlock("alice", "10.0"),
    );
    assert.deepEqual(await told("alice", refused), [`balance_change ${choice}: alice 10`]);
    assert.deepEqual(await told("bob", refused), []);
  }
});

test("wallet history: what expires for what holding it would have cost is a change of nothing to its owner", async () => {
  for (const [choice, entity, as] of [
    ["Amulet_Expire", "Splice.Amulet:Amulet", "Amulet_Expire"],
    ["Amulet_ExpireV2", "Splice.Amulet:Amulet", "Amulet_Expire"],
    ["LockedAmulet_ExpireAmuletV2", "Splice.Amulet:LockedAmulet", "LockedAmulet_ExpireAmulet"],
  ] as const) {
    const dust = nextId(),
      held = holding("alice", "0.1");
    contracts.set(dust, entity === "Splice.Amulet:Amulet" ? held : { amulet: held });
    const expired = exercise(choice, { on: dust, entity, consuming: true });
    const below = exercise(
      "DsoRules_Expire",
      { on: "d", entity: "Splice.DsoRules:DsoRules", packageName: "splice-dso-governance" },
      expired,
    );
    assert.deepEqual(await told("alice", below), [`balance_change ${as}: alice 0`]);
    assert.deepEqual(await told("bob", below), []);
  }
});

test("wallet history: an offer is told to who is offered something, too, with nothing that moved", async () => {
  const sent = exercise(
    "TransferFactory_Transfer",
    {
      ...factory,
      argument: { transfer },
      result: { output: { tag: "TransferInstructionResult_Pending", value: { transferInstructionCid: "i" } } },
    },
    spend("alice", "25.0"),
    lock("alice", "10.0"),
    amulet("alice", "15.0"),
    offer,
  );
  const [given] = await itemsOf("alice", sent),
    [received] = await itemsOf("bob", offer);
  const facts = {
    transfer_instruction_receiver: "bob",
    transfer_instruction_amount: "10.0",
    transfer_instruction_cid: "i",
    description: "rent",
  };
  const subtype = { template_id: `p:${factory.entity}`, choice: "TransferFactory_Transfer", interface_id: factory.interfaceId };
  for (const item of [given, received]) {
    assert.ok(item?.transaction_type === "transfer");
    assert.deepEqual(item.transaction_subtype, subtype);
    assert.deepEqual({ ...item, ...facts }, item);
  }
  assert.deepEqual(
    [await told("alice", sent), await told("bob", offer)],
    [["transfer TransferFactory_Transfer: alice -10"], ["transfer TransferFactory_Transfer: alice 0, bob 0"]],
  );
  assert.deepEqual(await told("carol", offer), []);
});

test("wallet history: an offer that is taken, refused or taken back ends for both, each with his own part", async () => {
  const accepted = exercise("TransferInstruction_Accept", onInstruction, spendUnlocked("alice", "10.0"), amulet("bob", "10.0"));
  for (const party of ["alice", "bob"])
    assert.deepEqual(await told(party, accepted), ["transfer TransferInstruction_Accept: alice 0, bob 10"]);
  for (const step of ["TransferInstruction_Reject", "TransferInstruction_Withdraw"]) {
    const ended = exercise(step, onInstruction, unlock("alice", "10.0"));
    assert.deepEqual(
      [await told("alice", ended), await told("bob", ended)],
      [[`balance_change ${step}: alice 10`], [`balance_change ${step}: bob 0`]],
    );
    const late = exercise(step, onInstruction);
    assert.deepEqual(await told("alice", late), [`balance_change ${step}: alice 0`], "what expired was unlocked before");
    const [item] = await itemsOf("bob", ended);
    assert.equal(item?.transaction_type === "balance_change" && item.transfer_instruction_cid, "i");
  }
  const foreign = exercise("TransferInstruction_Reject", { ...onInstruction, entity: "Team:Offer", packageName: "team-token" });
  assert.deepEqual(await told("bob", foreign), [], "of another token");
});

test("wallet history: offers of the second generation, and their ends, are told as the first generation's", async () => {
  const ofV2 = (name: string): string => `api-v2:Splice.Api.Token.TransferInstructionV2:${name}`,
    accountOf = (owner: string) => ({ owner, provider: null, id: "" });
  const sent = exercise(
    "TransferFactory_Transfer",
    {
      ...factory,
      interfaceId: ofV2("TransferFactory"),
      argument: { transfer: { ...transfer, sender: accountOf("alice"), receiver: accountOf("bob") } },
      result: { output: { tag: "TransferInstructionResult_Pending", value: { transferInstructionCid: "i" } } },
    },
    spend("alice", "10.0"),
    lock("alice", "10.0"),
    offer,
  );
  const [given] = await itemsOf("alice", sent),
    [received, ...more] = await itemsOf("bob", sent);
  assert.equal(given?.transaction_subtype.interface_id, factory.interfaceId);
  assert.deepEqual(received, { ...(await itemsOf("bob", offer))[0], event_id: "#u:0" }, "who is offered something sees the choice, too");
  assert.deepEqual([more, await itemsOf("carol", sent)], [[], []]);
  for (const step of ["TransferInstruction_Accept", "TransferInstruction_Reject"]) {
    const ended = exercise(
      step,
      { ...instruction, interfaceId: ofV2("TransferInstruction"), consuming: false },
      exercise(step, onInstruction, spendUnlocked("alice", "10.0"), amulet(step.endsWith("Accept") ? "bob" : "alice", "10.0")),
    );
    for (const party of ["alice", "bob"]) {
      const items = await itemsOf(party, ended);
      assert.deepEqual(
        items.map(({ event_id, transaction_subtype: { interface_id } }) => [event_id, interface_id]),
        [["#u:1", onInstruction.interfaceId]],
        `${step} to ${party}`,
      );
    }
  }
});

test("wallet history: a transfer that completes at once is a transfer of Amulet, whatever brought it about", async () => {
  const result = { output: { tag: "TransferInstructionResult_Completed", value: { receiverHoldingCids: [] } } };
  const sendV2 = exercise(
    "TransferPreapproval_SendV2",
    { on: "t", entity: "Splice.AmuletRules:TransferPreapproval", argument: { sender: "alice", description: "rent" } },
    spend("alice", "25.0"),
    amulet("bob", "10.0"),
    amulet("alice", "15.0"),
  );
  const direct = exercise("TransferFactory_Transfer", { ...factory, argument: { transfer }, result }, sendV2);
  assert.deepEqual(await told("alice", direct), ["transfer AmuletRules_Transfer: alice -10, bob 10"]);
  assert.deepEqual((await itemsOf("alice", direct))[0]?.transaction_subtype, {
    template_id: "p:Splice.AmuletRules:AmuletRules",
    choice: "AmuletRules_Transfer",
  });
  assert.deepEqual(
    await told("bob", sendV2),
    ["transfer TransferPreapproval_Send: alice -10, bob 10"],
    "the receiver sees what he approved of",
  );
  const own = exercise(
    "TransferFactory_Transfer",
    { ...factory, argument: { transfer: { ...transfer, receiver: "alice" } }, result },
    spend("alice", "25.0"),
    amulet("alice", "10.0"),
    amulet("alice", "15.0"),
  );
  assert.deepEqual(await told("alice", own), ["transfer AmuletRules_Transfer: alice 0"]);
});

test("wallet history: a settlement takes out of the lock what it gives away", async () => {
  const executed = exercise(
    "Allocation_ExecuteTransfer",
    { on: "a", entity: "Splice.AmuletAllocation:AmuletAllocation", consuming: true },
    spendUnlocked("alice", "10.0"),
    amulet("bob", "10.0"),
  );
  assert.deepEqual(await told("alice", executed), [
    "balance_change LockedAmulet_Unlock: alice 10",
    "transfer AmuletRules_Transfer: alice -10, bob 10",
  ]);
  assert.deepEqual(await told("bob", executed), ["transfer AmuletRules_Transfer: alice -10, bob 10"]);
});

test("wallet history: allocations of the second generation are told leg by leg when they are settled, not when they are made", async () => {
  const allocate = (interfaceId: string, argument: object): Tree =>
    exercise(
      "AllocationFactory_Allocate",
      { ...factory, interfaceId, argument },
      spend("alice", "25.0"),
      lock("alice", "10.0"),
      amulet("alice", "15.0"),
    );
  const ofV2 = allocate("api-v2:Splice.Api.Token.AllocationInstructionV2:AllocationFactory", { allocation: { transferLegSides: [] } }),
    ofV1 = allocate("api-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory", { allocation: {} });
  assert.deepEqual([await told("alice", ofV2), await told("alice", ofV1)], [[], ["transfer AmuletRules_Transfer: alice -10"]]);

  const leg = (transferLegId: string, sender: string, receiver: string | null, instrumentId = "Amulet") => ({
    transferLegId,
    sender: { owner: sender, provider: null, id: "" },
    receiver: { owner: receiver, provider: null, id: "" },
    amount: "10.0",
    instrumentId,
  });
  const transferLegs = [
    leg("rent:1", "alice", "bob"),
    leg("2", "carol", "dave"),
    leg("3", "bob", "alice"),
    leg("4", "alice", "bob", "Gold"),
    leg("5", "alice", null),
  ];
  const settled = exercise(
    "SettlementFactory_SettleBatch",
    { ...factory, interfaceId: "api-v2:Splice.Api.Token.AllocationV2:SettlementFactory", argument: { transferLegs } },
    spendUnlocked("alice", "20.0"),
    amulet("alice", "10.0"),
    spendUnlocked("carol", "10.0"),
    amulet("dave", "10.0"),
  );
  const transferred = "transfer AmuletRules_Transfer:";
  assert.deepEqual(await told("alice", settled), [
    `${transferred} alice -10, bob 10`,
    `${transferred} bob -10, alice 10`,
    `${transferred} alice -10`,
  ]);
  assert.deepEqual(await told("dave", settled), [`${transferred} carol -10, dave 10`]);
  assert.deepEqual(await told("erin", settled), []);
  assert.deepEqual(
    (await itemsOf("bob", settled)).map(({ event_id }) => event_id),
    ["#u:0:rent:1", "#u:0:3"],
    "each leg by its own id",
  );
});

test("wallet history: a subscription that expires is a notice to all who see it", async () => {
  const idle = {
    on: "s",
    entity: "Splice.Wallet.Subscriptions:SubscriptionIdleState",
    packageName: "splice-wallet-payments",
    consuming: true,
  };
  const expired = exercise("SubscriptionIdleState_ExpireSubscription", { ...idle, argument: { actor: "bob" } });
  for (const party of ["alice", "bob"])
    assert.deepEqual(await told(party, expired), [
      "notification SubscriptionIdleState_ExpireSubscription: Expired by bob because the last subscription payment was missed",
    ]);
  const cancelled = exercise("SubscriptionIdleState_CancelSubscription", idle);
  assert.deepEqual(await told("alice", cancelled), []);
});

test("wallet history: what a name costs goes to the network and is burnt; it is told as the name's, however deep", async () => {
  const collect = exercise(
    "AnsRules_CollectInitialEntryPayment",
    { on: "n", entity: "Splice.Ans:AnsRules", packageName: "splice-amulet-name-service" },
    exercise(
      "SubscriptionInitialPayment_Collect",
      { on: "s", entity: "Splice.Wallet.Subscriptions:SubscriptionInitialPayment", packageName: "splice-wallet-payments" },
      spendUnlocked("alice", "2.0"),
      amulet("dso", "2.0"),
    ),
    spend("dso", "2.0"),
  );
  const below = exercise(
    "DsoRules_CollectEntryPayment",
    { on: "d", entity: "Splice.DsoRules:DsoRules", packageName: "splice-dso-governance" },
    exercise(
      "AnsEntryContext_CollectInitialEntryPayment",
      { on: "c", entity: "Splice.Ans:AnsEntryContext", packageName: "splice-amulet-name-service" },
      collect,
    ),
  );
  assert.deepEqual(await told("alice", below), ["transfer AnsRules_CollectInitialEntryPayment: alice 0, dso 0"]);
});

test("wallet history: what a preapproval costs is told also where that is nothing, to who provides it", async () => {
  const rules = { on: "r", entity: "Splice.AmuletRules:AmuletRules" };
  for (const [choice, as, of] of [
    ["AmuletRules_CreateTransferPreapproval", "AmuletRules_CreateTransferPreapproval", { ...rules, argument: { provider: "alice" } }],
    [
      "AmuletRules_CreateExternalPartySetupProposal",
      "AmuletRules_CreateTransferPreapproval",
      { ...rules, argument: { validator: "alice" } },
    ],
    [
      "TransferPreapproval_Renew",
      "TransferPreapproval_Renew",
      { on: "t", entity: "Splice.AmuletRules:TransferPreapproval", result: { provider: "alice" } },
    ],
  ] as const) {
    assert.deepEqual(
      [await told("alice", exercise(choice, of)), await told("bob", exercise(choice, of))],
      [[`transfer ${as}: alice 0`], []],
    );
  }
});

test("wallet history: a transaction with Amulet that is made or archived by no choice of Amulet's is unknown, with all that is in it", async () => {
  const tap = exercise("AmuletRules_DevNet_Tap", { on: "r", entity: "Splice.AmuletRules:AmuletRules" }, amulet("alice", "5.0"));
  const ofAnApp = { on: "a", packageName: "an-app", entity: "An:App" };
  for (const trees of [
    [amulet("alice", "42.0")],
    [spend("alice", "42.0")],
    [exercise("Mint", ofAnApp, amulet("alice", "42.0"))],
    [tap, amulet("alice", "42.0")],
  ]) {
    const [item, ...more] = await itemsOf("alice", ...trees);
    assert.deepEqual(
      [item!.transaction_type, item!.transaction_subtype, item!.event_id, more],
      ["unknown", { template_id: "unknown", choice: "unknown" }, "#u:0", []],
    );
  }
  assert.deepEqual(await told("alice", exercise("Tap", ofAnApp, tap)), ["balance_change AmuletRules_DevNet_Tap: alice 5"]);
  const archived = exercise("Archive", { on: "l", entity: "Splice.Amulet:LockedAmulet", consuming: true });
  assert.deepEqual(await told("alice", lock("alice", "1.0"), archived), [], "what is locked is no part of a balance");
});

test("a wallet's history: what automation collects and merges is told as its batch, whatever else is in one as itself", async () => {
  const summary = { inputAppRewardAmount: "2.0", inputValidatorRewardAmount: "1.0", inputSvRewardAmount: "0.0", holdingFees: "0.0" };
  const collected = exercise(
    "AmuletRules_Transfer",
    {
      on: "r",
      entity: "Splice.AmuletRules:AmuletRules",
      argument: { transfer: { sender: "alice", provider: "alice" } },
      result: { summary },
    },
    spend("alice", "5.0"),
    spend("alice", "1.0"),
    amulet("alice", "9.0"),
  );
  const sent = exercise(
    "TransferPreapproval_Send",
    { on: "t", entity: "Splice.AmuletRules:TransferPreapproval", argument: { sender: "alice" } },
    spend("alice", "9.0"),
    amulet("alice", "5.0"),
    amulet("bob", "4.0"),
  );
  const batch = exercise(
    "WalletAppInstall_ExecuteBatch",
    { on: "w", entity: "Splice.Wallet.Install:WalletAppInstall", packageName: "splice-wallet" },
    collected,
    sent,
  );
  assert.deepEqual(await told("alice", batch), [
    "transfer WalletAppInstall_ExecuteBatch: alice 3",
    "transfer TransferPreapproval_Send: alice -4, bob 4",
  ]);
  const [item] = (await itemsOf("alice", batch)) as unknown as [Readonly<Record<string, unknown>>];
  assert.deepEqual(item["transaction_subtype"], {
    template_id: "p:Splice.Wallet.Install:WalletAppInstall",
    choice: "WalletAppInstall_ExecuteBatch",
  });
  assert.deepEqual([item["event_id"], item["app_rewards_used"], item["validator_rewards_used"]], ["#u:1", "2.0", "1.0"]);
  assert.deepEqual(await told("validator", batch), []);
});
