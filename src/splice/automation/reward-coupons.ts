/** Coupons of a round: what they claim of its issuance, and what is left of them when it is over. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Contract, Contracts, Place } from "../contracts.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";

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

/** At most `max` of each kind, oldest first. */
export async function couponsOf(contracts: Contracts, round: Round, max: number): Promise<Coupons> {
  const kind = (name: Kind) => ofKind(contracts, kinds[name], round, max);
  return {
    validator: await kind("validator"),
    app: await kind("app"),
    sv: await kind("sv"),
    faucet: await kind("faucet"),
    liveness: await kind("liveness"),
  };
}

async function ofKind(contracts: Contracts, template: Name, { dso, number }: Round, max: number): Promise<readonly Contract<Coupon>[]> {
  const found: Contract<Coupon>[] = [];
  for (let after: Place | undefined; found.length < max;) {
    const query = { templates: [template], limit: limits.scanPageElementsMax };
    const page = await contracts.page<Coupon>(after ? { ...query, after } : query);
    assert(!isFailure(page), `what is active now can be read: ${page.error?.cause}`);
    found.push(...page.ok.filter(({ payload }) => payload.dso === dso && payload.round.number === number));
    after = page.ok.at(-1)?.place;
    if (page.ok.length < limits.scanPageElementsMax) break;
  }
  return found.slice(0, max);
}

export const idsOf = (coupons: readonly Contract[]): readonly string[] => coupons.map(({ contractId }) => contractId);
