/** Pages of updates and of active contracts. */
import { discard } from "../../base/element-writer.js";
import { readWhile } from "../../base/reading.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { offsetBytes, offsetKey, placeBytes, placeKey, type EventPlace } from "../../store/index.js";
import { ActiveContractsCursor } from "./contracts.js";
import { ElementBuffer } from "./element-buffer.js";
import { parseEventFormat } from "./filters.js";
import {
  type Answer,
  invalidArgument,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  ListTokens,
  type LogValue,
  negativeOffset,
  nonPositiveOffset,
  type Offset,
  type AskedOffset,
  inJson,
  offsetAfterLedgerEnd,
  type TokenFault,
  type TokenKey,
  whileLogging,
} from "../model/index.js";
import type { EventFormatRequest, GivenFormat, PageMemory, Taken, Traced } from "./formats.js";
import { checkNotPruned } from "./pruned.js";
import type { ReadContext } from "./read-context.js";
import { asksForNothing, type ParsedUpdateFormat, parseGivenFormat, resolveNames, updateFormatEntry } from "./update-request.js";
import { UpdatesCursor } from "./updates.js";

/** In a token of updates: the bound that the next page starts from. */
const boundOf = (token: Buffer): Offset => placeKey.readKey(token, 0, placeBytes).offset;
function boundPlace(offset: Offset): Buffer {
  const place = Buffer.alloc(placeBytes);
  placeKey.writeKey({ offset, nodeId: 0 }, place, 0);
  return place;
}

/** In a token of active contracts. */
interface ContractsPlace {
  readonly activeAt: Offset;
  readonly last: EventPlace;
}
const contractsPlaceBytes = offsetBytes + placeBytes;
const contractsPlaceOf = (token: Buffer): ContractsPlace => ({
  activeAt: offsetKey.readKey(token, 0, offsetBytes),
  last: placeKey.readKey(token, offsetBytes, contractsPlaceBytes),
});
function contractsPlace({ activeAt, last }: ContractsPlace): Buffer {
  const place = Buffer.alloc(contractsPlaceBytes);
  placeKey.writeKey(last, place, offsetKey.writeKey(activeAt, place, 0));
  return place;
}

const requestOfCode = {
  INVALID_UPDATES_PAGE_TOKEN: "GetUpdatesPageRequest",
  INVALID_ACS_PAGE_TOKEN: "GetActiveContractsPageRequest",
} as const;

function tokenRefused(fault: TokenFault, foreignCode: keyof typeof requestOfCode): LedgerErrorData {
  return fault === "undecodable"
    ? invalidField("page_token", `Invalid page token for ${requestOfCode[foreignCode]}`)
    : ledgerError(foreignCode, "The request contains an invalid page token: it was given for another one.");
}

/** Nobody can leave. */
const always = (): AbortSignal => new AbortController().signal;

function checkPageSize(size: number | undefined, max: number): LedgerErrorData | undefined {
  if (size === undefined) return undefined;
  if (size <= 0) return invalidArgument(`Requested page size must be positive, but got ${size}`);
  return size > max ? invalidArgument(`Requested page size must not exceed ${max}, but got ${size}`) : undefined;
}

export interface UpdatesPageRequest extends Traced, Taken {
  readonly beginExclusive: AskedOffset | undefined;
  readonly endInclusive: AskedOffset | undefined;
  readonly pageSize: number | undefined;
  readonly format: GivenFormat;
  readonly descending: boolean;
  readonly pageToken: Uint8Array | undefined;
}

