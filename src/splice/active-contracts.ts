/** Active contracts at a snapshot, in pages: all of them, or those that hold Amulet for some owners. */
import { assert } from "../base/assert.js";
import { GrowingBytes } from "../base/growing-bytes.js";
import { comma } from "../base/json-bytes.js";
import { isFailure, ok, type Result } from "../base/result.js";
import { SpareMemory } from "../base/spare-memory.js";
import type { Steps } from "../base/steps.js";
import { limits } from "../config.js";
import type { CreatedParts, LedgerErrorData, Party } from "../ledger/index.js";
import { keptPageBytes, type KeptPages, pageKey } from "./kept-pages.js";
import type { Contract, Contracts, PagedQuery, Place } from "./contracts.js";
import { asIsoTime, isoTime, offsetDateTimeText, parseInstant } from "./instants.js";
import { templates, type Name } from "./names.js";
import type { Network } from "./network.js";
import { pageSizeProblem } from "./page-size.js";
import { findHolding, Holders, writeAsEvent, type PrintedTexts, type TextPlace } from "./printed/index.js";
import { type Answer, type Refusal, identifiersProblem, invalid, notFound, refuse } from "./refusal.js";
import { firstRow, isRowAt, lastRow, placeOf, rowOf } from "./rows.js";
import { findSnapshot, migrationId, ownersProblem, type SnapshotQuery } from "./snapshot-query.js";
import type { Snapshot, Snapshots } from "./snapshots.js";
import { compactForm } from "./values/forms.js";
import { memberOf } from "./values/json-slices.js";
import type { Position, ValueTypes } from "./values/value-types.js";

export interface PageQuery extends SnapshotQuery {
  readonly form: ContractForm;
  readonly pageSize: number;
  readonly after: number | undefined;
}
export interface HoldingsQuery extends PageQuery {
  readonly owners: readonly Party[];
}
export interface AcsQuery extends PageQuery {
  /** None: the DSO's contracts. */
  readonly parties: readonly Party[];
  readonly templates: readonly string[] | undefined;
}

/** As Scan prints it; pages have its JSON text. */
export interface ActiveContract {
  readonly created_in_update_id: string;
  readonly contract_id: string;
  readonly template_id: string;
  readonly package_name: string;
  readonly create_arguments: unknown;
  readonly created_at: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
}

export interface ContractsPage {
  readonly record_time: string;
  readonly migration_id: number;
  readonly next_page_token: number | null;
}
/** `contracts`: their JSON texts in UTF-8 with commas between them. */
export interface NumberedPage {
  readonly page: ContractsPage;
  readonly contracts: Buffer;
  /** Once they were copied. */
  readonly release?: () => void;
}

/** A contract is told with the update that created it, or, as earlier releases did, as the event that did, with a `#` before its id. */
export type ContractForm = "contract" | "createdEvent";

/** What is the same of a page at every snapshot of an offset: their times are not. */
export interface ListedContracts {
  readonly contracts: Buffer;
  readonly next: number | null;
}

export interface ActiveContractsContext {
  readonly contracts: Contracts;
  readonly network: Network;
  readonly snapshots: Snapshots;
  readonly types: ValueTypes;
  readonly kept: KeptPages<ListedContracts>;
  /** Holdings by the updates that created them; undefined: they are printed for who asks. */
  readonly printed: PrintedTexts | undefined;
}

interface Amulet {
  readonly owner: Party;
}
interface LockedAmulet {
  readonly amulet: Amulet;
}

/** Whose holding it is. */
export const ownerOf = ({ payload }: Pick<Contract<Amulet | LockedAmulet>, "payload">): Party =>
  "amulet" in payload ? payload.amulet.owner : payload.owner;
