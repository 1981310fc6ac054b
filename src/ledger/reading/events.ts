/** Single reads: an update by offset or id, the events of a contract, a contract by id. */
import { fail, isFailure, ok } from "../../base/result.js";
import {
  type ContractState,
  endOfActivation,
  placesOfUpdateId,
  reassignmentKind,
  topologyKind,
  type UpdateMarks,
  type UpdateRecord,
} from "../records/index.js";
import type { EventPlace } from "../../store/index.js";
import { ElementBuffer } from "./element-buffer.js";
import {
  type Answer,
  invalidArgument,
  invalidField,
  isContractIdText,
  ledgerError,
  type LedgerErrorData,
  missingField,
  nonPositiveOffset,
  type AskedOffset,
  type Outcome,
  type Party,
  updateIdProblem,
  updateNotFound,
  whileLogging,
} from "../model/index.js";
import { EventFilter, type TemplateMatch } from "./filters.js";
import type { EventFormatRequest, GivenFormat, Traced, UpdateElementForm } from "./formats.js";
import { hasManyEvents, writtenInTurns } from "./large-transactions.js";
import { eventAt } from "./placed-events.js";
import type { TransactionForm } from "./projection.js";
import type { ReadContext } from "./read-context.js";
import { selectEvents, selectReassigned, type TransactionFilter, wantedViews } from "./selection.js";
import { parseGivenFormat, type ResolvedUpdateFormat, resolveNames } from "./update-request.js";
import { type ContractKeeper, findWitnessed, type PlacedEvent } from "./witnessed-contracts.js";

/** `UpdateRecord`: what was committed just now, and may be read before the file has it. */
export type UpdateReference = { readonly offset: AskedOffset } | { readonly updateId: string } | UpdateRecord;

/** What a single read gives; a reassignment by itself is the answer to who submitted it. */
export type SingleForm = UpdateElementForm | "reassignment";

const readForms: Readonly<Record<UpdateElementForm, TransactionForm>> = { update: "element", flat: "bare", tree: "bareTree" };

interface Located {
  readonly update: UpdateMarks | undefined;
  readonly missing: LedgerErrorData;
}

const notAtOffset = (offset: AskedOffset): LedgerErrorData => whileLogging(updateNotFound(["OFFSET", String(offset)]));

/** What a reference means. */
function locate(context: ReadContext, by: UpdateReference): Outcome<Located> {
  const { log, ledgerEnd, pruning } = context;
  if ("record" in by) return ok({ update: log.of(by), missing: notAtOffset(by.offset) });
  if ("offset" in by) {
    if (by.offset <= 0) return fail(nonPositiveOffset("offset", by.offset));
    const isThere = by.offset <= ledgerEnd.offset && by.offset > pruning.offset;
    return ok({ update: isThere ? log.find(Number(by.offset)) : undefined, missing: notAtOffset(by.offset) });
  }
  if (by.updateId === "") return fail(missingField("update_id"));
  const malformed = updateIdProblem(by.updateId);
  if (malformed !== undefined) return fail(invalidArgument(malformed));
  const updateId = by.updateId.toLowerCase();
  return ok({ update: updateWithId(context, updateId), missing: updateNotFound(["UPDATE_ID", updateId]) });
}

function updateWithId({ tables, log, pruning, ledgerEnd }: ReadContext, updateId: string): UpdateMarks | undefined {
  for (const offset of placesOfUpdateId(tables, updateId)) {
    const update = offset > pruning.offset && offset <= ledgerEnd.offset ? log.find(offset) : undefined;
    if (update?.updateId === updateId) return update;
  }
  return undefined;
}

export interface UpdateRead extends Traced {
  readonly by: UpdateReference;
  readonly format: GivenFormat;
  readonly form: SingleForm;
  readonly emptyWhenHidden?: boolean;
}

/** JSON: of a transaction with many events as UTF-8, as a text of it would be made, and encoded, in one go. */
type UpdateJson = string | Uint8Array;

export async function readUpdate(context: ReadContext, request: UpdateRead): Answer<string> {
  const { error, ok: update } = await readUpdateMember(context, request, undefined);
  if (error !== undefined) return fail(error);
  return ok(
    typeof update === "string" ? update : textIn(Buffer.from(update.buffer, update.byteOffset, update.length).toString(), request.form),
  );
}

/** The same as the only member of an object, unless it has no name. */
export async function readUpdateMember(context: ReadContext, request: UpdateRead, member: string | undefined): Answer<UpdateJson> {
  const update = await findUpdate(context, request, member);
  if (isFailure(update)) return update;
  return member === undefined || typeof update.ok !== "string" ? update : ok(`{"${member}":${update.ok}}`);
}

