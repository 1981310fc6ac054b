/** What stands in a wallet, and what its owner only has a stake in: on stand-ins of the packages, of contracts that their maker signs alone. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DefinitionId, Expr } from "../../src/lf/ast.js";
import { create, exercise, type World, type Json } from "../scenarios/world.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import { nothing } from "./economy-notation.js";
import type { Answer } from "./real-network.js";
import { askAs, requestAs, startWithTokens } from "./users-of-world.js";

const wallet = "/api/validator/v0/wallet";
const seen = {
  signatories: (self: FieldOfThis): readonly Expr[] => [self("dso")],
  observers: (self: FieldOfThis): readonly Expr[] => [self("sender"), self("provider")],
};
const parts = { dso: type.party, sender: type.party, provider: type.party };

const payment = new ModuleBuilder("Splice.Wallet.Payment"),
  subscriptions = new ModuleBuilder("Splice.Wallet.Subscriptions");
for (const name of ["AppPaymentRequest", "AcceptedAppPayment"]) payment.template(name, { fields: parts, ...seen });
const data = subscriptions.record("SubscriptionData", { sender: type.party }),
  ofSubscription = { ...parts, subscriptionData: type.con(data) };
for (const name of ["SubscriptionRequest", "SubscriptionInitialPayment"]) subscriptions.template(name, { fields: ofSubscription, ...seen });
const subscription = type.contractId(type.con(subscriptions.template("Subscription", { fields: ofSubscription, ...seen })));
subscriptions.template("SubscriptionPayment", { fields: { ...ofSubscription, subscription }, ...seen });
subscriptions.template("SubscriptionIdleState", { fields: { ...ofSubscription, subscription, nextPaymentDueAt: type.timestamp }, ...seen });

const requests = new ModuleBuilder("Splice.Api.Token.AllocationRequestV1");
const instrument = requests.record("InstrumentId", { admin: type.party, id: type.text }),
  leg = requests.record("TransferLeg", { sender: type.party, instrumentId: type.con(instrument) }),
  viewId = requests.record("AllocationRequestView", { transferLegs: type.textMap(type.con(leg)) });
requests.interface("AllocationRequest", { view: type.con(viewId) });
const requestsPackage = buildPackage({ name: "splice-api-token-allocation-request-v1", version: "1.0.0", modules: [requests] });
const external = (name: string): DefinitionId => ({ packageId: requestsPackage.id, module: "Splice.Api.Token.AllocationRequestV1", name });

const app = new ModuleBuilder("App");
app.template("Request", {
  fields: { ...parts, view: type.con(external("AllocationRequestView")) },
  ...seen,
  implements: [
    {
      interface: external("AllocationRequest"),
      methods: new Map(),
      view: expr.field(app.id("Request"), "view", expr.variable("this")),
    },
  ],
});

const amulet = new ModuleBuilder("Splice.Amulet"),
  rules = new ModuleBuilder("Splice.AmuletRules"),
  allocations = new ModuleBuilder("Splice.AmuletAllocation");
rules.template("AmuletRules", { fields: { dso: type.party }, signatories: seen.signatories });
amulet.template("AppRewardCoupon", { fields: { ...parts, beneficiary: type.optional(type.party) }, ...seen });
const allocationLeg = allocations.record("TransferLeg", { sender: type.party }),
  specification = allocations.record("AllocationSpecification", { transferLeg: type.con(allocationLeg) });
allocations.template("AmuletAllocation", { fields: { ...parts, allocation: type.con(specification) }, ...seen });

const offers = new ModuleBuilder("Splice.Wallet.TransferOffer"),
  paid = offers.record("PaymentAmount", { amount: type.numeric(10), unit: type.text });
offers.template("TransferOffer", {
  fields: {
    sender: type.party,
    receiver: type.party,
    dso: type.party,
    amount: type.con(paid),
    description: type.text,
    expiresAt: type.timestamp,
    trackingId: type.text,
  },
  signatories: (self) => [self("sender")],
  observers: (self) => [self("receiver")],
  choices: { Archive: { fields: {}, returns: type.unit, controllers: (self) => [self("sender")], update: () => nothing } },
});

const dars = [
  buildDar(buildPackage({ name: "splice-amulet", version: "0.1.22", modules: [amulet, rules, allocations] })),
  buildDar(buildPackage({ name: "splice-wallet-payments", version: "0.1.22", modules: [payment, subscriptions] })),
  buildDar(buildPackage({ name: "splice-wallet", version: "0.1.23", modules: [offers] })),
  buildDar(buildPackage({ name: "app", version: "1.0.0", modules: [app] }), [requestsPackage]),
];

describe("wallet lists", () => {
  let world: World;
  const party: Record<string, string> = {};
  const request = (user: string, method: string, path: string, body?: Json): Promise<Answer> => requestAs(world, user, method, path, body);
  const ask = (user: string, method: string, path: string, body?: Json): Promise<Json> => askAs(world, user, method, path, body);
  const made = async (templateId: string, fields: Json): Promise<string> => {
    const commands = [create(templateId, { dso: party["dso"], ...fields })];
    const { transaction } = await ask("dso", "POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: { commands, commandId: `c-${Math.random()}`, actAs: [party["dso"]], userId: "dso" },
    });
    return transaction.events[0].CreatedEvent.contractId;
  };
  const ofAlice = (): Json => ({ sender: party["alice"], provider: party["app"] });
  /** In the wallet of who pays, and in that of the app. */
  const listed = (path: string, list: string): Promise<readonly (readonly string[])[]> =>
    Promise.all(
      ["alice", "app"].map(async (user) =>
        (await ask(user, "GET", path))[list].map((each: Json) => (each.contract?.contract ?? each.contract ?? each).contract_id),
      ),
    );

  before(async () => {
    world = await startWithTokens();
    for (const dar of dars) await ask("participant_admin", "POST", "/v2/dars", dar);
    for (const name of ["dso", "alice", "app"])
      party[name] = (await ask("participant_admin", "POST", "/api/validator/v0/admin/users", { name })).party_id;
    await made("#splice-amulet:Splice.AmuletRules:AmuletRules", {});
  });
  after(() => world.stop());

  it("what an app asks for, and what it has yet to collect, stands in the wallet of who pays, not in the app's", async () => {
    for (const [entity, path, list] of [
      ["Payment:AppPaymentRequest", "app-payment-requests", "payment_requests"],
      ["Payment:AcceptedAppPayment", "accepted-app-payments", "accepted_app_payments"],
      ["Subscriptions:SubscriptionRequest", "subscription-requests", "subscription_requests"],
      ["Subscriptions:SubscriptionInitialPayment", "subscription-initial-payments", "initial_payments"],
    ] as const) {
      const subscriptionData = entity.startsWith("S") ? { subscriptionData: { sender: party["alice"] } } : {},
        id = await made(`#splice-wallet-payments:Splice.Wallet.${entity}`, { ...ofAlice(), ...subscriptionData });
      assert.deepEqual(await listed(`${wallet}/${path}`, list), [[id], []], path);
    }
  });

  it("what is set aside stands in the wallet of whose Amulet it is, not in that of who settles", async () => {
    const fields = { ...ofAlice(), allocation: { transferLeg: { sender: party["alice"] } } },
      id = await made("#splice-amulet:Splice.AmuletAllocation:AmuletAllocation", fields);
    assert.deepEqual(await listed("/api/validator/v0/allocations", "allocations"), [[id], []]);
  });

  it("a reward stands in the wallet of who may take it: the app's, or that of whom it names", async () => {
    const coupon = (beneficiary: string | null): Promise<string> =>
      made("#splice-amulet:Splice.Amulet:AppRewardCoupon", { ...ofAlice(), beneficiary });
    const [own, given] = [await coupon(null), await coupon(party["alice"]!)];
    assert.deepEqual(await listed(`${wallet}/app-reward-coupons`, "app_reward_coupons"), [[given], [own]]);
  });

  it("requests to set something aside are those for the owner's Amulet, and no others are there to be declined", async () => {
    const asked = (sender: string, admin: string, shownTo: Json = ofAlice()): Promise<string> =>
      made("#app:App:Request", {
        ...shownTo,
        view: { transferLegs: { leg: { sender: party[sender], instrumentId: { admin: party[admin], id: "X" } } } },
      });
    const [forAlice, forApp, otherToken] = [await asked("alice", "dso"), await asked("app", "dso"), await asked("alice", "app")],
      unseen = await asked("alice", "dso", { sender: party["app"], provider: party["app"] }),
      path = `${wallet}/token-standard/allocation-requests`;
    assert.deepEqual(await listed(path, "allocation_requests"), [[forAlice], [forApp]]);
    for (const id of [forApp, otherToken, unseen])
      assert.deepEqual(await request("alice", "POST", `${path}/${id}/reject`), {
        status: 404,
        body: { error: `No AllocationRequest with contract id ${id} found.` },
      });
  });

  it("subscriptions go by the age of their states; one whose payment is late is none", async () => {
    const ofData = { ...ofAlice(), subscriptionData: { sender: party["alice"] } },
      entity = (name: string): string => `#splice-wallet-payments:Splice.Wallet.Subscriptions:${name}`;
    const [first, second, late] = [
      await made(entity("Subscription"), ofData),
      await made(entity("Subscription"), ofData),
      await made(entity("Subscription"), ofData),
    ];
    const idle = (of: string, seconds: number): Promise<string> =>
      made(entity("SubscriptionIdleState"), {
        ...ofData,
        subscription: of,
        nextPaymentDueAt: new Date(Date.now() + seconds * 1_000).toISOString(),
      });
    await idle(late, -60);
    const paying = await made(entity("SubscriptionPayment"), { ...ofData, subscription: second }),
      waiting = await idle(first, 3_600);
    const { subscriptions: all } = await ask("alice", "GET", `${wallet}/subscriptions`);
    assert.deepEqual(
      all.map(({ subscription: { contract_id }, state }: Json) => [
        contract_id,
        (state.idle ?? state.payment).contract_id,
        Object.keys(state),
      ]),
      [
        [second, paying, ["payment"]],
        [first, waiting, ["idle"]],
      ],
    );
  });

  it("a tracking id has one offer, also after that is gone, and for whomever it is asked for again", async () => {
    const offers = `${wallet}/transfer-offers`,
      offered = (receiver: string, changes: Json = {}): Promise<{ status: number; body: Json }> =>
        request("alice", "POST", offers, {
          receiver_party_id: party[receiver],
          amount: "1.0",
          description: "",
          expires_at: (Date.now() + 60_000) * 1_000,
          tracking_id: "t",
          ...changes,
        });
    const { offer_contract_id: offer } = (await offered("app")).body,
      taken = { status: 409, body: { error: "CreateTransferOffer duplicate command" } };
    assert.deepEqual(await offered("app"), taken);
    await ask("alice", "POST", "/v2/commands/submit-and-wait", {
      commands: [exercise("#splice-wallet:Splice.Wallet.TransferOffer:TransferOffer", offer, "Archive")],
      commandId: "end",
      actAs: [party["alice"]],
      userId: "alice",
    });
    assert.deepEqual([await offered("app"), await offered("dso"), await offered("app", { amount: "none" })], [taken, taken, taken]);
    assert.equal((await offered("app", { tracking_id: "another" })).status, 200);
  });

  it("until it is answered an offer has its tracking id with its sender alone: its receiver may offer something under the same", async () => {
    const offers = `${wallet}/transfer-offers`,
      offered = (user: string, receiver: string): Promise<Json> =>
        ask(user, "POST", offers, {
          receiver_party_id: party[receiver],
          amount: "1.0",
          description: "",
          expires_at: (Date.now() + 60_000) * 1_000,
          tracking_id: "shared",
        }),
      status = (user: string): Promise<Answer> => request(user, "POST", `${offers}/shared/status`);
    const { offer_contract_id: first } = await offered("alice", "app");
    assert.deepEqual(await status("app"), { status: 404, body: { error: "Couldn't find transfer offer with tracking id shared" } });
    const { offer_contract_id: second } = await offered("app", "alice");
    assert.deepEqual(
      [await status("alice"), await status("app")].map(({ body }) => [body.status, body.contract_id]),
      [
        ["created", first],
        ["created", second],
      ],
    );
  });
});
