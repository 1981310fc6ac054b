/**
 * Event formats, resolved: who reads, which templates each of them wants, and with what (blob, interface views).
 * Names are checked when a read begins; what they stand for is looked up again whenever packages were added,
 * so that a stream also delivers templates uploaded after it began.
 */
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { anyParty, anyTemplate, type IndexRange, type TemplateNames } from "../records/index.js";
import {
  dottedNameProblem,
  type EventFormat,
  invalidArgument,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  missingField,
  type Outcome,
  packageIdProblem,
  packageNameProblem,
  packageNamesNotFound,
  type Party,
  type PartyFilter,
  partyProblem,
} from "../model/index.js";
import type { EventFormatRequest, FiltersRequest } from "./formats.js";
import { type Implementations, type NamedId, qualified, whole } from "./implementations.js";
import type { PackageRegistry } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";

function parseNamedId(text: string | undefined, field: string): Outcome<NamedId> {
  if (text === undefined) return fail(missingField(field));
  const [packageRef = "", module = "", name = ""] = text.split(":");
  const malformed = namesProblem(packageRef, module, name);
  if (malformed) return fail(malformed);
  if (!packageRef.startsWith("#"))
    return fail(invalidField("packageId", `Received an identifier with package ID ${packageRef}, but expected a package name.`));
  return ok({ packageName: packageRef.slice(1), module, name });
}

function namesProblem(packageRef: string, module: string, name: string): LedgerErrorData | undefined {
  const ofModule = dottedNameProblem(module);
  if (ofModule !== undefined) return invalidField("module_name", ofModule);
  const ofEntity = dottedNameProblem(name);
  if (ofEntity !== undefined) return invalidField("entity_name", ofEntity);
  const ofPackage = packageRef.startsWith("#") ? packageNameProblem(packageRef.slice(1)) : packageIdProblem(packageRef);
  return ofPackage === undefined ? undefined : invalidField("package reference", ofPackage);
}

/** Templates come before interfaces, whatever their order in the request: of several faults the first of these is told. */
function parseFilters({ cumulative }: FiltersRequest): Outcome<PartyFilter> {
  const templates: PartyFilter["templates"][number][] = [],
    interfaces: PartyFilter["interfaces"][number][] = [];
  let wildcard: PartyFilter["wildcard"];
  for (const filter of cumulative) {
    if (filter.kind === "wildcard") wildcard = { includeBlob: filter.includeCreatedEventBlob || wildcard?.includeBlob === true };
    if (filter.kind !== "template") continue;
    const id = parseNamedId(filter.templateId, "templateId");
    if (isFailure(id)) return id;
    templates.push({ ...id.ok, includeBlob: filter.includeCreatedEventBlob });
  }
  for (const filter of cumulative) {
    if (filter.kind !== "interface") continue;
    const id = parseNamedId(filter.interfaceId, "interfaceId");
    if (isFailure(id)) return id;
    interfaces.push({ ...id.ok, includeView: filter.includeInterfaceView, includeBlob: filter.includeCreatedEventBlob });
  }
  if (templates.length === 0 && interfaces.length === 0) wildcard ??= { includeBlob: false };
  return ok({ wildcard, templates, interfaces });
}