/** What is wrong with a request is told with its log; what the index does not find, a name or an update id, knows nothing of it. */
async function findUpdate(context: ReadContext, request: UpdateRead, member: string | undefined): Answer<UpdateJson> {
  const located = locate(context, request.by);
  if (isFailure(located)) return fail(whileLogging(located.error));
  const parsed = parseGivenFormat(request.format);
  if (isFailure(parsed)) return fail(whileLogging(parsed.error));
  const format = resolveNames(parsed.ok, context, request.traceId);
  if (isFailure(format)) return format;
  const found = located.ok.update;
  if (!found) return fail(located.ok.missing);
  const update = context.log.held(found); // until its views are computed
  if (update.kind === topologyKind) return readTopology(context, update, format.ok, located.ok.missing);
  if (update.kind === reassignmentKind) return readReassignment(context, update, format.ok, request, located.ok.missing);
  return request.form === "reassignment"
    ? fail(located.ok.missing)
    : readTransaction(context, update, format.ok, { ...request, form: request.form, member }, located.ok.missing);
}

async function readReassignment(
  context: ReadContext,
  update: UpdateMarks,
  { reassignments: filter }: ResolvedUpdateFormat,
  { form, emptyWhenHidden = false }: UpdateRead,
  missing: LedgerErrorData,
): Answer<string> {
  const selection = filter && selectReassigned(update, filter);
  if ((!selection && !emptyWhenHidden) || form === "flat" || form === "tree") return fail(missing);
  const write = (): Outcome<string> =>
    textOf(context, { update, form, missing }, (out) =>
      context.projection.writeReassignment(out, update, selection, filter, form === "update" ? "element" : "bare"),
    );
  return selection && filter?.wantsViews ? context.views.whileComputed(wantedViews(update, selection), write) : write();
}

interface FoundUpdate {
  readonly update: UpdateMarks;
  readonly form: SingleForm;
  readonly missing: LedgerErrorData;
}

/** Pruning may have come while views were computed. */
function textOf({ pruning }: ReadContext, { update, form, missing }: FoundUpdate, write: (out: ElementBuffer) => void): Outcome<string> {
  if (update.offset <= pruning.offset) return fail(missing);
  const out = new ElementBuffer();
  write(out);
  return ok(textIn(out.toString(), form));
}

/** An element is `{"update":{"Transaction":..}}`, which is also the body of update-by-id; the ledger's face gives what `update` holds. */
const textIn = (text: string, form: SingleForm): string => (form === "update" ? text.slice(`{"update":`.length, -1) : text);

interface TransactionRead extends UpdateRead {
  readonly form: UpdateElementForm;
  readonly member: string | undefined;
}

async function readTransaction(
  context: ReadContext,
  update: UpdateMarks,
  { transactions: asked }: ResolvedUpdateFormat,
  request: TransactionRead,
  missing: LedgerErrorData,
): Answer<UpdateJson> {
  if (!asked) return fail(missing);
  if (hasManyEvents(update)) return readLarge(context, update, asked, request, missing);
  const selection = selectEvents(update, asked);
  if (!selection && !request.emptyWhenHidden) return fail(missing);
  const { form } = request,
    write = (): Outcome<string> =>
      textOf(context, { update, form, missing }, (out) =>
        context.projection.writeTransaction(out, update, selection, asked, readForms[form]),
      );
  return selection && asked.filter.wantsViews ? context.views.whileComputed(wantedViews(update, selection), write) : write();
}

/** Written as the body that it is sent in, as it is long. */
async function readLarge(
  context: ReadContext,
  update: UpdateMarks,
  asked: TransactionFilter,
  { form, member, emptyWhenHidden = false }: TransactionRead,
  missing: LedgerErrorData,
): Answer<UpdateJson> {
  const isWhole = form === "update" || member === undefined, // an element is an object with this member
    write = (): Promise<Uint8Array | undefined> =>
      writtenInTurns(context, context.answerTurns, {
        update,
        asked,
        form: readForms[form],
        emptyWhenHidden,
        before: isWhole ? "" : `{"${member}":`,
        after: isWhole ? "" : "}",
      }),
    written = await (asked.filter.wantsViews ? write() : context.largeAnswers.run(write));
  return written === undefined ? fail(missing) : ok(written);
}

function readTopology(context: ReadContext, update: UpdateMarks, format: ResolvedUpdateFormat, missing: LedgerErrorData): Outcome<string> {
  const asked = format.topologyParties;
  const numbers = asked?.map((party) => context.parties.get(party)?.number);
  const isVisible = asked !== undefined && (asked.length === 0 || update.submitters.some((number) => numbers!.includes(number)));
  if (!isVisible) return fail(missing);
  return ok(update.bytes.toString("utf8", update.start, update.end).slice(`{"update":`.length, -1));
}

/** The create of a contract: it is told until that is pruned which ended what it made active, an archive or the first move. */
export function createdPlace({ pruning, log, tables }: ReadContext, { created, activated }: ContractState): EventPlace | undefined {
  if (created === undefined || created.offset > pruning.offset) return created;
  if (created.offset === activated.offset && created.nodeId === activated.nodeId) return created;
  const event = log.find(created.offset)?.eventOf(created.nodeId),
    end = event && endOfActivation(tables, event, created);
  return end !== undefined && end > pruning.offset ? created : undefined;
}

/** Undefined also for a contract that was archived in what is pruned. */
export function readState(context: ReadContext, contractId: string): ContractState | undefined {
  const state = context.contracts.find(contractId);
  return state?.archived && state.archived.offset <= context.pruning.offset ? undefined : state;
}

