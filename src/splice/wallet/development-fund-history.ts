/** Coupons of the development fund that are gone, read from the end of the log: how each of them ended. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { Creation } from "../contracts.js";
import { partyFormat, transactionPages } from "../history/reading.js";
import type { Exercised } from "../history/transaction.js";
import { asIsoTime } from "../instants.js";
import { reference, templates } from "../names.js";
import { pageSizeProblem } from "../page-size.js";
import { type Answer, type Refusal, refuse } from "../refusal.js";
import { placeOf, rowOf } from "../rows.js";
import { concerns, type Coupon } from "./development-fund.js";
import type { Owner, WalletContext } from "./wallet-context.js";

export interface ArchivedCoupon {
  readonly createdAt: string;
  readonly archivedAt: string;
  readonly beneficiary: Party;
  readonly fund_manager: Party;
  readonly amount: string;
  readonly expiresAt: string;
  readonly reason: string;
  readonly status: "withdrawn" | "rejected" | "claimed" | "expired";
  readonly rejection_or_withdrawal_reason?: string;
}
export interface CouponHistory {
  readonly coupons: readonly ArchivedCoupon[];
  readonly nextPageToken: number | undefined;
}
export interface CouponHistoryQuery {
  /** Undefined: from the end. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Those that the owner gave or got, the last to go first. */
export async function couponHistory(context: WalletContext, { party }: Owner, { after, limit }: CouponHistoryQuery): Answer<CouponHistory> {
  const problem = pageSizeProblem(limit);
  if (problem) return problem;
  const coupons: ArchivedCoupon[] = [];
  let last: number | undefined;
  for await (const ended of endsBefore(context, party, after)) {
    if (isFailure(ended)) return ended;
    coupons.push(ended.ok.coupon);
    last = ended.ok.row;
    if (coupons.length === limit) break;
  }
  return ok({ coupons, nextPageToken: last });
}

/** Of a coupon whose creation is pruned nothing is told. */
async function* endsBefore(
  { contracts, ledger }: WalletContext,
  party: Party,
  before: number | undefined,
): AsyncGenerator<Result<{ readonly row: number; readonly coupon: ArchivedCoupon }, Refusal>> {
  if (!contracts.knows(templates.developmentFundCoupon)) return;
  const filter = { kind: "template", templateId: reference(templates.developmentFundCoupon), includeCreatedEventBlob: false } as const,
    format = partyFormat({ [party]: { cumulative: [filter] } }),
    end = ledger.ledgerEnd(),
    to = before === undefined ? end : Math.min(end, placeOf(before).offset);
  for await (const page of transactionPages(ledger, { format, after: 0, to, descending: true })) {
    if (isFailure(page)) return yield fail(refuse("internal", page.error.cause).error);
    for (const { events, effectiveAt, offset } of page.ok) {
      const ends = events.flatMap(({ ExercisedEvent: exercised }) =>
        exercised?.consuming ? [{ exercised, row: rowOf({ offset, nodeId: exercised.nodeId }) }] : [],
      );
      const told = ends.filter(({ row }) => before === undefined || row < before).reverse(),
        creations = await contracts.creationsOf<Coupon>(told.map(({ exercised }) => exercised.contractId));
      for (const { row, exercised } of told) {
        const created = creations.get(exercised.contractId);
        if (created && concerns(created.payload, party)) yield ok({ row, coupon: archived(created, exercised, effectiveAt) });
      }
    }
  }
}

function archived({ payload, createdAt }: Creation<Coupon>, { choice, choiceArgument }: Exercised, effectiveAt: string): ArchivedCoupon {
  const { beneficiary, fundManager, amount, expiresAt, reason } = payload,
    status = statuses[choice] ?? "claimed";
  const isExplained = status === "withdrawn" || status === "rejected";
  return {
    createdAt: asIsoTime(createdAt),
    archivedAt: asIsoTime(effectiveAt),
    beneficiary,
    fund_manager: fundManager,
    amount,
    expiresAt: asIsoTime(expiresAt),
    reason,
    status,
    ...(isExplained && { rejection_or_withdrawal_reason: (choiceArgument as { readonly reason: string }).reason }),
  };
}

/** Whatever else ends a coupon makes Amulet of it. */
const statuses: Readonly<Record<string, ArchivedCoupon["status"]>> = {
  DevelopmentFundCoupon_Withdraw: "withdrawn",
  DevelopmentFundCoupon_Reject: "rejected",
  DevelopmentFundCoupon_DsoExpire: "expired",
};
