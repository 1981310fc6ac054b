/** Coupons of a round: what they claim of its issuance, and what is left of them when it is over. */
import type { Contract, Contracts } from "../contracts.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import { contractsWhere, type IsWaiting } from "./trigger.js";

export interface Coupon extends OfDso {
  readonly round: { readonly number: string };
  readonly amount?: string;
  readonly weight?: string;
  readonly featured?: boolean;
}

const kinds = {
  validator: templates.validatorRewardCoupon,
  app: templates.appRewardCoupon,
  sv: templates.svRewardCoupon,
  faucet: templates.validatorFaucetCoupon,
  liveness: templates.validatorLivenessActivityRecord,
} as const satisfies Readonly<Record<string, Name>>;
type Kind = keyof typeof kinds;
export type Coupons = Readonly<Record<Kind, readonly Contract<Coupon>[]>>;

export interface Round {
  readonly dso: string;
  readonly number: string;
}

/** At most `max` of each kind, oldest first, without those that wait for another attempt. */
export async function couponsOf(contracts: Contracts, round: Round, max: number, isWaiting: IsWaiting = () => false): Promise<Coupons> {
  const kind = (name: Kind) =>
    contractsWhere<Coupon>(contracts, {
      templates: [kinds[name]],
      stakeholders: [round.dso],
      isWanted: ({ contractId, payload: { dso, round: of } }) => dso === round.dso && of.number === round.number && !isWaiting(contractId),
      max,
    });
  return {
    validator: await kind("validator"),
    app: await kind("app"),
    sv: await kind("sv"),
    faucet: await kind("faucet"),
    liveness: await kind("liveness"),
  };
}

export const idsOf = (coupons: readonly Contract[]): readonly string[] => coupons.map(({ contractId }) => contractId);
