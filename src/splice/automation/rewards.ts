/**
 * What a party can make Amulet of. A coupon is worth something while its round issues; those of the second generation, records of activity
 * and coupons of the development fund have an amount of their own.
 */
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { parseDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { entityOf, templates, type Name } from "../names.js";
import { inputsMaxOf, type IssuingMiningRound, type OfDso } from "../network.js";
import type { ValidatorRight } from "../wallet-installs.js";
import { contractsWhere, ofDsoWhere, type Economy } from "./trigger.js";

interface Redeemed extends OfDso {
  readonly round?: { readonly number: string };
  readonly amount?: string;
  readonly weight?: string | null;
  readonly featured?: boolean;
  readonly provider?: Party;
  readonly beneficiary?: Party | null;
  readonly user?: Party;
  readonly validator?: Party;
  readonly expiresAt?: string;
}
type Round = IssuingMiningRound;

interface Kind {
  readonly template: Name;
  /** As the model's type of inputs has it. */
  readonly input: string;
  ownerOf(payload: Redeemed): Party | null | undefined;
  /** In parts of an Amulet for each unit of its amount or weight; left out: it has an amount of its own. */
  issuanceOf?(round: Round, payload: Redeemed): string | null | undefined;
}

const validatorOf = ({ validator }: Redeemed) => validator,
  beneficiaryOf = ({ beneficiary }: Redeemed) => beneficiary,
  beneficiaryOrProviderOf = ({ provider, beneficiary }: Redeemed) => beneficiary ?? provider,
  ofFaucets = ({ optIssuancePerValidatorFaucetCoupon: issuance }: Round) => issuance;
const kinds = {
  liveness: {
    template: templates.validatorLivenessActivityRecord,
    input: "InputValidatorLivenessActivityRecord",
    ownerOf: validatorOf,
    issuanceOf: ofFaucets,
  },
  faucet: { template: templates.validatorFaucetCoupon, input: "ExtTransferInput", ownerOf: validatorOf, issuanceOf: ofFaucets },
  app: {
    template: templates.appRewardCoupon,
    input: "InputAppRewardCoupon",
    ownerOf: beneficiaryOrProviderOf,
    issuanceOf: (round, { featured }) => (featured ? round.issuancePerFeaturedAppRewardCoupon : round.issuancePerUnfeaturedAppRewardCoupon),
  },
  sv: {
    template: templates.svRewardCoupon,
    input: "InputSvRewardCoupon",
    ownerOf: beneficiaryOf,
    issuanceOf: ({ issuancePerSvRewardCoupon }) => issuancePerSvRewardCoupon,
  },
  appV2: { template: templates.rewardCouponV2, input: "InputRewardCouponV2", ownerOf: beneficiaryOrProviderOf },
  activity: { template: templates.unclaimedActivityRecord, input: "InputUnclaimedActivityRecord", ownerOf: beneficiaryOf },
  fund: { template: templates.developmentFundCoupon, input: "InputDevelopmentFundCoupon", ownerOf: beneficiaryOf },
} as const satisfies Readonly<Record<string, Kind>>;
export type RewardKind = keyof typeof kinds;
const everyKind = Object.keys(kinds) as readonly RewardKind[];

export const rewardTemplates: readonly Name[] = Object.values(kinds).map(({ template }) => template);

/** A coupon that the validator of a user gets, by the right that he gave it. */
const ofUsers: Pick<Kind, "template" | "input"> & { readonly issuanceOf: (round: Round) => string } = {
  template: templates.validatorRewardCoupon,
  input: "InputValidatorRewardCoupon",
  issuanceOf: ({ issuancePerValidatorRewardCoupon }) => issuancePerValidatorRewardCoupon,
};

export interface TransferInput {
  readonly tag: string;
  readonly value: unknown;
}
export interface Reward {
  readonly input: TransferInput;
  /** In parts of an Amulet, not exactly. */
  readonly worth: bigint;
  readonly createdAt: bigint;
  /** Undefined: it has an amount of its own. */
  readonly round: Contract<Round> | undefined;
  /** The right by which it is another's to collect. */
  readonly right?: Contract<ValidatorRight>;
}

export interface RewardsQuery {
  readonly owner: Party;
  /** That issue now. */
  readonly rounds: readonly Contract<Round>[];
  readonly now: bigint;
  /** Of his own; undefined: all. */
  readonly kinds?: readonly RewardKind[];
  /** Whether he may be somebody's validator. */
  readonly isValidator: boolean;
}

/** The first to lapse come first, and of a round those that are worth most; what has an amount of its own comes last. */
export async function rewardsOf(economy: Economy, query: RewardsQuery): Promise<readonly Reward[]> {
  const found = [...(await ownRewards(economy, query)), ...(await rewardsOfUsers(economy, query))],
    turnOf = ({ round }: Reward): number => (round === undefined ? Infinity : Number(round.payload.round.number));
  return found
    .filter(({ worth }) => worth > 0n)
    .sort((a, b) => (turnOf(a) === turnOf(b) ? Number(b.worth - a.worth) : turnOf(a) - turnOf(b)));
}

async function ownRewards(
  { contracts, dso, amuletRules }: Economy,
  { owner, rounds, now, kinds: names = everyKind }: RewardsQuery,
): Promise<readonly Reward[]> {
  const wanted: readonly Kind[] = names.map((name) => kinds[name]);
  const kindOf = ({ templateId }: Contract<Redeemed>): Kind => wanted.find(({ template }) => template.entity === entityOf(templateId))!;
  const [oldest] = rounds,
    isLapsed = ({ round, expiresAt }: Redeemed, { issuanceOf }: Kind): boolean =>
      (expiresAt !== undefined && instantOf(expiresAt) <= now)
      || (issuanceOf !== undefined
        && round !== undefined
        && oldest !== undefined
        && BigInt(round.number) < BigInt(oldest.payload.round.number));
  const own = await contractsWhere<Redeemed>(contracts, {
    templates: wanted.map(({ template }) => template),
    stakeholders: [owner], // also of an app's coupons that are its users'
    isWanted: (contract) => {
      const kind = kindOf(contract);
      return contract.payload.dso === dso && kind.ownerOf(contract.payload) === owner && !isLapsed(contract.payload, kind);
    },
    max: 2 * inputsMaxOf(amuletRules.payload), // those of rounds that issue are older than those of rounds to come
  });
  return own.flatMap((contract) => rewardOf(contract, kindOf(contract), rounds));
}

async function rewardsOfUsers(economy: Economy, { owner, rounds, isValidator }: RewardsQuery): Promise<readonly Reward[]> {
  if (rounds.length === 0 || !isValidator) return [];
  const { network, dso, amuletRules } = economy;
  const granted = await network.contracts<ValidatorRight>(dso, templates.validatorRight, {
    stakeholder: owner,
    where: ({ payload }) => payload.validator === owner,
    withBlobs: false,
  });
  const rights = new Map(granted.map((right) => [right.payload.user, right]));
  if (rights.size === 0) return [];
  const areOfUsers = ({ payload: { user = "" } }: Contract<Redeemed>): boolean => rights.has(user),
    coupons = await ofDsoWhere<Redeemed>(economy, ofUsers.template, areOfUsers, inputsMaxOf(amuletRules.payload));
  return coupons.flatMap((coupon) => {
    const right = rights.get(coupon.payload.user!)!;
    return rewardOf(coupon, ofUsers, rounds).map((reward) => ({ ...reward, right }));
  });
}

const one = 10_000_000_000n;

/** None: its round does not issue. */
function rewardOf(
  { contractId, createdAt, payload }: Contract<Redeemed>,
  { input: tag, issuanceOf }: Pick<Kind, "input" | "issuanceOf">,
  rounds: readonly Contract<Round>[],
): readonly Reward[] {
  const { amount, weight, round: of } = payload,
    round = issuanceOf && rounds.find(({ payload: each }) => each.round.number === of?.number);
  if (issuanceOf && round === undefined) return [];
  const units = parseDecimal(amount ?? weight ?? "1.0"),
    worth = issuanceOf ? (units * parseDecimal(issuanceOf(round!.payload, payload) ?? "0.0")) / one : units;
  return [{ input: inputOf(tag, contractId), worth, createdAt: instantOf(createdAt), round }];
}

const inputOf = (tag: string, contractId: string): TransferInput =>
  tag === "ExtTransferInput"
    ? { tag, value: { dummyUnitField: {}, optInputValidatorFaucetCoupon: contractId } }
    : { tag, value: contractId };
