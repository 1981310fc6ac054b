/** What a reader gets of a transaction with many events: selected and written over several turns of the event loop. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import { transactionKind, type UpdateMarks } from "../records/index.js";
import { ElementBuffer } from "./element-buffer.js";
import type { Projection, TransactionForm } from "./projection.js";
import { type Selection, selectInParts, type TransactionFilter, wantedViews } from "./selection.js";
import { ViewReader } from "./view-reader.js";
import type { InterfaceViews } from "./views.js";

export const hasManyEvents = ({ kind, eventCount }: UpdateMarks): boolean => kind === transactionKind && eventCount > limits.readStepEvents;

export interface LargeRead {
  /** In memory of its own. */
  readonly update: UpdateMarks;
  readonly asked: TransactionFilter;
  readonly form: TransactionForm;
  /** Nothing selected is a transaction without events. */
  readonly emptyWhenHidden?: boolean;
  /** What goes around it. */
  readonly before?: string;
  readonly after?: string;
  /** Of who reads on. */
  readonly viewReader?: ViewReader;
  /** Whether nobody waits for it any more. */
  readonly isUnwanted?: () => boolean;
}

interface Writing {
  readonly views: InterfaceViews;
  readonly projection: Projection;
  readonly pruning: { readonly offset: number };
}

/** Its JSON; undefined where the reader gets nothing of it, where it was pruned meanwhile, or where nobody waits for it. */
export async function writtenInTurns(
  { views, projection, pruning }: Writing,
  turns: Turns,
  { update, asked, form, emptyWhenHidden = false, before = "", after = "", ...reader }: LargeRead,
): Promise<Uint8Array | undefined> {
  const { viewReader = new ViewReader(), isUnwanted } = reader,
    isOver = (): boolean => update.offset <= pruning.offset || isUnwanted?.() === true,
    { parts, isAsStored } = await turns.through(selectInParts(update, asked));
  if (isOver() || (parts.length === 0 && !emptyWhenHidden)) return undefined;
  if (isAsStored && form === "element" && asked.filter.asksOneOf(update.submitters)) return update.bytes.subarray(update.start, update.end);
  const out = new ElementBuffer(new GrowingBytes(Buffer.allocUnsafeSlow(likelyBytes(update, parts))));
  out.text(before);
  const writing = projection.transactionInParts(out, update, asked, form, parts.length === 0);
  for (const part of parts) {
    if (turns.isOver) await turns.next();
    if (isOver()) return undefined;
    if (!asked.filter.wantsViews) writing.add(part);
    else await views.whileComputed(wantedViews(update, part), () => (isOver() ? undefined : writing.add(part)), viewReader);
  }
  if (isOver()) return undefined;
  writing.end();
  out.text(after);
  return out.finish();
}

/** Memory that is not written costs nothing; to move to more of it would be one long turn. */
function likelyBytes({ start, end }: UpdateMarks, parts: readonly Selection[]): number {
  const isMore = parts.some(({ matches }) => matches.some(({ blob, views }) => blob || views.length > 0));
  return Math.ceil((isMore ? 2 : 1.1) * (end - start));
}