/** Whose Amulet it is, and of which network: any party may make some of a network of its own. */
const holderOf = (dso: Party, owner: Party): string => `${dso}\n${owner}`;
/** The same in the text of an argument. */
export const holderIn = (argument: string): string => holderOf(partyIn(argument, "dso"), partyIn(argument, "owner"));
function partyIn(argument: string, member: "dso" | "owner"): Party {
  const amulet = (): string => {
    const text = memberOf(argument, "amulet");
    assert(text !== undefined, `what has no ${member} locks what has one`);
    return text;
  };
  const party = memberOf(argument, member) ?? memberOf(amulet(), member);
  assert(party !== undefined, `a holding has a party for its ${member}`);
  return party.slice(1, -1);
}
export const holdingTemplates: readonly Name[] = [templates.amulet, templates.lockedAmulet];

export async function holdingsPage(context: ActiveContractsContext, query: HoldingsQuery): Answer<NumberedPage> {
  const snapshot = findSnapshot(
    context.snapshots,
    query,
    () => pageSizeProblem(query.pageSize) ?? ownersProblem("ownerPartyIds", query.owners),
  );
  if (isFailure(snapshot)) return snapshot;
  const { ok: dso } = await context.network.dso();
  return pageOf(context, query, snapshot.ok, {
    name: "holdings",
    templates: holdingTemplates,
    stakeholders: query.owners,
    held: dso === undefined ? { owners: new Set(query.owners) } : { holders: new Set(query.owners.map((owner) => holderOf(dso, owner))) },
    dso,
  });
}

export async function acsPage(context: ActiveContractsContext, query: AcsQuery): Answer<NumberedPage> {
  const { parties } = query,
    named = templatesOf(query.templates ?? []),
    malformed = (): { readonly error: Refusal } | undefined => (isFailure(named) ? named : undefined);
  const snapshot = findSnapshot(
    context.snapshots,
    query,
    () => pageSizeProblem(query.pageSize) ?? identifiersProblem(parties) ?? malformed(),
  );
  if (isFailure(snapshot)) return snapshot;
  if (isFailure(named)) return named;
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const stakeholders = parties.length > 0 ? parties : [dso.ok];
  return pageOf(context, query, snapshot.ok, { name: "contracts", templates: named.ok, stakeholders, dso: dso.ok });
}

function templatesOf(texts: readonly string[]): Result<readonly Name[], Refusal> {
  const parts = texts.map((text) => text.split(":"));
  if (parts.some((each) => each.length !== 3 || each.includes("")))
    return invalid("Malformed template_id, expected 'package_name:module_name:entity_name'");
  return ok(parts.map(([packageName, module, entity]) => ({ packageName: packageName!, entity: `${module}:${entity}` })));
}

interface Wanted {
  /** Among pages for the same stakeholders. */
  readonly name: string;
  readonly templates: readonly Name[];
  readonly stakeholders: readonly Party[];
  /** Only what they hold; undefined: every contract that the DSO has a stake in, as Scan knows of no other. */
  readonly held?: Held;
  /** Undefined: there is no network. */
  readonly dso: Party | undefined;
}
/** Of the network; where there is none, of whichever it is. */
type Held =
  | { readonly holders: ReadonlySet<string>; readonly owners?: undefined }
  | { readonly owners: ReadonlySet<Party>; readonly holders?: undefined };

/** A page is full before its owners are looked at: it may be short, or empty, and still have one behind it. */
async function pageOf(
  context: ActiveContractsContext,
  query: PageQuery,
  { recordTime, offset }: Snapshot,
  wanted: Wanted,
): Answer<NumberedPage> {
  const { after } = query;
  if (after !== undefined && !isRowAt(after, offset))
    return invalid(`Invalid after token, outside of snapshot range (${firstRow} to ${lastRow(offset)}).`);
  const { form, pageSize } = query;
  const key = pageKey([wanted.name, form, offset, wanted.templates, wanted.stakeholders, wanted.dso, pageSize, after]),
    pageWith = ({ contracts, next }: ListedContracts): NumberedPage => ({
      page: { record_time: isoTime(recordTime), migration_id: migrationId, next_page_token: next },
      contracts,
    });
  const kept = context.kept.get(key);
  if (kept) return ok(pageWith(kept));
  const asked = {
    templates: wanted.templates,
    stakeholders: wanted.stakeholders,
    at: offset,
    limit: pageSize,
    ...(after === undefined ? {} : { after: placeOf(after) }),
  };
  const read = (await printedHoldings(context, asked, { ...wanted, form })) ?? (await printNow(context, asked, { ...wanted, form }));
  if (isFailure(read)) return refuse("internal", read.error.cause);
  const { last, count, list, release } = read.ok,
    listed = { contracts: list, next: last && count === pageSize ? rowOf(last) : null };
  if (release && !context.kept.isReadAgain(key)) return ok({ ...pageWith(listed), release });
  context.kept.keep(key, listed, list.length + keptPageBytes);
  return ok(pageWith(listed));
}

