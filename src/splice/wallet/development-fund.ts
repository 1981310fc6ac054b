/** The development fund: its manager gives shares of it as coupons, whose beneficiaries make Amulet of them, and may take them back. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { amountOf, timeOf } from "../amounts.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { parseDecimal } from "../decimal.js";
import { describeContracts, type DescribedContract } from "../described-contract.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { AmuletRules, OfDso } from "../network.js";
import { type Answer, identifierProblem, invalid, notFound, type Refusal } from "../refusal.js";
import { commandIdOf } from "./commands.js";
import { disclosedFrom, submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface Unclaimed extends OfDso {
  readonly amount: string;
}
export interface Coupon {
  readonly beneficiary: Party;
  readonly fundManager: Party;
  readonly amount: string;
  readonly expiresAt: string;
  readonly reason: string;
}

export interface CouponRequest {
  readonly beneficiary: Party;
  readonly amount: string;
  /** Microseconds since the epoch. */
  readonly expiresAt: number;
  readonly reason: string;
}
export interface AllocatedCoupon {
  readonly coupon: string;
  /** What is left of what it was taken from. */
  readonly rest: string | undefined;
}

/** By the manager alone; the same request once. */
export async function allocateCoupon(context: WalletContext, owner: Owner, request: CouponRequest): Answer<AllocatedCoupon> {
  const { beneficiary, reason } = request,
    amount = amountOf(request.amount),
    expiresAt = timeOf(request.expiresAt, "expiresAt");
  const malformed = identifierProblem(beneficiary);
  if (malformed) return malformed;
  if (isFailure(amount)) return amount;
  if (isFailure(expiresAt)) return expiresAt;
  const found = await context.network.amuletRules();
  if (isFailure(found)) return found;
  const rules = found.ok,
    stranger = notTheManager(rules.payload, owner);
  if (stranger) return stranger;
  const sources = largestUpTo(await unclaimedOf(context, rules.payload.dso), amount.ok);
  if (!sources) return invalid("The total amount of unclaimed development coupons is insufficient to cover the amount requested");
  const allocated = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [
      exercise(templates.amuletRules, rules.contractId, "AmuletRules_AllocateDevelopmentFundCoupon", {
        unclaimedDevelopmentFundCouponCids: sources.map(({ contractId }) => contractId),
        beneficiary,
        amount: request.amount,
        expiresAt: expiresAt.ok,
        reason,
        fundManager: owner.party,
      }),
    ],
    disclosed: disclosedFrom(context, [rules, ...sources]),
    commandId: commandIdOf("allocateDevelopmentFundCoupon", owner.party, beneficiary, request.amount, String(request.expiresAt), reason),
  });
  if (isFailure(allocated)) return allocated;
  const { developmentFundCouponCid, optUnclaimedDevelopmentFundCouponCid } = allocated.ok.exerciseResult as {
    readonly developmentFundCouponCid: string;
    readonly optUnclaimedDevelopmentFundCouponCid: string | null;
  };
  return ok({ coupon: developmentFundCouponCid, rest: optUnclaimedDevelopmentFundCouponCid ?? undefined });
}

function notTheManager({ configSchedule }: AmuletRules, { party }: Owner): { readonly error: Refusal } | undefined {
  const { initialValue } = configSchedule as { readonly initialValue?: { readonly optDevelopmentFundManager?: Party | null } },
    manager = initialValue?.optDevelopmentFundManager ?? undefined;
  if (manager === undefined) return invalid("Development fund manager has not been configured.");
  return manager === party ? undefined : invalid(`Invalid fund manager: expected '${manager}', but the submitter was '${party}'.`);
}

const unclaimedOf = ({ network }: WalletContext, dso: Party): Promise<readonly Contract<Unclaimed>[]> =>
  network.contracts<Unclaimed>(dso, templates.unclaimedDevelopmentFundCoupon);

/** The largest of them, as many as it takes; undefined: all are not enough. */
function largestUpTo(unclaimed: readonly Contract<Unclaimed>[], amount: bigint): readonly Contract<Unclaimed>[] | undefined {
  const size = ({ payload }: Contract<Unclaimed>): bigint => parseDecimal(payload.amount),
    taken: Contract<Unclaimed>[] = [];
  let missing = amount;
  for (const each of [...unclaimed].sort((a, b) => (size(a) < size(b) ? 1 : -1))) {
    if (missing <= 0n) break;
    taken.push(each);
    missing -= size(each);
  }
  return missing <= 0n ? taken : undefined;
}

/** Those that the owner gave or got, the first to expire first: of the oldest as many as a list has room for. */
export async function activeCoupons({ contracts, types }: WalletContext, { party }: Owner): Answer<readonly DescribedContract[]> {
  const coupons = await contracts.first<Coupon>(
    templates.developmentFundCoupon,
    { stakeholder: party, max: limits.walletListContractsMax },
    ({ payload }) => concerns(payload, party),
  );
  const expiry = ({ payload }: Contract<Coupon>): bigint => instantOf(payload.expiresAt);
  return ok(
    await describeContracts(
      types,
      [...coupons].sort((a, b) => (expiry(a) < expiry(b) ? -1 : 1)),
    ),
  );
}

/** Whether he gave or got it: stakeholders are others, too. */
export const concerns = ({ beneficiary, fundManager }: Coupon, party: Party): boolean => beneficiary === party || fundManager === party;

/** What it was worth is unclaimed again, in a contract of this id. */
export async function withdrawCoupon(context: WalletContext, owner: Owner, contractId: string, reason: string): Answer<string> {
  const coupon = (await context.contracts.all<Coupon>(templates.developmentFundCoupon, owner.party)).find(
    (each) => each.contractId === contractId,
  );
  if (!coupon) return notFound(`DevelopmentFundCoupon ${contractId} not found.`);
  const { fundManager } = coupon.payload;
  if (fundManager !== owner.party)
    return invalid(`Invalid controller: expected fund manager '${fundManager}', but the submitter was '${owner.party}'.`);
  const withdrawn = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.developmentFundCoupon, contractId, "DevelopmentFundCoupon_Withdraw", { reason })],
  });
  return isFailure(withdrawn)
    ? withdrawn
    : ok((withdrawn.ok.exerciseResult as { readonly unclaimedDevelopmentFundCouponCid: string }).unclaimedDevelopmentFundCouponCid);
}