export function parseEventFormat(request: EventFormatRequest): Outcome<EventFormat> {
  const names = Object.keys(request.filtersByParty);
  if (names.length === 0 && !request.filtersForAnyParty)
    return fail(invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously"));
  const parties = new Map<Party, PartyFilter>(),
    parsedOf = new Map<FiltersRequest, PartyFilter>(); // many parties may share one
  for (const party of names) {
    const malformed = partyProblem(party);
    if (malformed !== undefined) return fail(invalidArgument(malformed));
    const filters = request.filtersByParty[party]!;
    let filter = parsedOf.get(filters);
    if (filter === undefined) {
      const parsed = parseFilters(filters);
      if (isFailure(parsed)) return parsed;
      parsedOf.set(filters, (filter = parsed.ok));
    }
    parties.set(party, filter);
  }
  if (!request.filtersForAnyParty) return ok({ parties, anyParty: undefined, verbose: request.verbose });
  const any = parseFilters(request.filtersForAnyParty);
  return isFailure(any) ? any : ok({ parties, anyParty: any.ok, verbose: request.verbose });
}

/** Each once, whoever shares it. */
const filtersOf = ({ parties, anyParty: any }: EventFormat): PartyFilter[] => [...new Set([...parties.values(), ...(any ? [any] : [])])];

/** The first of different names that are unknown. */
function unknownOf<T>(all: Iterable<T>, nameOf: (one: T) => string, isKnown: (one: T) => boolean): T[] {
  const seen = new Set<string>(),
    unknown: T[] = [];
  for (const one of all) {
    const name = nameOf(one);
    if (seen.has(name)) continue;
    seen.add(name);
    if (!isKnown(one) && unknown.push(one) === limits.unknownNamesToldMax) break;
  }
  return unknown;
}

/** With the words by which clients know it. */
function unreferenced(what: "template" | "interface", ids: readonly NamedId[]): string {
  const pairs = ids.map((id) => `(${id.packageName},${qualified(id)})`).join(", ");
  return `The following package-name/${what} qualified-name pairs do not reference any ${what}-id uploaded on this participant: [${pairs}].`;
}

/** Package names, then templates, then interfaces: the first kind with unknown ones is the answer. */
export function checkNames(format: EventFormat, packages: PackageRegistry): LedgerErrorData | undefined {
  const filters = filtersOf(format);
  const templates = filters.flatMap((filter) => filter.templates),
    interfaces = filters.flatMap((filter) => filter.interfaces);
  const unknownNames = unknownOf<NamedId>(
    [...templates, ...interfaces],
    ({ packageName }) => packageName,
    ({ packageName }) => packages.hasName(packageName),
  );
  if (unknownNames.length > 0) return packageNamesNotFound(unknownNames.map(({ packageName }) => packageName));
  const unknownTemplates = unknownOf(templates, whole, (id) => packages.hasTemplate(id.packageName, qualified(id)));
  if (unknownTemplates.length > 0)
    return ledgerError("NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", unreferenced("template", unknownTemplates));
  const unknownInterfaces = unknownOf(interfaces, whole, (id) => packages.interfaceIds(id.packageName, qualified(id)).length > 0);
  if (unknownInterfaces.length > 0)
    return ledgerError("NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", unreferenced("interface", unknownInterfaces));
  return undefined;
}

const nameCodes: readonly string[] = [
  "PACKAGE_NAMES_NOT_FOUND",
  "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
  "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
];
export const isNameProblem = (error: LedgerErrorData): boolean => nameCodes.includes(error.code);

/** What a filter wants of a template. */
export interface TemplateMatch {
  readonly blob: boolean;
  /** Interfaces whose view is asked for; what archives a contract tells of the same ones. */
  readonly views: readonly string[];
}

const union = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.length === 0 ? b : b.length === 0 ? a : [...new Set([...a, ...b])];
const combine = (a: TemplateMatch | undefined, b: TemplateMatch | undefined): TemplateMatch | undefined =>
  !a || a === b ? b : !b ? a : { blob: a.blob || b.blob, views: union(a.views, b.views) };

const wildcardMatch: TemplateMatch = { blob: false, views: [] };
const wildcardBlobMatch: TemplateMatch = { blob: true, views: [] };

export interface FilterContext {
  readonly packages: PackageRegistry;
  readonly parties: PartyRegistry;
  readonly templates: TemplateNames;
  readonly implementations: Implementations;
}

/** One party's filter with its matches by template number; `resolve` when what names stand for has changed. */
class CompiledFilter {
  readonly #filter: PartyFilter;
  readonly #otherwise: TemplateMatch | undefined;
  readonly #named = new Map<number, TemplateMatch>();
  readonly #namesNothing: boolean;
  #asksForNothing = false;

  constructor(filter: PartyFilter) {
    this.#filter = filter;
    this.#otherwise = filter.wildcard && (filter.wildcard.includeBlob ? wildcardBlobMatch : wildcardMatch);
    this.#namesNothing = filter.templates.length + filter.interfaces.length === 0;
  }

  /** Only interfaces that no template implements: whoever asks for those is no reader, not even of what others are told. */
  get asksForNothing(): boolean {
    return this.#asksForNothing;
  }

  get isWildcard(): boolean {
    return this.#otherwise !== undefined;
  }
  /** Of a filter that is no wildcard: all that it matches. */
  get templates(): Iterable<number> {
    return this.#named.keys();
  }

  match(template: number): TemplateMatch | undefined {
    return this.#namesNothing ? this.#otherwise : (this.#named.get(template) ?? this.#otherwise);
  }

  resolve(templates: TemplateNames, implementations: Implementations): void {
    this.#asksForNothing =
      !this.isWildcard && this.#filter.templates.length === 0 && !this.#filter.interfaces.some((id) => implementations.hasSome(id));
    this.#named.clear();
    for (const filter of this.#filter.templates) {
      const template = templates.get(whole(filter));
      if (template !== undefined) this.#add(template, filter.includeBlob ? wildcardBlobMatch : wildcardMatch);
    }
    for (const filter of this.#filter.interfaces) {
      for (const [template, ids] of implementations.of(filter))
        this.#add(template, { blob: filter.includeBlob, views: filter.includeView ? ids : [] });
    }
  }

  #add(template: number, match: TemplateMatch): void {
    this.#named.set(template, combine(this.#named.get(template) ?? this.#otherwise, match)!);
  }
}

