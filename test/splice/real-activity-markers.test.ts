/** Activity of featured apps, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, exercise } from "../../src/splice/commands.js";
import { instantOf } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const featured = { packageName: "splice-api-featured-app-v1", entity: "Splice.Api.FeaturedAppRightV1:FeaturedAppRight" };
const second = 1_000_000n;

for (const generation of ["older", "newer"] as const) {
  test(
    `what a featured app marks as activity of its own becomes a coupon for each beneficiary, ${generation} generation`,
    { skip: missingDars(realGenerations[generation]), timeout: 300_000 },
    async () => {
      const world = await EconomyWorld.open();
      try {
        const { dso, validators } = await bootstrapReal(world, generation);
        const [app, user] = await world.parties("app", "user");
        await world.automate(validators);
        const {
          created: [right],
        } = await world.submit({ actAs: [dso], commands: [create(templates.featuredAppRight, { dso, provider: app })] });
        const beneficiaries = [
          { beneficiary: app, weight: "0.2" },
          { beneficiary: user, weight: "0.8" },
        ];
        const mark = exercise(featured, right!.contractId, "FeaturedAppRight_CreateActivityMarker", { beneficiaries });
        for (let i = 0; i < 3; i++) await world.submit({ actAs: [app], commands: [mark] });
        await world.moveBy(20n * second);
        assert.deepEqual([(await world.contracts("featuredAppActivityMarker")).length, await world.contracts("appRewardCoupon")], [6, []]);
        await world.moveBy(20n * second);
        const coupons = await world.contracts("appRewardCoupon"),
          round = (await world.contracts("openMiningRound")).findLast(({ payload }) => instantOf(payload.opensAt) <= world.now);
        const amounts = coupons.map(({ payload }) => [payload.beneficiary, Number(payload.amount)] as const),
          whole = amounts.reduce((sum, [, amount]) => sum + amount, 0);
        assert.deepEqual(await world.contracts("featuredAppActivityMarker"), []);
        assert.deepEqual(
          new Map(amounts.map(([party, amount]) => [party, (amount / whole).toFixed(3)])),
          new Map([
            [app, "0.200"],
            [user, "0.800"],
          ]),
        );
        for (const { payload } of coupons)
          assert.deepEqual([payload.provider, payload.featured, payload.round], [app, true, round!.payload.round]);
        assert.deepEqual(await world.madeBy(dso), ["DsoBootstrap_Bootstrap"]);
      } finally {
        await world.close();
      }
    },
  );
}