/** In the order of Canton's `UpdateServiceRequestValidator`: behind the token, before the format. */
function checkUpdatesPage(request: UpdatesPageRequest, ledgerEnd: Offset): LedgerErrorData | undefined {
  const { beginExclusive: begin, endInclusive: end } = request;
  if (end !== undefined && end <= 0) return nonPositiveOffset("endOffsetInclusive", end);
  if (begin !== undefined && begin < 0) return negativeOffset("beginOffsetExclusive", begin);
  const size = checkPageSize(request.pageSize, limits.updatesPageElementsMax);
  if (size) return size;
  if (end !== undefined && end > ledgerEnd) return offsetAfterLedgerEnd("endOffsetInclusive", end, ledgerEnd);
  return begin !== undefined && end !== undefined && begin > end
    ? invalidArgument("beginOffsetExclusive is after endOffsetInclusive")
    : undefined;
}

export async function readUpdatesPage(context: ReadContext, key: TokenKey, request: UpdatesPageRequest): Answer<Uint8Array> {
  const page = await findUpdatesPage(context, key, request);
  return isFailure(page) ? fail(whileLogging(page.error)) : page;
}

async function findUpdatesPage(context: ReadContext, key: TokenKey, request: UpdatesPageRequest): Answer<Uint8Array> {
  const ledgerEnd = context.ledgerEnd.offset;
  const tokens = new ListTokens(key, "updates", [
    inJson(request.beginExclusive),
    inJson(request.endInclusive),
    request.pageSize,
    request.format,
    request.descending,
  ]);
  const place = request.pageToken && tokens.place(request.pageToken, placeBytes);
  if (place && isFailure(place)) return fail(tokenRefused(place.error, "INVALID_UPDATES_PAGE_TOKEN"));
  const problem = checkUpdatesPage(request, ledgerEnd);
  if (problem) return fail(problem);
  const parsed = parseGivenFormat(request.format);
  if (isFailure(parsed)) return parsed;
  let begin: AskedOffset = request.beginExclusive ?? context.pruning.offset,
    end = Number(request.endInclusive ?? ledgerEnd);
  if (place && request.descending) end = boundOf(place.ok);
  else if (place) begin = boundOf(place.ok);
  const out = new ElementBuffer(request.memory?.bytes);
  out.text(`{"updates":[`);
  const collected = await collectUpdates(
    context,
    parsed.ok,
    {
      begin: Number(begin),
      end,
      size: request.pageSize ?? limits.updatesPageElementsDefault,
      descending: request.descending,
      traceId: request.traceId,
      taker: request.taker ?? always,
      memory: request.memory,
    },
    out,
  );
  if (isFailure(collected)) return fail(whileLogging(collected.error, pageEntries(request, parsed.ok, place?.ok)));
  const { cutAt } = collected.ok;
  const low = request.descending && cutAt !== undefined ? cutAt : begin;
  const high = !request.descending && cutAt !== undefined ? cutAt : end;
  // Ascending without an end there may always be more later.
  const isLast = cutAt === undefined && (request.descending || request.endInclusive !== undefined);
  const next = isLast ? "null" : `"${tokens.token(boundPlace(Number(request.descending ? low : high))).toString("base64")}"`;
  out.text(`],"lowestPageOffsetExclusive":${low},"highestPageOffsetInclusive":${high},"nextPageToken":${next}}`);
  return ok(out.finish());
}

/** What is logged of a request that has no fault by itself (`ApiUpdateService.getUpdatesPage`). `place`: of its token. */
function pageEntries(
  { beginExclusive: begin, endInclusive: end, pageSize, descending }: UpdatesPageRequest,
  parsed: ParsedUpdateFormat,
  place: Buffer | undefined,
): Readonly<Record<string, LogValue>> {
  return {
    ...(begin !== undefined && { startExclusiveOpt: begin }),
    ...(end !== undefined && { endInclusive: end }),
    maxPageSize: pageSize ?? limits.updatesPageElementsDefault,
    updateFormat: updateFormatEntry(parsed),
    descendingOrder: descending,
    ...(place && { continueStreamFromIncl: descending ? boundOf(place) : boundOf(place) + 1 }),
  };
}

interface PageRange {
  readonly begin: Offset;
  readonly end: Offset;
  readonly size: number;
  readonly descending: boolean;
  readonly traceId: string | undefined;
  readonly taker: () => AbortSignal;
  readonly memory: PageMemory | undefined;
}