export class EventFilter {
  readonly #context: FilterContext;
  /** Of the filters of the format, which thousands of parties may share. */
  readonly #compiled: ReadonlyMap<PartyFilter, CompiledFilter>;
  /** Undefined also where it asks for nothing. */
  #any: CompiledFilter | undefined;
  /** Without those that ask for nothing. */
  #byNumber: (CompiledFilter | undefined)[] = [];
  #readers: ReadonlySet<number> = new Set();
  #partyCount = -1;
  #templatesRevision = -1;
  #packagesRevision = -1;
  #ranges: IndexRange[] | undefined;
  readonly wantsViews: boolean;
  readonly wantsBlobs: boolean;
  readonly format: EventFormat;
  /** Of the request that reads; undefined where the read is part of something else. */
  readonly traceId: string | undefined;

  constructor(format: EventFormat, context: FilterContext, traceId?: string) {
    this.#context = context;
    this.format = format;
    this.traceId = traceId;
    const filters = filtersOf(format);
    this.#compiled = new Map(filters.map((filter) => [filter, new CompiledFilter(filter)]));
    this.wantsViews = filters.some((filter) => filter.interfaces.some((one) => one.includeView));
    this.wantsBlobs = filters.some(
      (filter) =>
        filter.wildcard?.includeBlob === true
        || filter.templates.some((one) => one.includeBlob)
        || filter.interfaces.some((one) => one.includeBlob),
    );
  }

  static resolve(request: EventFormatRequest, context: FilterContext, traceId?: string): Outcome<EventFilter> {
    const format = parseEventFormat(request);
    return isFailure(format) ? format : EventFilter.named(format.ok, context, traceId);
  }

  /** Of a format that was parsed: its names are looked up. */
  static named(format: EventFormat, context: FilterContext, traceId?: string): Outcome<EventFilter> {
    const unknown = checkNames(format, context.packages);
    return unknown ? fail(unknown) : ok(new EventFilter(format, context, traceId));
  }

  /** What the filter means of templates and interfaces may be another with every revision of the packages. */
  get revision(): number {
    return this.#context.packages.revision;
  }

