/** Payments from the same holdings: one after another, again from what is left where somebody else was faster, and no more than may wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, isFailure, ok } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { ledgerError } from "../../src/ledger/index.js";
import { invalid } from "../../src/splice/refusal.js";
import { Lines } from "../../src/splice/wallet/lines.js";
import { spendAs } from "../../src/splice/wallet/spending.js";
import type { WalletContext } from "../../src/splice/wallet/wallet-context.js";

const owner = { userId: "alice", party: "alice::1220" };
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const taken = (contractId: string) =>
  fail(ledgerError("LOCAL_VERDICT_INACTIVE_CONTRACTS", `${contractId} is taken`, { resources: [["CONTRACT_ID", contractId]] }));

/** Of holdings that a command uses up, each time with a change of the same number; the ledger takes a turn for each. */
class Purse {
  readonly tried: string[] = [];
  holding = 0;
  /** What somebody else does between the choice of inputs and the command. */
  meanwhile = (): void => {};
  readonly context: WalletContext;

  constructor() {
    const submit = async ({ commands: [input] }: { readonly commands: readonly unknown[] }) => {
      this.tried.push(String(input));
      this.meanwhile();
      await nextTurn();
      if (input !== `holding-${this.holding}`) return taken(String(input));
      return ok({ exerciseResult: ++this.holding });
    };
    this.context = { payments: new Lines(), submitter: { submit, submitOnce: submit } } as unknown as WalletContext;
  }

  readonly prepare = async () => ({ ok: { actAs: [owner.party], commands: [`holding-${this.holding}` as unknown as object] } });

  pay = (payer = owner.party, subject?: string) =>
    spendAs(this.context, owner, subject === undefined ? { payer } : { payer, subject }, this.prepare);
}

test("payments of one party that come at once are all made, one after another", async () => {
  const purse = new Purse(),
    paid = await Promise.all(Array.from({ length: 10 }, () => purse.pay()));
  assert.deepEqual(
    paid.map((each) => each.ok?.exerciseResult),
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  assert.equal(purse.tried.length, 10, "none had to be made again");
});

test("payments of different parties do not wait for each other", async () => {
  const { context } = new Purse(),
    order: string[] = [];
  const turn = (payer: string) =>
    context.payments.inTurn(payer, async () => {
      order.push(`${payer} begins`);
      await nextTurn();
      order.push(`${payer} ends`);
      return ok(undefined);
    });
  await Promise.all([turn("alice"), turn("alice"), turn("bob")]);
  assert.deepEqual(order.slice(0, 2), ["alice begins", "bob begins"]);
  assert.deepEqual(
    order.filter((each) => each.startsWith("alice")),
    ["alice begins", "alice ends", "alice begins", "alice ends"],
  );
});

test("a payment whose holdings somebody took is made again from what is left, and not for ever", async () => {
  const purse = new Purse();
  let others = 2;
  purse.meanwhile = () => {
    if (others-- > 0) purse.holding++;
  };
  assert.equal((await purse.pay()).ok?.exerciseResult, 3);
  assert.deepEqual(purse.tried, ["holding-0", "holding-1", "holding-2"]);
  purse.meanwhile = () => purse.holding++;
  assert.equal((await purse.pay()).error?.kind, "notFound");
  assert.equal(purse.tried.length, 3 + limits.paymentAttemptsMax);
});

test("one whose subject is gone is not made again, nor one that cannot be prepared", async () => {
  const purse = new Purse();
  purse.meanwhile = () => purse.holding++;
  assert.equal((await purse.pay(owner.party, "holding-0")).error?.kind, "notFound");
  assert.equal(purse.tried.length, 1);
  const unprepared = await spendAs(purse.context, owner, { payer: owner.party }, () => Promise.resolve(invalid("no amount")));
  assert.equal(unprepared.error?.message, "no amount");
});

test("in a full line there is no place, and once it is shorter there is", async () => {
  const purse = new Purse(),
    answers = await Promise.all(Array.from({ length: limits.walletLineMax + 1 }, () => purse.pay()));
  assert.deepEqual(
    answers.filter(isFailure).map(({ error }) => error.kind),
    ["busy"],
  );
  assert.ok((await purse.pay()).ok);
});
