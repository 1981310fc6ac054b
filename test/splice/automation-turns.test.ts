/** In which order automation does what is due, how often it looks, and when it has done all: on stand-ins of the packages. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { type Trigger } from "../../src/splice/automation/index.js";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { economyDars, walletDarWithRequests } from "./economy-model.js";
import { EconomyWorld } from "./economy-world.js";

const second = 1_000_000n;

describe("turns of automation", () => {
  let world: EconomyWorld, hosted: HostedNetwork, dso: string;
  before(async () => {
    world = await EconomyWorld.open();
    const made = await world.bootstrap(world.folderOf("dars", economyDars("configStates")));
    hosted = made.ok ?? assert.fail(made.error);
    ({ dso } = hosted);
    await world.upload(walletDarWithRequests());
  });
  after(() => world.close());

  const coupon = (seconds: bigint) =>
    create(templates.developmentFundCoupon, { dso, expiresAt: javaInstant(world.now + seconds * second) });
  const refused = exercise(templates.amuletRules, "00", "Nothing", {});

  for (const isSequential of [false, true])
    it(`what fails keeps nothing behind it waiting, and who waits is answered once all was tried${isSequential ? ", one by one" : ""}`, async () => {
      const failing = 3 * limits.automationTasksMax;
      let isLeft = true;
      const backlog: Trigger = {
        name: `backlog ${isSequential}`,
        what: "",
        due: async () => ({
          isSequential,
          tasks: [
            ...Array.from({ length: failing }, (_, index) => ({
              key: String(index),
              since: 0n,
              submission: () => ({ actAs: [dso], commands: [refused] }),
            })),
            ...(isLeft
              ? [{ key: "last", since: 0n, submission: () => ((isLeft = false), { actAs: [dso], commands: [coupon(3_600n)] }) }]
              : []),
          ],
        }),
      };
      await world.automate(hosted.validators, [backlog]); // and waits until nothing is due
      const outcomes = world.tasks.filter(({ trigger }) => trigger === backlog.name).map(({ outcome }) => outcome);
      assert.equal(world.done(backlog.name), 1);
      assert.equal(outcomes.length, failing + 1, "each was tried once");
    });

  it("what is not done by the time that its turn comes keeps nobody waiting", async () => {
    const vain: Trigger = {
      name: "vain",
      what: "",
      due: async () => ({
        tasks: Array.from({ length: limits.automationTasksMax + 5 }, (_, index) => ({
          key: String(index),
          since: 0n,
          submission: () => undefined,
        })),
      }),
    };
    await world.automate(hosted.validators, [vain]);
    assert.equal(world.done("vain"), 0);
  });

  it("what was created while its trigger rests, and fell due, is done when time has moved past it", async () => {
    const [, validator] = hosted.validators as [string, string],
      [carol, dave] = await world.parties("carol", "dave");
    const install = { dsoParty: dso, validatorParty: validator, endUserName: "carol", endUserParty: carol };
    await world.submit({ actAs: [carol, validator], commands: [create(templates.walletAppInstall, install)] });
    await world.automate(hosted.validators);
    await world.moveBy(31n * second); // it has just looked
    const expiresAt = javaInstant(world.now + 5n * second);
    await world.submit({ actAs: [carol], commands: [create(templates.transferOffer, { dso, sender: carol, receiver: dave, expiresAt })] });
    await world.moveBy(10n * second);
    assert.deepEqual(await world.contracts("transferOffer"), []);
  });

  it("what fails while somebody moves time is tried again at once, not when it would be tried again had time stood still", async () => {
    let attempts = 0,
      moved: Promise<void> | undefined;
    const failing: Trigger = {
      name: "overtaken",
      what: "",
      due: async () => ({
        tasks: [
          {
            key: "it",
            since: 0n,
            submission: () => {
              attempts++;
              if (attempts === 2) moved = world.moveBy(600n * second);
              return { actAs: [dso], commands: [attempts > 2 ? coupon(3_600n) : refused] };
            },
          },
        ].slice(attempts > 2 ? 1 : 0),
      }),
    };
    await world.automate(hosted.validators, [failing]);
    assert.equal(attempts, 1, "it waits");
    while (moved === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    await moved;
    assert.equal(attempts, 3);
    assert.equal(world.done("overtaken"), 1, "who moved time was answered once it was done");
  });

  it("while nothing happens a failure that is tried again makes nobody else look at all that there is", async () => {
    let looks = 0;
    const looking: Trigger = { name: "looking", what: "", due: async () => (looks++, { tasks: [] }) };
    const failing: Trigger = {
      name: "failing",
      what: "",
      due: async () => ({ tasks: [{ key: "it", since: 0n, submission: () => ({ actAs: [dso], commands: [refused] }) }] }),
    };
    const attempts = () => world.tasks.filter(({ trigger }) => trigger === "failing").length;
    await world.automate(hosted.validators, [looking, failing]);
    const before_ = [looks, attempts()] as const;
    for (const since = performance.now(); attempts() === before_[1];) {
      assert.ok(performance.now() - since < 20 * limits.automationRetryMs, "it is tried again");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(looks, before_[0]);
    await world.submit({ actAs: [dso], commands: [coupon(3_600n)] });
    await world.settle();
    assert.ok(looks > before_[0], "with news it looks");
  });
});
