/** Active contracts at a snapshot, in pages: all of them, or those that hold Amulet for some owners. */
import { assert } from "../base/assert.js";
import { isFailure, ok, type Result } from "../base/result.js";
import type { Participant, Party } from "../ledger/index.js";
import type { KeptPages } from "./kept-pages.js";
import type { ContractText } from "./contract-text.js";
import type { Contract, Contracts } from "./contracts.js";
import { asJavaInstant, javaInstant, parseInstant } from "./instants.js";
import { templates, type Name } from "./names.js";
import type { Network } from "./network.js";
import { pageSizeProblem } from "./page-size.js";
import { invalid, notFound, refuse, type Refusal } from "./refusal.js";
import { firstRow, lastRow, placeOf, rowOf } from "./rows.js";
import { emptyListProblem, findSnapshot, migrationId, type SnapshotQuery } from "./snapshot-query.js";
import type { Snapshot, Snapshots } from "./snapshots.js";
import { compactForm } from "./values/forms.js";
import { membersOf } from "./values/json-slices.js";
import type { Position, ValueTypes } from "./values/value-types.js";

export interface PageQuery extends SnapshotQuery {
  readonly pageSize: number;
  readonly after: number | undefined;
}
export interface HoldingsQuery extends PageQuery {
  readonly owners: readonly Party[];
}
export interface AcsQuery extends PageQuery {
  readonly parties: readonly Party[] | undefined;
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
  readonly next_page_token?: number;
}
/** The contract without the update that created it, which is told in two ways. */
export interface PageElement { readonly updateId: string; readonly nodeId: number; readonly members: Buffer }
export interface NumberedPage { readonly page: ContractsPage; readonly contracts: readonly PageElement[] }

export interface ActiveContractsContext {
  readonly ledger: Pick<Participant, "updateIdAt">;
  readonly contracts: Contracts;
  readonly network: Network;
  readonly snapshots: Snapshots;
  readonly types: ValueTypes;
  readonly kept: KeptPages<NumberedPage>;
}

interface Amulet { readonly owner: Party }
interface LockedAmulet { readonly amulet: Amulet }

/** Whose holding it is. */
export const ownerOf = ({ payload }: Contract<Amulet | LockedAmulet>): Party =>
  "amulet" in payload ? payload.amulet.owner : payload.owner;
/** The same in a text. */
function ownerIn(contract: ContractText): Party {
  const argument = membersOf(contract.get("createArgument")), amulet = argument.get("amulet");
  const owner = (amulet === undefined ? argument : membersOf(amulet)).get("owner");
  assert(owner !== undefined, "a holding has an owner");
  return owner.slice(1, -1);
}
export const holdingTemplates: readonly Name[] = [templates.amulet, templates.lockedAmulet];

export async function holdingsPage(context: ActiveContractsContext, query: HoldingsQuery): Promise<Result<NumberedPage, Refusal>> {
  const snapshot = findSnapshot(
    context.snapshots,
    query,
    () => pageSizeProblem(query.pageSize) ?? emptyListProblem("ownerPartyIds", query.owners),
  );
  if (isFailure(snapshot)) return snapshot;
  const owners = new Set(query.owners);
  return pageOf(context, query, snapshot.ok, {
    name: "holdings",
    templates: holdingTemplates,
    stakeholders: query.owners,
    isWanted: (contract) => owners.has(ownerIn(contract)),
  });
}

export async function acsPage(context: ActiveContractsContext, query: AcsQuery): Promise<Result<NumberedPage, Refusal>> {
  const named = templatesOf(query.templates ?? []);
  if (isFailure(named)) return named;
  const snapshot = findSnapshot(
    context.snapshots,
    query,
    () => pageSizeProblem(query.pageSize) ?? (query.parties && emptyListProblem("partyIds", query.parties)),
  );
  if (isFailure(snapshot)) return snapshot;
  const dso = query.parties ? ok(query.parties) : await onlyDso(context.network);
  if (isFailure(dso)) return dso;
  return pageOf(context, query, snapshot.ok, { name: "contracts", templates: named.ok, stakeholders: dso.ok, isWanted: () => true });
}

async function onlyDso(network: Network): Promise<Result<readonly Party[], Refusal>> {
  const dso = await network.dso();
  return isFailure(dso) ? dso : ok([dso.ok]);
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
  readonly isWanted: (contract: ContractText) => boolean;
}

/** A page is full before its owners are looked at: it may be short, or empty, and still have one behind it. */
async function pageOf(
  context: ActiveContractsContext,
  query: PageQuery,
  { recordTime, offset }: Snapshot,
  wanted: Wanted,
): Promise<Result<NumberedPage, Refusal>> {
  const { after } = query;
  if (after !== undefined && (after < firstRow || after > lastRow(offset)))
    return invalid(`Invalid after token, outside of snapshot range (${firstRow} to ${lastRow(offset)}).`);
  const key = JSON.stringify([wanted.name, offset, wanted.templates, wanted.stakeholders, query.pageSize, after]), kept = context.kept.get(key);
  if (kept) return ok(kept);
  const page = await context.contracts.pageOfTexts({
    templates: wanted.templates,
    stakeholders: wanted.stakeholders,
    at: offset,
    limit: query.pageSize,
    ...(after === undefined ? {} : { after: placeOf(after) }),
  });
  if (isFailure(page)) return refuse("internal", page.error.cause);
  const last = page.ok.at(-1), token = last && page.ok.length === query.pageSize ? { next_page_token: rowOf(last.place) } : {};
  const contracts = page.ok.filter(wanted.isWanted);
  const numbered = {
    page: {
      record_time: javaInstant(recordTime),
      migration_id: migrationId,
      ...token,
    },
    contracts: await pageElements(context, contracts),
  };
  context.kept.keep(key, numbered, numbered.contracts.reduce((bytes, { members }) => bytes + members.length, key.length));
  return ok(numbered);
}

function pageElements({ ledger, types }: ActiveContractsContext, contracts: readonly ContractText[]): Promise<readonly PageElement[]> {
  const positions = new Map<string, Position>();
  const positionOf = ({ templateId }: ContractText): Position => {
    const position = positions.get(templateId) ?? { at: "createArgument", templateId };
    positions.set(templateId, position);
    return position;
  };
  contracts.forEach(positionOf);
  return types.whileKnown([...positions.values()], () => contracts.map((contract) => {
    const { offset, nodeId } = contract.place, updateId = ledger.updateIdAt(offset);
    assert(updateId !== undefined, "an active contract has the update that created it");
    return { updateId, nodeId, members: Buffer.from(membersText(contract, types.textInForm(positionOf(contract), contract.get("createArgument"), compactForm))) };
  }));
}

const membersText = (contract: ContractText, argument: string): string =>
  `"contract_id":${contract.get("contractId")},"template_id":${contract.get("templateId")},"package_name":${contract.get("packageName")},`
  + `"create_arguments":${argument},"created_at":"${asJavaInstant(contract.get("createdAt").slice(1, -1))}",`
  + `"signatories":${contract.get("signatories")},"observers":${contract.get("observers")}`;

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
  return found ? ok({ record_time: javaInstant(found.recordTime) }) : notFound(`No snapshots found ${direction} ${time}`);
}
