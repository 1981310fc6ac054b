/**
 * Event formats, resolved: who reads, which templates each of them wants, and with what (blob, interface views).
 * Names are checked when a read begins; what they stand for is looked up again whenever packages were added,
 * so that a stream also delivers templates uploaded after it began.
 */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { u32Max } from "../store/index.js";
import { invalidArgument, invalidField, ledgerError, packageNamesNotFound } from "./errors.js";
import type { EventFormatRequest, FiltersRequest } from "./ledger.js";
import type { EventFormat, LedgerErrorData, Party, PartyFilter } from "./model.js";
import type { PackageRegistry } from "./package-registry.js";
import type { PartyRegistry } from "./party-registry.js";
import type { TemplateNames } from "./template-names.js";

/** The template number under which topology updates are indexed. */
export const topologyTemplate = u32Max;
export const anyParty = 0, anyTemplate = 0;

interface NamedId { readonly packageName: string; readonly module: string; readonly name: string }

function parseNamedId(text: string): Result<NamedId, LedgerErrorData> {
  const [packageRef = "", module = "", name = ""] = text.split(":");
  if (!packageRef.startsWith("#")) return fail(invalidField("packageId", `Received an identifier with package ID ${packageRef}, but expected a package name.`));
  return ok({ packageName: packageRef.slice(1), module, name });
}

function parseFilters(request: FiltersRequest): Result<PartyFilter, LedgerErrorData> {
  const templates: PartyFilter["templates"][number][] = [], interfaces: PartyFilter["interfaces"][number][] = [];
  let wildcard: PartyFilter["wildcard"];
  for (const filter of request.cumulative) {
    if (filter.kind === "empty") continue;
    if (filter.kind === "wildcard") { wildcard = { includeBlob: filter.includeCreatedEventBlob || wildcard?.includeBlob === true }; continue; }
    const id = parseNamedId(filter.kind === "template" ? filter.templateId : filter.interfaceId);
    if (isFailure(id)) return id;
    if (filter.kind === "template") templates.push({ ...id.ok, includeBlob: filter.includeCreatedEventBlob });
    else interfaces.push({ ...id.ok, includeView: filter.includeInterfaceView, includeBlob: filter.includeCreatedEventBlob });
  }
  if (templates.length === 0 && interfaces.length === 0) wildcard ??= { includeBlob: false };
  return ok({ wildcard, templates, interfaces });
}

