/** Wallets and the development fund, on a stand-in of Amulet. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, exercise, ledgerEffects, type World, type Command, type Json } from "../scenarios/world.js";
import { fundDar } from "./fund-model.js";
import type { Answer } from "./real-network.js";
import { names } from "./stand-in-world.js";
import { askAs, requestAs, startWithTokens } from "./users-of-world.js";

const coupons = "/api/validator/v0/wallet/development-fund-coupons",
  template = "#splice-amulet:Splice.Amulet:DevelopmentFundCoupon",
  unclaimed = "#splice-amulet:Splice.Amulet:UnclaimedDevelopmentFundCoupon";
const inSeconds = (seconds: number): number => (Date.now() + seconds * 1_000) * 1_000;

describe("development fund", () => {
  let world: World, rules: string;
  const party: Record<string, string> = {},
    sources: Record<string, string> = {};
  const request = (user: string, method: string, path: string, body?: Json): Promise<Answer> => requestAs(world, user, method, path, body);
  const ask = (user: string, method: string, path: string, body?: Json): Promise<Json> => askAs(world, user, method, path, body);
  const submit = async (user: string, ...commands: Command[]): Promise<Json> =>
    (
      await ask(user, "POST", "/v2/commands/submit-and-wait-for-transaction", {
        commands: { commands, commandId: `c-${Math.random()}`, actAs: [party[user]], userId: user },
      })
    ).transaction;
  const made = async (templateId: string, fields: Json): Promise<string> =>
    (await submit("dso", create(templateId, { dso: party["dso"], ...fields }))).events[0].CreatedEvent.contractId;
  const rulesOf = (manager: string | null): Promise<string> =>
    made(names.rules, { configSchedule: { initialValue: { optDevelopmentFundManager: manager } }, isDevNet: true });
  const allocate = (user: string, amount: string, changes: Json = {}): Promise<{ status: number; body: Json }> =>
    request(user, "POST", `${coupons}/allocate`, {
      beneficiary: party["bob"],
      amount,
      expiresAt: inSeconds(3_600),
      reason: "for work",
      ...changes,
    });
  const end = (user: string, contractId: string, choice: string, argument: Json = {}): Promise<Json> =>
    submit(user, exercise(template, contractId, choice, argument));
  const history = (user: string, query: string): Promise<Json> => ask(user, "GET", `${coupons}/history?${query}`);

  before(async () => {
    world = await startWithTokens();
    await ask("participant_admin", "POST", "/v2/dars", fundDar);
    for (const name of ["dso", "alice", "bob", "carol"])
      party[name] = (await ask("participant_admin", "POST", "/api/validator/v0/admin/users", { name })).party_id;
    rules = await rulesOf(null);
  });
  after(() => world.stop());

  it("is given by its manager alone, from what is unclaimed: the largest first, and no more than there is", async () => {
    assert.deepEqual(await allocate("alice", "1"), { status: 400, body: { error: "Development fund manager has not been configured." } });
    await submit("dso", exercise(names.rules, rules, "Archive"));
    rules = await rulesOf(party["alice"]!);
    assert.deepEqual(await allocate("bob", "1"), {
      status: 400,
      body: { error: `Invalid fund manager: expected '${party["alice"]}', but the submitter was '${party["bob"]}'.` },
    });
    for (const amount of ["10", "30", "20"]) sources[amount] = await made(unclaimed, { amount });
    const short = await allocate("alice", "60.0000000001");
    assert.deepEqual([short.status, /insufficient to cover/.test(short.body.error)], [400, true]);

    const { offset: before } = await ask("participant_admin", "GET", "/v2/state/ledger-end");
    const given = await allocate("alice", "45");
    assert.deepEqual(Object.keys(given.body), ["development_fund_coupon_contract_id", "unclaimed_development_fund_coupon_contract_id"]);
    const updateFormat = {
      includeTransactions: {
        transactionShape: ledgerEffects,
        eventFormat: { filtersByParty: { [party["dso"]!]: { cumulative: [] } }, verbose: false },
      },
    };
    const [update] = await ask("dso", "POST", "/v2/updates", { beginExclusive: before, updateFormat });
    const { choiceArgument } = update.update.Transaction.value.events[0].ExercisedEvent;
    assert.deepEqual(choiceArgument.unclaimedDevelopmentFundCouponCids, [sources["30"], sources["20"]]);
    await end("bob", given.body.development_fund_coupon_contract_id, "DevelopmentFundCoupon_Reject", { reason: "too much" });
  });

  it("what is malformed is refused before anything is done", async () => {
    for (const [changes, wrong] of [
      [{ beneficiary: "x!" }, /Invalid unique identifier `x!`/],
      [{ expiresAt: -1 }, /Field `expiresAt` is no time/],
      [{ amount: "0" }, /Field `amount` must be a decimal above zero/],
      [{ amount: undefined }, /amount/],
    ] as const) {
      const refused = await allocate("alice", "1", changes);
      assert.equal(refused.status, 400, JSON.stringify(changes));
      assert.match(refused.body.error, wrong);
    }
    assert.equal((await request("alice", "GET", `${coupons}/history`)).status, 400);
    assert.equal((await request("alice", "GET", `${coupons}/history?limit=0`)).status, 400);
  });

  it("coupons are seen by who gave and who got them, and taken back by who gave them", async () => {
    const later = (await allocate("alice", "5", { expiresAt: inSeconds(7_200) })).body.development_fund_coupon_contract_id,
      sooner = (await allocate("alice", "6")).body.development_fund_coupon_contract_id;
    const active = async (user: string): Promise<string[]> =>
      (await ask(user, "GET", coupons)).active_development_fund_coupons.map((contract: Json) => contract.contract_id);
    assert.deepEqual([await active("alice"), await active("bob"), await active("carol")], [[sooner, later], [sooner, later], []]);
    assert.deepEqual(await active("dso"), [], "a stakeholder is not yet one of them");

    const withdraw = (user: string, contractId: string) =>
      request(user, "POST", `${coupons}/${contractId}/withdraw`, { reason: "a mistake" });
    assert.equal((await withdraw("bob", sooner)).status, 400);
    assert.equal((await withdraw("carol", sooner)).status, 404);
    const taken = await withdraw("alice", sooner);
    assert.deepEqual([taken.status, Object.keys(taken.body)], [200, ["unclaimed_development_fund_coupon_contract_id"]]);
    assert.equal((await withdraw("alice", sooner)).status, 404);
    assert.deepEqual(await active("bob"), [later]);
  });

  it("those that are gone are told with how they ended, the last to go first, in pages", async () => {
    const [rest] = (await ask("alice", "GET", coupons)).active_development_fund_coupons;
    await end("dso", rest.contract_id, "DevelopmentFundCoupon_DsoExpire");
    const claimed = (await allocate("alice", "7", { reason: "claimed" })).body.development_fund_coupon_contract_id;
    await end("dso", claimed, "Archive"); // as a transfer does
    const all = await history("bob", "limit=10");
    assert.deepEqual(
      all.development_fund_coupon_history.map(({ status, amount, rejection_or_withdrawal_reason }: Json) => [
        status,
        amount,
        rejection_or_withdrawal_reason,
      ]),
      [
        ["claimed", "7.0000000000", undefined],
        ["expired", "5.0000000000", undefined],
        ["withdrawn", "6.0000000000", "a mistake"],
        ["rejected", "45.0000000000", "too much"],
      ],
    );
    const [newest] = all.development_fund_coupon_history;
    assert.deepEqual([newest.beneficiary, newest.fund_manager, newest.reason], [party["bob"], party["alice"], "claimed"]);
    assert.ok(
      Date.parse(newest.createdAt) <= Date.parse(newest.archivedAt) && Date.parse(newest.archivedAt) < Date.parse(newest.expiresAt),
    );

    const first = await history("alice", "limit=3"),
      second = await history("alice", `limit=3&after=${first.next_page_token}`);
    assert.deepEqual(
      [...first.development_fund_coupon_history, ...second.development_fund_coupon_history],
      all.development_fund_coupon_history,
    );
    assert.deepEqual(await history("alice", `limit=3&after=${second.next_page_token}`), {
      development_fund_coupon_history: [],
      next_page_token: null,
    });
    assert.deepEqual(await history("carol", "limit=3"), { development_fund_coupon_history: [], next_page_token: null });
  });
});