  /** Of every filter, as long as that is so. */
  get asksForNothing(): boolean {
    this.#resolve();
    return [...this.#compiled.values()].every((filter) => filter.asksForNothing);
  }

  get asksAnyParty(): boolean {
    this.#resolve();
    return this.#any !== undefined;
  }

  /** Parties, templates and what implements an interface may become known after a stream began. */
  #resolve(): void {
    const { parties, templates, packages } = this.#context;
    if (
      this.#partyCount === parties.count
      && this.#templatesRevision === templates.revision
      && this.#packagesRevision === packages.revision
    )
      return;
    const areNamesOther = this.#templatesRevision !== templates.revision || this.#packagesRevision !== packages.revision,
      isAskingOther = areNamesOther && this.#resolveNames();
    if (isAskingOther || this.#partyCount !== parties.count) this.#resolveParties();
    this.#ranges = undefined;
  }

  #resolveParties(): void {
    const { parties: known } = this.#context,
      { parties, anyParty: any } = this.format;
    this.#partyCount = known.count;
    this.#byNumber = [];
    this.#any = any && this.#asking(any);
    const readers = new Set<number>(any ? [anyParty] : []);
    for (const [party, filter] of parties) {
      const number = known.get(party)?.number;
      if (number === undefined) continue;
      this.#byNumber[number] = this.#asking(filter);
      readers.add(number);
    }
    this.#readers = readers;
  }

  #asking(filter: PartyFilter): CompiledFilter | undefined {
    const compiled = this.#compiled.get(filter);
    return compiled?.asksForNothing ? undefined : compiled;
  }

  /** Whether a filter asks for nothing any more that asked for something, or the other way round. */
  #resolveNames(): boolean {
    const { templates, packages, implementations } = this.#context;
    this.#templatesRevision = templates.revision;
    this.#packagesRevision = packages.revision;
    let isAskingOther = false;
    for (const filter of this.#compiled.values()) {
      const { asksForNothing } = filter;
      filter.resolve(templates, implementations);
      isAskingOther ||= filter.asksForNothing !== asksForNothing;
    }
    return isAskingOther;
  }

  /** The parties whose index holds what the filter asks for, also when its templates change. */
  get readers(): ReadonlySet<number> {
    this.#resolve();
    return this.#readers;
  }

  isAsked(party: number): boolean {
    this.#resolve();
    return this.#any !== undefined || this.#byNumber[party] !== undefined;
  }
  asksAll(parties: readonly number[]): boolean {
    this.#resolve();
    if (this.#any) return true;
    for (let i = 0; i < parties.length; i++) if (!this.#byNumber[parties[i]!]) return false;
    return true;
  }
  asksOneOf(parties: readonly number[]): boolean {
    this.#resolve();
    if (this.#any) return parties.length > 0;
    for (let i = 0; i < parties.length; i++) if (this.#byNumber[parties[i]!]) return true;
    return false;
  }

  /** What the reader wants of an event of `template` that `parties` may see; undefined: nothing. */
  match(template: number, parties: readonly number[]): TemplateMatch | undefined {
    this.#resolve();
    let match: TemplateMatch | undefined;
    for (let i = 0; i < parties.length; i++) {
      const filter = this.#byNumber[parties[i]!];
      if (filter) match = combine(match, filter.match(template));
    }
    return this.#any ? combine(match, this.#any.match(template)) : match; // behind theirs: views are told in this order
  }

  /** Ranges of an index, the same list until they change; template 0 = all templates of the party (the index decides how). */
  ranges(): readonly IndexRange[] {
    this.#resolve();
    return (this.#ranges ??= this.#findRanges());
  }

  #findRanges(): IndexRange[] {
    const ranges = this.#any ? rangesOf(anyParty, this.#any) : [];
    if (!this.#any?.isWildcard)
      this.#byNumber.forEach((filter, party) => {
        if (filter) ranges.push(...rangesOf(party, filter));
      });
    return ranges;
  }
}

const rangesOf = (party: number, filter: CompiledFilter): IndexRange[] =>
  filter.isWildcard
    ? [{ party, template: anyTemplate }]
    : [...filter.templates].sort((a, b) => a - b).map((template) => ({ party, template }));