const isLong = ({ length }: ElementBuffer, memory: PageMemory | undefined): boolean =>
  length >= limits.pageBytesMax || memory?.isShortFor(length) === true;

/** Writes the elements of one page; `cutAt` is the bound that parts them from the first element of the next page, if there is one. */
async function collectUpdates(
  context: ReadContext,
  parsed: ParsedUpdateFormat,
  range: PageRange,
  out: ElementBuffer,
): Answer<{ readonly cutAt: Offset | undefined }> {
  const { begin, end, descending } = range;
  if (begin >= end) return ok({ cutAt: undefined }); // nor are names looked up for it (`fetchTransactionsWithEmptyRangeSupport`)
  const format = resolveNames(parsed, context, range.traceId);
  if (isFailure(format)) return format;
  const gone = checkNotPruned("updates", { from: begin, to: end }, context.pruning.offset);
  if (gone && !asksForNothing(format.ok)) return fail(gone);
  const cursor = new UpdatesCursor(context, { beginExclusive: begin, endInclusive: end, descending }, format.ok, "update");
  while (!cursor.ended && out.elements < range.size && !isLong(out, range.memory))
    await readWhile(range.taker, cursor, range.size - out.elements, out);
  const hasNext = !cursor.ended && (await readWhile(range.taker, cursor, 1, discard)) > 0;
  if (cursor.failure) return fail(cursor.failure);
  return ok({ cutAt: !hasNext ? undefined : range.descending ? cursor.lastElement : cursor.lastElement - 1 });
}

export interface ActiveContractsPageRequest extends Traced, Taken {
  readonly activeAtOffset: AskedOffset | undefined;
  readonly pageSize: number | undefined;
  readonly format: EventFormatRequest;
  readonly pageToken: Uint8Array | undefined;
}

export async function readActiveContractsPage(
  context: ReadContext,
  key: TokenKey,
  request: ActiveContractsPageRequest,
): Answer<Uint8Array> {
  const parsed = parseEventFormat(request.format);
  if (isFailure(parsed)) return parsed;
  const problem = checkPageSize(request.pageSize, limits.activeContractsPageElementsMax);
  if (problem) return fail(problem);
  const tokens = new ListTokens(key, "active contracts", [inJson(request.activeAtOffset), request.format]);
  let activeAt = request.activeAtOffset ?? context.ledgerEnd.offset,
    from: EventPlace = { offset: 0, nodeId: 0 };
  if (request.pageToken) {
    const place = tokens.place(request.pageToken, contractsPlaceBytes);
    if (isFailure(place)) return fail(tokenRefused(place.error, "INVALID_ACS_PAGE_TOKEN"));
    ({ activeAt, last: from } = contractsPlaceOf(place.ok));
  }
  const size = request.pageSize ?? limits.activeContractsPageElementsDefault;
  const filter = ActiveContractsCursor.check(context, { ...request, activeAtOffset: activeAt }, parsed.ok, {
    maxPageSize: size,
    activeAtOffset: activeAt,
  });
  if (isFailure(filter)) return filter;
  const offset = Number(activeAt),
    cursor = new ActiveContractsCursor(context, filter.ok, offset, from, undefined),
    { taker = always, memory } = request;
  const out = new ElementBuffer(memory?.bytes);
  out.text(`{"activeContracts":[`);
  while (!cursor.ended && out.elements < size && !isLong(out, memory)) await readWhile(taker, cursor, size - out.elements, out);
  const last = cursor.position;
  const hasNext = !cursor.ended && (await readWhile(taker, cursor, 1, discard)) > 0;
  if (cursor.failure) return fail(cursor.failure);
  const next = hasNext ? `"${tokens.token(contractsPlace({ activeAt: offset, last })).toString("base64")}"` : "null";
  out.text(`],"activeAtOffset":${offset},"nextPageToken":${next}}`);
  return ok(out.finish());
}
