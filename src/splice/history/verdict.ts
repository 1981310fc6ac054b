/**
 * What the mediator of a network would have said of a submission, made from what became of it here: there is one ledger, so
 * whether it was recorded is the verdict. A view is a part of a transaction with those who are told of it.
 */
import { createHash } from "node:crypto";
import type { GrowingBytes } from "../../base/growing-bytes.js";
import type { Steps } from "../../base/steps.js";
import type { Offset, Party, SubmissionOutcome } from "../../ledger/index.js";
import { asRecordTime, recordTimeText } from "../instants.js";
import { migrationId } from "../snapshot-query.js";
import { elementsOf } from "../values/json-slices.js";
import { unquoted, type EventText, type TransactionText } from "./event-text.js";

export interface TransactionView {
  readonly view_id: number;
  readonly informees: readonly Party[];
  readonly confirming_parties: readonly { readonly parties: readonly Party[]; readonly threshold: number }[];
  readonly sub_views: readonly number[];
  readonly view_hash: string;
}

export interface Verdict {
  readonly update_id: string;
  readonly migration_id: number;
  readonly domain_id: string;
  readonly record_time: string;
  readonly finalization_time: string;
  readonly submitting_parties: readonly Party[];
  readonly submitting_participant_uid: string;
  readonly verdict_result: "VERDICT_RESULT_ACCEPTED" | "VERDICT_RESULT_REJECTED";
  readonly mediator_group: number;
  readonly transaction_views: { readonly views: readonly TransactionView[]; readonly root_views: readonly number[] };
}

/** The JSON text of a `Verdict`, view by view. `update`: undefined of a rejection. `synchronizerId`: of where none is told. */
export function* writeVerdict(
  out: GrowingBytes,
  outcome: SubmissionOutcome,
  update: TransactionText | undefined,
  synchronizerId: string,
): Steps<void> {
  const recordTime = update ? asRecordTime(unquoted(update.get("recordTime"))) : recordTimeText(outcome.recordTime);
  out.text(
    `{"update_id":"${outcomeId(outcome)}","migration_id":${migrationId},"domain_id":${update?.get("synchronizerId") ?? JSON.stringify(synchronizerId)},`
      + `"record_time":"${recordTime}","finalization_time":"${recordTime}","submitting_parties":${JSON.stringify(outcome.actAs)},`
      + `"submitting_participant_uid":${JSON.stringify(outcome.participantId)},`
      + `"verdict_result":"${outcome.status.code === 0 ? "VERDICT_RESULT_ACCEPTED" : "VERDICT_RESULT_REJECTED"}","mediator_group":0,`
      + `"transaction_views":{"views":[`,
  );
  const { views, roots } = yield* viewsOf(update?.events ?? []);
  for (const [id, view] of views.entries()) {
    out.text(`${id > 0 ? "," : ""}${viewText(view, id)}`);
    yield;
  }
  out.text(`],"root_views":[${roots.join(",")}]}}`);
}

const offsetHexChars = 12,
  pattern = /^1220[0-9a-f]{64}$/;

/** Rejections have no update id on the ledger; theirs look like others, and end with their offset as those do. */
export const outcomeId = ({ updateId, offset, participantId }: SubmissionOutcome): string =>
  updateId !== ""
    ? updateId
    : `1220${createHash("sha256").update(`rejected ${participantId} ${offset}`).digest("hex").slice(offsetHexChars)}${offset.toString(16).padStart(offsetHexChars, "0")}`;

/** Where an outcome of this id would be. */
export const offsetOfId = (id: string): Offset | undefined =>
  pattern.test(id) ? Number.parseInt(id.slice(-offsetHexChars), 16) : undefined;

interface View {
  readonly event: EventText;
  readonly subViews: number[];
}

/** An event with the same witnesses as the view right above it is part of that view. */
function* viewsOf(events: readonly EventText[]): Steps<{ readonly views: readonly View[]; readonly roots: readonly number[] }> {
  const views: View[] = [],
    roots: number[] = [],
    above: { readonly view: View; readonly last: number }[] = [];
  for (const event of events) {
    while (above.length > 0 && event.first > above.at(-1)!.last) above.pop();
    let view = above.at(-1)?.view;
    if (event.witnesses !== view?.event.witnesses) {
      (view?.subViews ?? roots).push(views.length);
      views.push((view = { event, subViews: [] }));
    }
    if (event.last > event.first) above.push({ view, last: event.last });
    yield;
  }
  return { views, roots };
}

function viewText({ event, subViews }: View, id: number): string {
  const confirmers = event.get(event.isCreate ? "signatories" : "actingParties");
  return (
    `{"view_id":${id},"informees":${event.witnesses},"confirming_parties":[{"parties":${confirmers},"threshold":${elementsOf(confirmers).length}}],`
    + `"sub_views":[${subViews.join(",")}],"view_hash":""}`
  );
}
