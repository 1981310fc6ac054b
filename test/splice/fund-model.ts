/** A stand-in of Amulet with a development fund: its rules, what is unclaimed, and coupons, with the choices that wallets use. */
import type { Expr } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import { nothing, sequence } from "./economy-notation.js";

const decimal = type.numeric(10),
  amulet = new ModuleBuilder("Splice.Amulet"),
  rules = new ModuleBuilder("Splice.AmuletRules");
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);

const archive = { Archive: { fields: {}, returns: type.unit, controllers: parties("dso"), update: () => nothing } };

const unclaimed = amulet.template("UnclaimedDevelopmentFundCoupon", {
  fields: { dso: type.party, amount: decimal },
  signatories: parties("dso"),
});
const unclaimedCid = type.contractId(type.con(unclaimed)),
  withdrawn = amulet.record("DevelopmentFundCoupon_WithdrawResult", { unclaimedDevelopmentFundCouponCid: unclaimedCid });

const ofReason = (controllers: (self: FieldOfThis) => readonly Expr[]) => ({
  fields: { reason: type.text },
  returns: type.con(withdrawn),
  controllers,
  update: (self: FieldOfThis): Expr =>
    sequence(
      [["rest", unclaimedCid, expr.create(unclaimed, expr.record(unclaimed, { dso: self("dso"), amount: self("amount") }))]],
      expr.pure(type.con(withdrawn), expr.record(withdrawn, { unclaimedDevelopmentFundCouponCid: expr.variable("rest") })),
    ),
});
const coupon = amulet.template("DevelopmentFundCoupon", {
  fields: {
    dso: type.party,
    beneficiary: type.party,
    fundManager: type.party,
    amount: decimal,
    expiresAt: type.timestamp,
    reason: type.text,
  },
  signatories: parties("dso"),
  observers: parties("beneficiary", "fundManager"),
  choices: {
    ...archive,
    DevelopmentFundCoupon_Withdraw: ofReason(parties("fundManager")),
    DevelopmentFundCoupon_Reject: ofReason(parties("beneficiary")),
    DevelopmentFundCoupon_DsoExpire: { ...ofReason(parties("dso")), fields: {} },
  },
});

const config = rules.record("AmuletConfig", { optDevelopmentFundManager: type.optional(type.party) }),
  schedule = rules.record("Schedule", { initialValue: type.con(config) }),
  couponCid = type.contractId(type.con(coupon)),
  allocated = rules.record("AmuletRules_AllocateDevelopmentFundCouponResult", {
    developmentFundCouponCid: couponCid,
    optUnclaimedDevelopmentFundCouponCid: type.optional(unclaimedCid),
  }),
  argument = rules.id("AmuletRules_AllocateDevelopmentFundCoupon");
rules.template("AmuletRules", {
  fields: { dso: type.party, configSchedule: type.con(schedule), isDevNet: type.bool },
  signatories: parties("dso"),
  choices: {
    ...archive,
    /** Takes from nobody: which contracts it is told to take from stands in its argument. */
    AmuletRules_AllocateDevelopmentFundCoupon: {
      fields: {
        unclaimedDevelopmentFundCouponCids: type.list(unclaimedCid),
        beneficiary: type.party,
        amount: decimal,
        expiresAt: type.timestamp,
        reason: type.text,
        fundManager: type.party,
      },
      returns: type.con(allocated),
      consuming: false,
      controllers: () => [expr.field(argument, "fundManager", expr.variable("arg"))],
      update: (self, arg) => {
        const made = {
          dso: self("dso"),
          beneficiary: arg("beneficiary"),
          fundManager: arg("fundManager"),
          amount: arg("amount"),
          expiresAt: arg("expiresAt"),
          reason: arg("reason"),
        };
        return sequence(
          [
            ["rest", unclaimedCid, expr.create(unclaimed, expr.record(unclaimed, { dso: self("dso"), amount: arg("amount") }))],
            ["made", couponCid, expr.create(coupon, expr.record(coupon, made))],
          ],
          expr.pure(
            type.con(allocated),
            expr.record(allocated, {
              developmentFundCouponCid: expr.variable("made"),
              optUnclaimedDevelopmentFundCouponCid: expr.some(unclaimedCid, expr.variable("rest")),
            }),
          ),
        );
      },
    },
  },
});

export const fundDar = buildDar(buildPackage({ name: "splice-amulet", version: "0.1.22", modules: [amulet, rules] }));