/** How many contracts were looked at, the last of them, and those that are wanted. */
interface ReadList {
  readonly count: number;
  readonly last: Place | undefined;
  readonly list: Buffer;
  readonly release?: () => void;
}
type Told = Pick<Wanted, "held" | "dso"> & { readonly form: ContractForm };

async function printNow(context: ActiveContractsContext, asked: PagedQuery, told: Told): Promise<Result<ReadList, LedgerErrorData>> {
  const { held, dso } = told,
    isSeen = held || dso === undefined ? undefined : staked(dso);
  const read = await context.contracts.pageOfParts(asked, isSeen);
  if (isFailure(read)) return read;
  const { parts, last } = read.ok;
  return ok({ count: parts.length, last, list: await listText(context, parts, told) });
}

/** Whether a party has a stake in a contract. */
function staked(party: Party): (parts: CreatedParts) => boolean {
  const name = Buffer.from(JSON.stringify(party)); // names in quotes stand there, and nothing else
  return ({ bytes, stakeholdersStart, stakeholdersEnd }) => bytes.subarray(stakeholdersStart, stakeholdersEnd).includes(name);
}

/** Undefined: not all of them are printed. */
async function printedHoldings(
  { contracts, printed }: ActiveContractsContext,
  asked: PagedQuery,
  { held, form }: Told,
): Promise<Result<ReadList, LedgerErrorData> | undefined> {
  if (!held?.holders || !printed) return undefined;
  const read = await contracts.pageOfPlaces(asked);
  if (isFailure(read)) return read;
  const places = read.ok,
    offsets = places.filter(({ offset }, index) => offset !== places[index - 1]?.offset).map(({ offset }) => offset);
  const lent = await printed.at(offsets, "everybody");
  if (lent === undefined) return undefined;
  const texts = lent.places,
    wanted = new Holders(held.holders),
    out = new GrowingBytes(listMemory.take(texts.reduce((sum, { from, to }) => sum + to - from, 0) + places.length * eventBytesMore));
  let rest: TextPlace | undefined; // behind the one before, as those of an offset come in the order of their nodes
  for (let index = 0, text = 0; index < places.length; index++) {
    const { offset, nodeId } = places[index]!;
    if (offset !== places[index - 1]?.offset) rest = texts[text++]!;
    const found = findHolding(rest!, nodeId);
    if (!found) {
      listMemory.give(out.surrender());
      lent.release();
      return undefined; // it was not created there, but came from another synchronizer
    }
    rest = { ...rest!, from: found.to };
    if (!wanted.has(found)) continue;
    if (out.length > 0) out.byte(comma);
    if (form === "contract") out.run(found.bytes, found.from, found.to);
    else writeAsEvent(out, nodeId, found);
  }
  lent.release();
  return ok({ count: places.length, last: places.at(-1), list: out.view(), release: () => listMemory.give(out.surrender()) });
}

const listMemory = new SpareMemory(limits.scanSpareBytesMax),
  eventBytesMore = 64;

