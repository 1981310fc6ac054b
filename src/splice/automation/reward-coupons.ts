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
  const isOfRound = ({ dso, round: { number } }: Coupon): boolean => dso === round.dso && number === round.number,
    kind = (name: Kind) => contractsWhere(contracts, kinds[name], isOfRound, max);
  return {
    validator: await kind("validator"),
    app: await kind("app"),
    sv: await kind("sv"),
    faucet: await kind("faucet"),
    liveness: await kind("liveness"),
  };
}

/** The first `max` of a template, oldest first, of as many pages as it takes. */
export async function contractsWhere<P>(
  contracts: Contracts,
  template: Name,
  isWanted: (payload: P) => boolean,
  max: number,
): Promise<readonly Contract<P>[]> {
  const found: Contract<P>[] = [];
  for (let after: Place | undefined; found.length < max;) {
    const query = { templates: [template], limit: limits.scanPageElementsMax };
    const page = await contracts.page<P>(after ? { ...query, after } : query);
    assert(!isFailure(page), `what is active now can be read: ${page.error?.cause}`);
    found.push(...page.ok.filter(({ payload }) => isWanted(payload)));
    after = page.ok.at(-1)?.place;
    if (page.ok.length < limits.scanPageElementsMax) break;
  }
  return found.slice(0, max);
}

export const idsOf = (coupons: readonly Contract[]): readonly string[] => coupons.map(({ contractId }) => contractId);