export function parseEventFormat(request: EventFormatRequest): Result<EventFormat, LedgerErrorData> {
  const entries = Object.entries(request.filtersByParty);
  if (entries.length === 0 && !request.filtersForAnyParty) return fail(invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously"));
  const parties = new Map<Party, PartyFilter>();
  for (const [party, filters] of entries) {
    const parsed = parseFilters(filters);
    if (isFailure(parsed)) return parsed;
    parties.set(party, parsed.ok);
  }
  if (!request.filtersForAnyParty) return ok({ parties, anyParty: undefined, verbose: request.verbose });
  const any = parseFilters(request.filtersForAnyParty);
  return isFailure(any) ? any : ok({ parties, anyParty: any.ok, verbose: request.verbose });
}

/** Package names, then templates, then interfaces: the first kind with unknown ones is the answer. */
export function checkNames(format: EventFormat, packages: PackageRegistry): LedgerErrorData | undefined {
  const filters = [...format.parties.values(), ...(format.anyParty ? [format.anyParty] : [])];
  const templates = filters.flatMap((filter) => filter.templates), interfaces = filters.flatMap((filter) => filter.interfaces);
  const unknownNames = [...new Set([...templates, ...interfaces].map((id) => id.packageName))].filter((name) => packages.versionsOf(name).length === 0);
  if (unknownNames.length > 0) return packageNamesNotFound(unknownNames);
  const pairs = (ids: readonly NamedId[]): string => ids.map((id) => `(${id.packageName},${id.module}:${id.name})`).join(", ");
  const unknownTemplates = templates.filter((id) => !packages.hasTemplate(id.packageName, `${id.module}:${id.name}`));
  if (unknownTemplates.length > 0) return ledgerError("NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", `No package on this node has these templates (package name, template): [${pairs(unknownTemplates)}].`);
  const unknownInterfaces = interfaces.filter((id) => packages.interfaceIds(id.packageName, `${id.module}:${id.name}`).length === 0);
  if (unknownInterfaces.length > 0) return ledgerError("NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", `No package on this node has these interfaces (package name, interface): [${pairs(unknownInterfaces)}].`);
  return undefined;
}

/** What a filter wants of a template. */
export interface TemplateMatch {
  readonly blob: boolean;
  /** Interfaces whose view is asked for, and those asked for at all. */
  readonly views: readonly string[];
  readonly interfaces: readonly string[];
}

const union = (a: readonly string[], b: readonly string[]): readonly string[] => (a.length === 0 ? b : b.length === 0 ? a : [...new Set([...a, ...b])]);
const combine = (a: TemplateMatch | undefined, b: TemplateMatch | undefined): TemplateMatch | undefined =>
  !a || a === b ? b : !b ? a : { blob: a.blob || b.blob, views: union(a.views, b.views), interfaces: union(a.interfaces, b.interfaces) };

const wildcardMatch: TemplateMatch = { blob: false, views: [], interfaces: [] };
const wildcardBlobMatch: TemplateMatch = { blob: true, views: [], interfaces: [] };

export interface FilterContext { readonly packages: PackageRegistry; readonly parties: PartyRegistry; readonly templates: TemplateNames }

/** One party's filter with its matches by template number, kept until packages change. */
class CompiledFilter {
  readonly #filter: PartyFilter;
  readonly #context: FilterContext;
  #matches: (TemplateMatch | null)[] = [];
  #revision = -1;

  constructor(filter: PartyFilter, context: FilterContext) { this.#filter = filter; this.#context = context; }

  get isWildcard(): boolean { return this.#filter.wildcard !== undefined; }

  match(template: number): TemplateMatch | undefined {
    if (this.#revision !== this.#context.packages.revision) {
      this.#matches = [];
      this.#revision = this.#context.packages.revision;
    }
    let match = this.#matches[template];
    if (match === undefined) this.#matches[template] = match = this.#compute(this.#context.templates.nameOf(template)) ?? null;
    return match ?? undefined;
  }

  #compute(name: string): TemplateMatch | undefined {
    const { wildcard, templates, interfaces } = this.#filter;
    let match = wildcard && (wildcard.includeBlob ? wildcardBlobMatch : wildcardMatch);
    for (const filter of templates) {
      if (`${filter.packageName}:${filter.module}:${filter.name}` === name) match = combine(match, filter.includeBlob ? wildcardBlobMatch : wildcardMatch);
    }
    for (const filter of interfaces) {
      const implemented = this.#context.packages.interfaceIds(filter.packageName, `${filter.module}:${filter.name}`).filter((id) => this.#context.packages.implementsInterface(name, id));
      if (implemented.length > 0) match = combine(match, { blob: filter.includeBlob, views: filter.includeView ? implemented : [], interfaces: implemented });
    }
    return match;
  }
}

/** A range of an index that together with the others holds all that a reader may want. */
export interface IndexRange { readonly party: number; readonly template: number }

export class EventFilter {
  readonly #context: FilterContext;
  readonly #parties: ReadonlyMap<Party, CompiledFilter>;
  readonly #any: CompiledFilter | undefined;
  #byNumber: (CompiledFilter | undefined)[] = [];
  #readers: ReadonlySet<number> = new Set();
  #partyCount = -1;
  #ranges: IndexRange[] = [];
  #rangesState = "";
  readonly wantsViews: boolean;
  readonly wantsBlobs: boolean;
  readonly format: EventFormat;
  /** Of the request that reads; undefined where the read is part of something else. */
  readonly traceId: string | undefined;

  constructor(format: EventFormat, context: FilterContext, traceId?: string) {
    this.#context = context;
    this.format = format;
    this.traceId = traceId;
    this.#parties = new Map([...format.parties].map(([party, filter]) => [party, new CompiledFilter(filter, context)]));
    this.#any = format.anyParty && new CompiledFilter(format.anyParty, context);
    const filters = [...format.parties.values(), ...(format.anyParty ? [format.anyParty] : [])];
    this.wantsViews = filters.some((filter) => filter.interfaces.some((one) => one.includeView));
    this.wantsBlobs = filters.some((filter) => filter.wildcard?.includeBlob === true || filter.templates.some((one) => one.includeBlob) || filter.interfaces.some((one) => one.includeBlob));
  }

  static resolve(request: EventFormatRequest, context: FilterContext, traceId?: string): Result<EventFilter, LedgerErrorData> {
    const format = parseEventFormat(request);
    if (isFailure(format)) return format;
    const unknown = checkNames(format.ok, context.packages);
    return unknown ? fail(unknown) : ok(new EventFilter(format.ok, context, traceId));
  }

  /** What the filter means of templates and interfaces may be another with every revision of the packages. */
  get revision(): number { return this.#context.packages.revision; }

  get asksAnyParty(): boolean { return this.#any !== undefined; }

  /** Parties may become known after a stream began. */
  #resolveParties(): void {
    if (this.#partyCount === this.#context.parties.count) return;
    this.#partyCount = this.#context.parties.count;
    this.#byNumber = [];
    const readers = new Set<number>(this.#any ? [anyParty] : []);
    for (const [party, filter] of this.#parties) {
      const known = this.#context.parties.get(party);
      if (!known) continue;
      this.#byNumber[known.number] = filter;
      readers.add(known.number);
    }
    this.#readers = readers;
  }

  /** The parties whose index holds what the filter asks for, also when its templates change. */
  get readers(): ReadonlySet<number> {
    this.#resolveParties();
    return this.#readers;
  }

  isAsked(party: number): boolean {
    if (this.#any) return true;
    this.#resolveParties();
    return this.#byNumber[party] !== undefined;
  }
  asksAll(parties: readonly number[]): boolean {
    for (let i = 0; i < parties.length; i++) if (!this.isAsked(parties[i]!)) return false;
    return true;
  }
  asksOneOf(parties: readonly number[]): boolean {
    for (let i = 0; i < parties.length; i++) if (this.isAsked(parties[i]!)) return true;
    return false;
  }

  /** What the reader wants of an event of `template` that `parties` may see; undefined: nothing. */
  match(template: number, parties: readonly number[]): TemplateMatch | undefined {
    this.#resolveParties();
    let match = this.#any?.match(template);
    for (let i = 0; i < parties.length; i++) {
      const filter = this.#byNumber[parties[i]!];
      if (filter) match = combine(match, filter.match(template));
    }
    return match;
  }

  /** Ranges of an index; template 0 = all templates of the party (the index decides how). */
  ranges(): readonly IndexRange[] {
    this.#resolveParties();
    const state = `${this.#partyCount}/${this.#context.templates.count}/${this.#context.packages.revision}`;
    if (state !== this.#rangesState) {
      this.#rangesState = state;
      this.#ranges = this.#any ? this.#rangesOf(anyParty, this.#any) : [];
      if (!this.#any?.isWildcard) this.#byNumber.forEach((filter, party) => { if (filter) this.#ranges.push(...this.#rangesOf(party, filter)); });
    }
    return this.#ranges;
  }

  #rangesOf(party: number, filter: CompiledFilter): IndexRange[] {
    if (filter.isWildcard) return [{ party, template: anyTemplate }];
    const ranges: IndexRange[] = [];
    for (let template = 1; template < this.#context.templates.count; template++) if (filter.match(template)) ranges.push({ party, template });
    return ranges;
  }
}