async function listText({ types }: ActiveContractsContext, contracts: readonly CreatedParts[], { held, form }: Told): Promise<Buffer> {
  const positions = contracts.map(positionOf),
    bytesMax = contracts.reduce((sum, { identityStart, createdAtEnd }) => sum + createdAtEnd - identityStart, 0);
  const out = new GrowingBytes(Buffer.allocUnsafeSlow(bytesMax + contracts.length * roomBytes));
  const writing = function* (): Steps<void> {
    for (let index = 0; index < contracts.length; index++) {
      yield;
      const parts = contracts[index]!;
      const given = parts.bytes.toString("latin1", parts.argumentStart, parts.argumentEnd);
      if (held && !isHeld(given, held)) continue;
      if (out.length > 0) out.byte(comma);
      const argument = types.textInForm(positions[index]!, given, compactForm);
      writeContract(out, parts, argument === given ? undefined : argument, form);
    }
  };
  await types.through(positions, writing());
  return out.view();
}

const positionOf = ({ bytes, templateIdStart, templateIdEnd }: CreatedParts): Position => ({
  at: "createArgument",
  templateId: bytes.toString("latin1", templateIdStart, templateIdEnd),
});

const isHeld = (argument: string, { holders, owners }: Held): boolean =>
  holders?.has(holderIn(argument)) ?? owners!.has(partyIn(argument, "owner"));

/** What of a contract is not in its create: the update's id, names of members. */
const roomBytes = 512;

const inUpdate = Buffer.from(`{"created_in_update_id":"`),
  asEvent = Buffer.from(`{"event_type":"created_event","event_id":"#`),
  behindId = Buffer.from(`","contract_id":`);
const templateIdMember = Buffer.from(`,"template_id":"`),
  packageNameMember = Buffer.from(`","package_name":"`),
  argumentMember = Buffer.from(`","create_arguments":`);
const createdAtMember = Buffer.from(`,"created_at":"`),
  behindTime = Buffer.from(`",`),
  end = Buffer.from("}"),
  contractIdName = `"contractId":`;

/** `argument`: its bytes as characters; undefined: as it is. */
function writeContract(out: GrowingBytes, parts: CreatedParts, argument: string | undefined, form: ContractForm): void {
  const { bytes } = parts;
  out.bytes(form === "contract" ? inUpdate : asEvent);
  out.run(bytes, parts.updateIdStart, parts.updateIdEnd);
  if (form === "createdEvent") out.latin1(`:${parts.nodeId}`);
  out.bytes(behindId);
  out.run(bytes, parts.identityStart + contractIdName.length, parts.templateIdStart - `,"templateId":"`.length);
  out.bytes(templateIdMember);
  out.run(bytes, parts.templateIdStart, parts.templateIdEnd);
  out.bytes(packageNameMember);
  out.run(bytes, parts.packageNameStart, parts.packageNameEnd);
  out.bytes(argumentMember);
  if (argument === undefined) out.run(bytes, parts.argumentStart, parts.argumentEnd);
  else out.latin1(argument);
  out.bytes(createdAtMember);
  out.latin1(asIsoTime(bytes.toString("latin1", parts.createdAtStart, parts.createdAtEnd)));
  out.bytes(behindTime);
  out.run(bytes, parts.stakeholdersStart, parts.stakeholdersEnd);
  out.bytes(end);
}

/** When the snapshot at or before a time was, or the first one behind it. */
export function snapshotTime(
  snapshots: Snapshots,
  { time, migration, direction }: { readonly time: string; readonly migration: number; readonly direction: "before" | "after" },
): Result<{ readonly record_time: string }, Refusal> {
  const micros = parseInstant(time);
  if (micros === undefined) return invalid(`Invalid timestamp: ${time} is no date-time with an offset`);
  // Behind an earlier migration comes all of this one.
  const found =
    direction === "before"
      ? migration === migrationId
        ? snapshots.atOrBefore(micros)
        : undefined
      : migration > migrationId
        ? undefined
        : snapshots.after(migration === migrationId ? micros : -(2n ** 62n));
  return found ? ok({ record_time: isoTime(found.recordTime) }) : notFound(`No snapshots found ${direction} ${offsetDateTimeText(time)}`);
}
