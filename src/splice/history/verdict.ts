/**
 * What the mediator of a network would have said of a submission, made from what became of it here: there is one ledger, so
 * whether it was recorded is the verdict. A view is a part of a transaction with those who are told of it.
 */
import { createHash } from "node:crypto";
import type { Offset, Party, SubmissionOutcome } from "../../ledger/index.js";
import { recordTimeText } from "../instants.js";
import { migrationId } from "../snapshot-query.js";
import { eventOf, treesOf, type Node, type Transaction } from "./transaction.js";

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

export interface VerdictPlace { readonly synchronizerId: string; readonly participantId: string }

/** `transaction`: undefined of a rejection. */
export function verdictOf(
  outcome: SubmissionOutcome,
  transaction: Transaction | undefined,
  { synchronizerId, participantId }: VerdictPlace,
): Verdict {
  const recordTime = recordTimeText(outcome.recordTime);
  return {
    update_id: outcomeId(outcome, participantId), migration_id: migrationId, domain_id: synchronizerId,
    record_time: recordTime, finalization_time: recordTime,
    submitting_parties: outcome.actAs, submitting_participant_uid: participantId,
    verdict_result: outcome.status.code === 0 ? "VERDICT_RESULT_ACCEPTED" : "VERDICT_RESULT_REJECTED",
    mediator_group: 0,
    transaction_views: transaction ? viewsOf(transaction) : { views: [], root_views: [] },
  };
}

const offsetHexChars = 12, pattern = /^1220[0-9a-f]{64}$/;

/** Rejections have no update id on the ledger; theirs look like others, and end with their offset as those do. */
export const outcomeId = ({ updateId, offset }: Pick<SubmissionOutcome, "updateId" | "offset">, participantId: string): string =>
  updateId !== ""
    ? updateId
    : `1220${createHash("sha256").update(`rejected ${participantId} ${offset}`).digest("hex").slice(offsetHexChars)}${offset.toString(16).padStart(offsetHexChars, "0")}`;

/** Where an outcome of this id would be. */
export const offsetOfId = (id: string): Offset | undefined =>
  pattern.test(id) ? Number.parseInt(id.slice(-offsetHexChars), 16) : undefined;

function viewsOf(transaction: Transaction): Verdict["transaction_views"] {
  const views: TransactionView[] = [];
  /** Gives the ids of the views that begin in `nodes`, below one that `told` are told of. */
  const add = (nodes: readonly Node[], told: readonly Party[] | undefined): number[] =>
    nodes.flatMap((node) => {
      const informees = eventOf(node).witnessParties;
      if (told !== undefined && isSame(informees, told)) return add(node.children, told);
      const id = views.length,
        own = { view_id: id, informees, confirming_parties: confirmersOf(node), sub_views: [] as number[], view_hash: "" };
      views.push(own);
      own.sub_views.push(...add(node.children, informees));
      return [id];
    });
  const roots = add(treesOf(transaction, () => true).roots, undefined);
  return { views, root_views: roots };
}

const isSame = (a: readonly Party[], b: readonly Party[]): boolean =>
  a.length === b.length && a.every((party, index) => party === b[index]);

function confirmersOf({ created, exercised }: Node): TransactionView["confirming_parties"] {
  const parties = created ? created.signatories : exercised!.actingParties;
  return [{ parties, threshold: parties.length }];
}
