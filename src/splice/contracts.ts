/** Active contracts as this room reads them: by template or interface name, of any party or of some, now or at an earlier offset. */
import { assert } from "../base/assert.js";
import { isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type {
  CreatedParts,
  EventFormatRequest,
  FilterRequest,
  LedgerErrorData,
  Offset,
  Participant,
  Party,
  TakeContract,
} from "../ledger/index.js";
import { readElements, readSome, readTaken, stillWanted } from "./elements.js";
import { entityOf, packageIdOf, reference, type Name } from "./names.js";

/** The place of a contract's create, which orders contracts by age; or, in lists, of what was done last to one that is on its way. */
export interface Place {
  readonly offset: Offset;
  readonly nodeId: number;
}

export interface Contract<P = unknown> {
  readonly place: Place;
  readonly contractId: string;
  /** `packageId:Module:Entity` */
  readonly templateId: string;
  readonly packageName: string;
  /** The argument as the ledger's JSON has it. */
  readonly payload: P;
  /** Base64; "" where it was not asked for. */
  readonly createdEventBlob: string;
  readonly createdAt: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
}

/** The part of a created event's JSON that is read here. */
export interface CreatedEvent {
  readonly offset: Offset;
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: string;
  readonly packageName: string;
  readonly createArgument: unknown;
  readonly createdEventBlob: string;
  readonly createdAt: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
  readonly interfaceViews: readonly { readonly interfaceId: string; readonly viewValue: unknown }[];
}

export interface Viewed<V> {
  readonly contract: Contract;
  readonly interfaceId: string;
  readonly view: V;
}

interface Entry {
  readonly createdEvent: CreatedEvent;
}
interface ActiveElement {
  readonly contractEntry:
    | { readonly JsActiveContract: Entry; readonly JsIncompleteUnassigned?: undefined }
    | { readonly JsActiveContract?: undefined; readonly JsIncompleteUnassigned: Entry };
}

/** A contract is active also while it is on its way between synchronizers. */
const createdEventOf = ({ contractEntry: { JsActiveContract, JsIncompleteUnassigned } }: ActiveElement): CreatedEvent =>
  (JsActiveContract ?? JsIncompleteUnassigned).createdEvent;

export const contractOf = <P>(event: CreatedEvent): Contract<P> => ({
  place: { offset: event.offset, nodeId: event.nodeId },
  contractId: event.contractId,
  templateId: event.templateId,
  packageName: event.packageName,
  payload: event.createArgument as P,
  createdEventBlob: event.createdEventBlob,
  createdAt: event.createdAt,
  signatories: event.signatories,
  observers: event.observers,
});

export interface ActiveQuery {
  readonly templates: readonly Name[];
  /** Only contracts of which one of them is a stakeholder; undefined: anybody's. */
  readonly stakeholders?: readonly Party[];
  /** Undefined: now. */
  readonly at?: Offset;
  readonly limit: number;
  readonly withBlobs?: boolean;
}
export interface PagedQuery extends ActiveQuery {
  /** The `last` of the page before. */
  readonly after?: Place;
}
/** One of many that are gone through. */
export interface PassedContract<P> {
  /** In the list of what is active. */
  readonly place: Place;
  /** Of its create. */
  readonly created: Place;
  readonly contractId: string;
  readonly payload: P;
}
/** Of one that may be archived since. */
export interface Creation<P> {
  readonly payload: P;
  readonly createdAt: string;
}
/** Of a list of all that is active: how it goes on is known by the place of the last. */
export interface PageOfParts {
  readonly parts: readonly CreatedParts[];
  readonly last: Place | undefined;
}

/** Where not all of them are wanted many are read together. */
const atOnceMin = (isWanted: unknown): number => (isWanted === undefined ? 1 : limits.streamBatchElements);

type Ledger = Pick<
  Participant,
  "openActiveContracts" | "readEventsByContractId" | "takeCreates" | "packageSummary" | "listPackages" | "ledgerEnd"
>;

export class Contracts {
  readonly #ledger: Ledger;
  #implementations: { readonly packages: number; readonly templates: Map<string, ReadonlySet<string>> } = {
    packages: 0,
    templates: new Map(),
  };

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** In the order of their creation; the first of those that are wanted. */
  async page<P>(
    query: PagedQuery,
    isWanted?: (contract: Contract<P>) => boolean,
  ): Promise<Result<readonly Contract<P>[], LedgerErrorData>> {
    const opened = this.#open(query);
    if (opened === undefined) return ok([]);
    return readSome(opened, { max: query.limit, atOnceMin: atOnceMin(isWanted) }, (element: ActiveElement) => {
      const contract = contractOf<P>(createdEventOf(element));
      return isWanted?.(contract) === false ? undefined : contract;
    });
  }

  /** Undefined: no package has one of the templates. */
  #open(query: PagedQuery, take?: TakeContract): ReturnType<Ledger["openActiveContracts"]> | undefined {
    const templates = query.templates.filter((name) => this.#isTemplateKnown(name));
    if (templates.length === 0 && query.templates.length > 0) return undefined;
    const { stakeholders, after, at = this.#ledger.ledgerEnd(), withBlobs = false } = query;
    const filters = templates.map((name): FilterRequest => ({
      kind: "template",
      templateId: reference(name),
      includeCreatedEventBlob: withBlobs,
    }));
    return this.#ledger.openActiveContracts({
      activeAtOffset: at,
      format: formatOf(filters, stakeholders),
      ...(after ? { after } : {}),
      ...(take ? { take } : {}),
    });
  }

  /** The same as parts of their records; a page of those that are wanted is as full as others. */
  async pageOfParts(
    query: PagedQuery,
    isWanted: ((parts: CreatedParts) => boolean) | undefined,
  ): Promise<Result<PageOfParts, LedgerErrorData>> {
    const page: CreatedParts[] = [],
      places: Place[] = [];
    const parts = (each: CreatedParts, place: Place): void => {
      if (isWanted?.(each) === false) return;
      page.push(each);
      places.push(place);
    };
    const read = await this.#take(query, { parts }, { page, atOnceMin: atOnceMin(isWanted) });
    return isFailure(read) ? read : ok({ parts: page.slice(0, query.limit), last: places.slice(0, query.limit).at(-1) });
  }

  /** Where they were created; one that is on its way between synchronizers is told by a place where nothing was. */
  async pageOfPlaces(query: PagedQuery): Promise<Result<readonly Place[], LedgerErrorData>> {
    const page: Place[] = [],
      read = await this.#take(query, { place: (place) => page.push(place) }, { page, atOnceMin: 1 });
    return isFailure(read) ? read : ok(page);
  }

  /** Until the page has as many as are asked for; `atOnceMin`: more are looked at together, where not all of them come to it. */
  async #take(
    query: PagedQuery,
    take: TakeContract,
    { page, atOnceMin }: { readonly page: readonly unknown[]; readonly atOnceMin: number },
  ): Promise<Result<void, LedgerErrorData>> {
    const opened = this.#open(query, take);
    if (opened === undefined) return ok(undefined);
    return readTaken(opened, () => stillWanted(query.limit - page.length, atOnceMin));
  }

  /** Goes through all that are active now, oldest first, and keeps nothing of them: for templates of which there may be many. */
  each<P>(template: Name, visit: (contract: PassedContract<P>) => void, stakeholder?: Party): Promise<void> {
    return this.#each(template, visit, { at: this.#ledger.ledgerEnd(), ...of(stakeholder) });
  }

  /** The same, as they were at an offset, of those behind a place. */
  eachBehind<P>(
    template: Name,
    visit: (contract: PassedContract<P>) => void,
    { stakeholder, ...query }: { readonly stakeholder: Party; readonly at: Offset; readonly after?: Place },
  ): Promise<void> {
    return this.#each(template, visit, { ...query, ...of(stakeholder) });
  }

  /** The last `max` of those that are wanted, the newest first. Lists begin with the oldest: all are gone through, and those are read. */
  async newest<P>(template: Name, max: number, isWanted: (contract: PassedContract<P>) => boolean): Promise<readonly Contract<P>[]> {
    const at = this.#ledger.ledgerEnd(),
      found: { readonly contractId: string; readonly behind: Place | undefined }[] = [];
    let behind: Place | undefined;
    const visit = (contract: PassedContract<P>): void => {
      if (isWanted(contract)) found.push({ contractId: contract.contractId, behind });
      if (found.length >= 2 * max) found.splice(0, found.length - max);
      behind = contract.place;
    };
    await this.#each(template, visit, { at });
    const last = found.slice(-max),
      ids = new Set(last.map(({ contractId }) => contractId));
    if (last.length === 0) return [];
    const from = last[0]!.behind,
      query = { templates: [template], at, limit: last.length, withBlobs: true, ...(from === undefined ? {} : { after: from }) };
    return [...readNow(await this.page<P>(query, ({ contractId }) => ids.has(contractId)))].reverse();
  }

  async #each<P>(
    template: Name,
    visit: (contract: PassedContract<P>) => void,
    query: Pick<PagedQuery, "at" | "stakeholders" | "after">,
  ): Promise<void> {
    const parts = (each: CreatedParts, place: Place): void => visit(passed<P>(each, place));
    readNow(await this.#take({ ...query, templates: [template], limit: Infinity }, { parts }, { page: [], atOnceMin: 1 }));
  }

  /** All that are active now in which a party has a stake, for who only reads them: without blobs they cost a fraction. */
  async passed<P>(template: Name, stakeholder: Party): Promise<readonly PassedContract<P>[]> {
    const contracts: PassedContract<P>[] = [];
    await this.each<P>(template, (contract) => void contracts.push(contract), stakeholder);
    return contracts;
  }

  /** All that are active now; for templates of which there are few. */
  async all<P>(template: Name, stakeholder?: Party): Promise<readonly Contract<P>[]> {
    return readNow(await this.page<P>({ templates: [template], limit: Infinity, withBlobs: true, ...of(stakeholder) }));
  }

  /** Of those that are active now the oldest that are wanted, `max` of them at most. */
  async first<P>(
    template: Name,
    { stakeholder, max }: { readonly stakeholder?: Party; readonly max: number },
    isWanted: (contract: Contract<P>) => boolean,
  ): Promise<readonly Contract<P>[]> {
    return readNow(await this.page<P>({ templates: [template], limit: max, withBlobs: true, ...of(stakeholder) }, isWanted));
  }

  /** Undefined: unknown, archived or no contract id at all. */
  async find<P>(contractId: string): Promise<Contract<P> | undefined> {
    return (await this.#created(contractId, { kind: "wildcard", includeCreatedEventBlob: true }))?.contract as Contract<P> | undefined;
  }

  /** The same, if it is of this template. */
  async findOf<P>(template: Name, contractId: string): Promise<Contract<P> | undefined> {
    const contract = await this.find<P>(contractId);
    return contract && isOf(contract, template) ? contract : undefined;
  }

  /** The value of a contract's view of an interface; undefined where it has none. */
  async view<V>(contractId: string, interface_: Name): Promise<V | undefined> {
    return (await this.shown<V>(contractId, interface_))?.view;
  }

  /** The same, with the contract. */
  async shown<V>(contractId: string, interface_: Name): Promise<{ readonly contract: Contract; readonly view: V | undefined } | undefined> {
    const found = await this.#created(contractId, {
      kind: "interface",
      interfaceId: reference(interface_),
      includeInterfaceView: true,
      includeCreatedEventBlob: false,
    });
    const view = found?.views.find(({ interfaceId }) => entityOf(interfaceId) === interface_.entity)?.viewValue ?? undefined;
    return found && { contract: found.contract, view: view as V | undefined };
  }

  /** Contracts that show an interface to a stakeholder, with its id and what it shows; one that fails to is left out. */
  async viewed<V>(interface_: Name, stakeholder: Party): Promise<readonly Viewed<V>[]> {
    if (this.interfaceIds(interface_).length === 0) return [];
    const filter = {
      kind: "interface",
      interfaceId: reference(interface_),
      includeInterfaceView: true,
      includeCreatedEventBlob: true,
    } as const;
    const opened = this.#ledger.openActiveContracts({
      activeAtOffset: this.#ledger.ledgerEnd(),
      format: formatOf([filter], [stakeholder]),
    });
    const elements = readNow(await readElements<ActiveElement>(opened, Infinity));
    return elements.flatMap((element) => {
      const createdEvent = createdEventOf(element);
      const view = createdEvent.interfaceViews.find(({ interfaceId }) => entityOf(interfaceId) === interface_.entity);
      return view?.viewValue ? [{ contract: contractOf(createdEvent), interfaceId: view.interfaceId, view: view.viewValue as V }] : [];
    });
  }

  /** Also where it was archived since. */
  async everCreated<P>(contractId: string, { withBlob = false } = {}): Promise<Contract<P> | undefined> {
    const found = await this.#events(contractId, { kind: "wildcard", includeCreatedEventBlob: withBlob });
    return found && contractOf<P>(found.created);
  }

  /** Of many together, by their ids; of one whose create is not there any more nothing. It gives way to others. */
  async creationsOf<P>(contractIds: readonly string[]): Promise<ReadonlyMap<string, Creation<P>>> {
    const creations = new Map<string, Creation<P>>();
    if (contractIds.length > 0)
      await this.#ledger.takeCreates(contractIds, (contractId, parts) => {
        const createdAt = parts.bytes.toString("latin1", parts.createdAtStart, parts.createdAtEnd);
        creations.set(contractId, { payload: payloadOf<P>(parts), createdAt });
      });
    return creations;
  }

  /** Whether any version of the contract's package implements the interface for its template. */
  implements({ packageName, templateId }: Pick<Contract, "packageName" | "templateId">, interface_: Name): boolean {
    return this.templateImplements({ packageName, entity: entityOf(templateId) }, interface_);
  }
  templateImplements(template: Name, interface_: Name): boolean {
    return this.#implementedBy(textOf(template)).has(textOf(interface_));
  }
  /** The same, for some template. */
  packageImplements(packageName: string, interface_: Name): boolean {
    return [...this.#known()].some(([template, known]) => template.startsWith(`${packageName}:`) && known.has(textOf(interface_)));
  }

  /** The ids of an interface in all versions of its package. */
  interfaceIds({ packageName, entity }: Name): readonly string[] {
    const summaries = this.#ledger.listPackages().map((id) => this.#ledger.packageSummary(id)!);
    return summaries
      .filter(({ name, interfaces }) => name === packageName && interfaces.includes(entity))
      .map(({ packageId }) => `${packageId}:${entity}`);
  }

  async #created(
    contractId: string,
    filter: FilterRequest,
  ): Promise<{ readonly contract: Contract; readonly views: CreatedEvent["interfaceViews"] } | undefined> {
    const found = await this.#events(contractId, filter);
    return found && !found.isArchived ? { contract: contractOf(found.created), views: found.created.interfaceViews } : undefined;
  }

  async #events(
    contractId: string,
    filter: FilterRequest,
  ): Promise<{ readonly created: CreatedEvent; readonly isArchived: boolean } | undefined> {
    const found = await this.#ledger.readEventsByContractId(contractId, formatOf([filter], undefined));
    if (isFailure(found)) return undefined;
    const { created, archived } = JSON.parse(found.ok) as {
      readonly created: { readonly createdEvent: CreatedEvent };
      readonly archived: unknown;
    };
    return { created: created.createdEvent, isArchived: archived !== null };
  }

  /** Whether some package has the template. */
  knows(name: Name): boolean {
    return this.#isTemplateKnown(name);
  }

  #isTemplateKnown(name: Name): boolean {
    return this.#known().has(textOf(name));
  }
  #implementedBy(template: string): ReadonlySet<string> {
    return this.#known().get(template) ?? none;
  }

  /** Templates by `package-name:Module:Entity` with the interfaces of any version of them. Packages only ever come. */
  #known(): ReadonlyMap<string, ReadonlySet<string>> {
    const ids = this.#ledger.listPackages();
    if (ids.length !== this.#implementations.packages)
      this.#implementations = { packages: ids.length, templates: this.#readImplementations(ids) };
    return this.#implementations.templates;
  }

  #readImplementations(packageIds: readonly string[]): Map<string, ReadonlySet<string>> {
    const templates = new Map<string, Set<string>>();
    for (const summary of packageIds.map((id) => this.#ledger.packageSummary(id)!)) {
      if (summary.isUtility) continue;
      for (const template of summary.templates) {
        const name = `${summary.name}:${template}`,
          known = templates.get(name) ?? new Set<string>();
        for (const id of summary.implements[template] ?? [])
          known.add(`${this.#ledger.packageSummary(packageIdOf(id))?.name}:${entityOf(id)}`);
        templates.set(name, known);
      }
    }
    return templates;
  }
}