function readEvent(context: ReadContext, place: EventPlace): PlacedEvent {
  const update = context.log.get(place.offset);
  return { update, event: eventAt(update, place.nodeId) };
}

export const contractIdProblem = (contractId: string): LedgerErrorData | undefined =>
  contractId === ""
    ? missingField("contract_id")
    : isContractIdText(contractId)
      ? undefined
      : invalidField("contract_id", `cannot parse ContractId "${contractId}"`);

/** Only for stakeholders; a contract that nobody asked may see is answered like one that does not exist. */
export async function readEventsByContractId(
  context: ReadContext,
  contractId: string,
  format: EventFormatRequest | undefined,
  traceId?: string,
): Answer<string> {
  const problem = contractIdProblem(contractId);
  if (problem) return fail(problem);
  const filter = format ? EventFilter.resolve(format, context, traceId) : fail(missingField("event_format"));
  if (isFailure(filter)) return filter;
  const state = readState(context, contractId);
  const place = state && createdPlace(context, state);
  const created = place && place.offset <= context.ledgerEnd.offset ? readEvent(context, place) : undefined;
  const match = created && filter.ok.match(created.event.template, created.event.stakeholders);
  const missing = whileLogging(
    ledgerError("CONTRACT_EVENTS_NOT_FOUND", "Contract events not found, or not visible.", { resources: [["CONTRACT_ID", contractId]] }),
  );
  if (!state || !place || !created || !match) return fail(missing);
  if (match.views.length === 0) return ok(eventsJson(context, { state, created, match, filter: filter.ok }));
  const wanted = match.views.map((interfaceId) => ({ place, template: created.event.template, interfaceId }));
  const isThere = (): boolean => {
    const now = readState(context, contractId);
    return now !== undefined && createdPlace(context, now) !== undefined;
  }; // pruning may have come meanwhile
  return context.views.whileComputed(wanted, () =>
    isThere() ? ok(eventsJson(context, { state, created: readEvent(context, place), match, filter: filter.ok })) : fail(missing),
  );
}

interface ContractEvents {
  readonly state: ContractState;
  readonly created: PlacedEvent;
  readonly match: TemplateMatch;
  readonly filter: EventFilter;
}

function eventsJson(context: ReadContext, { state, created, match, filter }: ContractEvents): string {
  const out = new ElementBuffer();
  // That of the create for both, also where the contract was moved before it was archived.
  const synchronizer = `,"synchronizerId":${context.synchronizers.idJson(created.update.synchronizer)}}`;
  out.text(`{"created":{"createdEvent":`);
  context.projection.writeCreatedObject(out, created.update, created.event, match, filter);
  out.text(`${synchronizer},"archived":`);
  if (state.archived && state.archived.offset <= context.ledgerEnd.offset) {
    const archived = readEvent(context, state.archived);
    out.text(`{"archivedEvent":`);
    context.projection.writeArchivedObject(out, archived.update, archived.event, match, filter);
    out.text(`${synchronizer}}`);
  } else out.text("null}");
  return out.toString();
}

/** Where a contract is, or was when it was archived; undefined while it is on its way to another, or where it is not known. */
export function synchronizerOf({ contracts, synchronizers }: ReadContext, contractId: string): string | undefined {
  const state = contracts.find(contractId);
  return state && state.unassigned === undefined ? synchronizers.at(state.synchronizer).id : undefined;
}

const wildcardWithBlob: TemplateMatch = { blob: true, views: [] };

export interface ContractContext extends ReadContext {
  /** The participants beside this one. */
  readonly others: readonly ContractKeeper[];
}

/**
 * Reads the contract itself, archived or not; with nobody asked, for anyone. Also one whose creation somebody here only saw: it is told
 * to whoever may read for its stakeholders, as it is at home there.
 */
export function readContract(context: ContractContext, contractId: string, queryingParties: readonly Party[]): Outcome<string> {
  const problem = contractIdProblem(contractId);
  if (problem) return fail(problem);
  const filters = { cumulative: [] };
  const format: EventFormatRequest =
    queryingParties.length === 0
      ? { filtersByParty: {}, filtersForAnyParty: filters, verbose: true }
      : {
          filtersByParty: Object.fromEntries(queryingParties.map((party) => [party, filters])),
          filtersForAnyParty: undefined,
          verbose: true,
        };
  const filter = EventFilter.resolve(format, context);
  if (isFailure(filter)) return filter;
  const state = readState(context, contractId),
    found = state
      ? readEvent(context, state.activated)
      : findWitnessed(contractId, context.others, (updateId) => updateWithId(context, updateId));
  if (!found || !filter.ok.match(found.event.template, found.event.stakeholders)) {
    return fail(
      ledgerError("CONTRACT_PAYLOAD_NOT_FOUND", "Contract payload not found, or not visible.", {
        resources: [["CONTRACT_ID", contractId]],
      }),
    );
  }
  const out = new ElementBuffer();
  out.text(`{"createdEvent":`);
  context.projection.writeContractObject(out, found.update, found.event, wildcardWithBlob, filter.ok);
  out.text("}");
  return ok(out.toString());
}