const none: ReadonlySet<string> = new Set();

const of = (stakeholder: Party | undefined): Pick<ActiveQuery, "stakeholders"> =>
  stakeholder === undefined ? {} : { stakeholders: [stakeholder] };

/** Nothing keeps what is active now from being read. */
export function readNow<T>(read: Result<T, LedgerErrorData>): T {
  assert(!isFailure(read), `what is active now can be read: ${read.error?.cause}`);
  return read.ok;
}

const contractIdFrom = `"contractId":"`.length,
  betweenIds = `","templateId":"`.length;

const passed = <P>(parts: CreatedParts, place: Place): PassedContract<P> => ({
  place,
  created: { offset: parts.offset, nodeId: parts.nodeId },
  contractId: parts.bytes.toString("latin1", parts.identityStart + contractIdFrom, parts.templateIdStart - betweenIds),
  payload: payloadOf<P>(parts),
});

const payloadOf = <P>({ bytes, argumentStart, argumentEnd }: CreatedParts): P =>
  JSON.parse(bytes.toString("utf8", argumentStart, argumentEnd)) as P;

const textOf = ({ packageName, entity }: Name): string => `${packageName}:${entity}`;

export const isOf = ({ packageName, templateId }: Pick<Contract, "packageName" | "templateId">, template: Name): boolean =>
  packageName === template.packageName && entityOf(templateId) === template.entity;

function formatOf(cumulative: readonly FilterRequest[], stakeholders: readonly Party[] | undefined): EventFormatRequest {
  const filters = { cumulative };
  return stakeholders === undefined
    ? { filtersByParty: {}, filtersForAnyParty: filters, verbose: false }
    : { filtersByParty: Object.fromEntries(stakeholders.map((party) => [party, filters])), filtersForAnyParty: undefined, verbose: false };
}
