/** What the node knows about its packages, in memory: names, versions, who implements what, and what is vetted. */
import { assert } from "../../base/assert.js";
import { RecordReader, RecordWriter, unseal, type Tables } from "../../store/index.js";
import { limits } from "../../config.js";
import { comparePackages } from "../../lf/index.js";
import { timestampMax } from "../../lf/value/index.js";
import type { PackageSummary } from "../interpretation/index.js";

/** Of a package that is vetted on no other than the first synchronizer, and of others. */
const version = 1,
  versionWithSynchronizers = 2;

/** Undefined bounds are open. Microseconds; from inclusive, until exclusive. */
export interface Vetting {
  readonly validFrom: bigint | undefined;
  readonly validUntil: bigint | undefined;
}

export interface PackageRecord {
  readonly summary: PackageSummary;
  /** By the number of the synchronizer; undefined, or absent: stored but not vetted there. */
  readonly vettings: readonly (Vetting | undefined)[];
}

/** A package as one synchronizer has it. */
export interface VettablePackage {
  readonly summary: PackageSummary;
  readonly vetting: Vetting | undefined;
}

export const onSynchronizer = (records: Iterable<PackageRecord>, synchronizer: number): readonly VettablePackage[] =>
  Array.from(records, ({ summary, vettings }) => ({ summary, vetting: vettings[synchronizer] }));

export const unbounded: Vetting = { validFrom: undefined, validUntil: undefined };

const noBound = -(2n ** 63n);

export function encodePackage(record: PackageRecord): Buffer {
  const [first, ...others] = record.vettings,
    writer = new RecordWriter();
  writeVetting(writer, first).text(JSON.stringify(record.summary));
  if (others.length === 0) return writer.finish(version);
  writer.u32(others.length);
  for (const vetting of others) writeVetting(writer, vetting);
  return writer.finish(versionWithSynchronizers);
}

export function decodePackage(bytes: Buffer): PackageRecord {
  const { summary, vettings } = readParts(bytes);
  return { summary: JSON.parse(summary) as PackageSummary, vettings };
}

/** Most of a record is its summary. */
export const decodeVettings = (bytes: Buffer): PackageRecord["vettings"] => readParts(bytes).vettings;

/** With the summary as JSON text. */
function readParts(bytes: Buffer): Pick<PackageRecord, "vettings"> & { readonly summary: string } {
  const reader = new RecordReader(unseal(bytes, versionWithSynchronizers, "packages"));
  const first = readVetting(reader),
    summary = reader.text();
  const others = reader.isAtEnd ? [] : Array.from({ length: reader.u32() }, () => readVetting(reader));
  return { summary, vettings: [first, ...others] };
}

const writeVetting = (writer: RecordWriter, vetting: Vetting | undefined): RecordWriter =>
  writer
    .u8(vetting ? 1 : 0)
    .i64(vetting?.validFrom ?? noBound)
    .i64(vetting?.validUntil ?? noBound);

function readVetting(reader: RecordReader): Vetting | undefined {
  const vetted = reader.u8() === 1,
    from = reader.i64(),
    until = reader.i64();
  const bound = (micros: bigint): bigint | undefined => (micros === noBound ? undefined : micros);
  return vetted ? { validFrom: bound(from), validUntil: bound(until) } : undefined;
}

export const isVettedAt = (vetting: Vetting | undefined, micros: bigint): boolean =>
  vetting !== undefined
  && (vetting.validFrom === undefined || vetting.validFrom <= micros)
  && (vetting.validUntil === undefined || micros < vetting.validUntil);

const newestOf = (versions: readonly PackageSummary[]): PackageSummary | undefined =>
  versions.reduce<PackageSummary | undefined>(
    (newest, version) => (newest === undefined || comparePackages(version, newest) > 0 ? version : newest),
    undefined,
  );

const serialName = (synchronizer: number): string => (synchronizer === 0 ? "vettingSerial" : `vettingSerial/${synchronizer}`);
export const encodeVettingSerial = (synchronizer: number, serial: number): { readonly name: string; readonly record: Buffer } => ({
  name: serialName(synchronizer),
  record: new RecordWriter().u32(serial).finish(version),
});

export class PackageRegistry {
  readonly #serials: number[] = [];
  /** By the numbers of synchronizers; what is vetted for a time only is looked at when something changes. */
  readonly #orders = new Map<
    string,
    { readonly revision: number; readonly order: readonly unknown[]; readonly differing: readonly string[] }
  >();
  readonly #records = new Map<string, PackageRecord>();
  /** By package name, in the order in which they were stored. */
  readonly #byName = new Map<string, PackageSummary[]>();
  /** Template name (`package-name:Module:Entity`) to the interfaces that any of its versions implements. */
  readonly #implemented = new Map<string, Set<string>>();
  /** Interfaces that some template implements. */
  readonly #implementedInterfaces = new Set<string>();
  #revision = 0;
  readonly #listeners: (() => void)[] = [];

  static read(tables: Tables): PackageRegistry {
    const registry = new PackageRegistry();
    for (const { key, value } of tables.packages.all()) {
      const record = decodePackage(value);
      assert(record.summary.packageId === key, "a package is where its id says");
      registry.set(record);
    }
    for (let synchronizer = 0; synchronizer < limits.synchronizersMax; synchronizer++) {
      const serial = tables.state.read(serialName(synchronizer));
      if (serial) registry.#serials[synchronizer] = new RecordReader(unseal(serial, version, "state")).u32();
    }
    return registry;
  }

  /** How often what is vetted on a synchronizer changed; 0 = nothing ever was. */
  vettingSerial(synchronizer: number): number {
    return this.#serials[synchronizer] ?? 0;
  }
  setVettingSerial(synchronizer: number, serial: number): void {
    this.#serials[synchronizer] = serial;
  }

  /** Grows with every change: whoever resolved names looks again then. */
  get revision(): number {
    return this.#revision;
  }
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
  /** After a change, of as many packages as it may be. */
  tellChange(): void {
    for (const listener of this.#listeners) listener();
  }

  get(packageId: string): PackageRecord | undefined {
    return this.#records.get(packageId);
  }
  ids(): readonly string[] {
    return [...this.#records.keys()];
  }
  records(): Iterable<PackageRecord> {
    return this.#records.values();
  }

  set(record: PackageRecord): void {
    const { summary } = record;
    this.#revision++;
    if (!this.#records.has(summary.packageId)) {
      this.#byName.set(summary.name, [...(this.#byName.get(summary.name) ?? []), summary]);
      for (const [template, interfaces] of Object.entries(summary.implements))
        this.#addImplemented(`${summary.name}:${template}`, interfaces);
    }
    this.#records.set(summary.packageId, record);
  }

  #addImplemented(template: string, interfaces: readonly string[]): void {
    const known = this.#implemented.get(template) ?? new Set<string>();
    for (const id of interfaces) {
      known.add(id);
      this.#implementedInterfaces.add(id);
    }
    this.#implemented.set(template, known);
  }

  isVetted(packageId: string, synchronizer: number, micros: bigint): boolean {
    return isVettedAt(this.#records.get(packageId)?.vettings[synchronizer], micros);
  }

  /** All of a name, also those that have only helpers in them. */
  versionsOf(packageName: string): readonly PackageSummary[] {
    return this.#byName.get(packageName) ?? [];
  }
  hasName(packageName: string): boolean {
    return this.versionsOf(packageName).length > 0;
  }
  hasTemplate(packageName: string, qualifiedName: string): boolean {
    return this.versionsOf(packageName).some((summary) => summary.templates.includes(qualifiedName));
  }
  /** The ids of an interface in all versions of its package. */
  interfaceIds(packageName: string, qualifiedName: string): readonly string[] {
    return this.versionsOf(packageName)
      .filter((summary) => summary.interfaces.includes(qualifiedName))
      .map((summary) => `${summary.packageId}:${qualifiedName}`);
  }
  implementsInterface(template: string, interfaceId: string): boolean {
    return this.#implemented.get(template)?.has(interfaceId) === true;
  }

  isImplemented(interfaceId: string): boolean {
    return this.#implementedInterfaces.has(interfaceId);
  }

  /** The packages with a template that implements the interface. */
  implementing(interfaceId: string): readonly string[] {
    const summaries = [...this.#records.values()].map(({ summary }) => summary);
    return summaries.filter(hasImplementation(interfaceId)).map(({ packageId }) => packageId);
  }

  /**
   * The package whose code computes the view: the highest vetted version of the contract's package that has an implementation of the
   * interface, if of another template, on the first of the synchronizers that has one.
   */
  implementationPackage(
    packageName: string,
    interfaceId: string,
    synchronizers: readonly { readonly number: number }[],
  ): string | undefined {
    for (const { number } of synchronizers) {
      const newest = newestOf(this.versionsForViews(packageName, number).filter(hasImplementation(interfaceId)));
      if (newest) return newest.packageId;
    }
    return undefined;
  }

  /**
   * Synchronizers in the order in which a command tries them: where a name that the commands (JSON text) use has a higher version comes
   * first, then where any name has.
   */
  newestFirst<S extends { readonly number: number }>(synchronizers: readonly S[], micros: bigint, commands: string): readonly S[] {
    if (synchronizers.length < 2) return synchronizers;
    const { order, differing } = this.#orderOf(synchronizers, micros),
      used = differing.filter((name) => commands.includes(`"#${name}:`));
    return used.length === 0 ? (order as readonly S[]) : this.#byHigher(order as readonly S[], used, micros);
  }

  /** Whatever a command uses; with the names that are not the same everywhere. */
  #orderOf<S extends { readonly number: number }>(
    synchronizers: readonly S[],
    micros: bigint,
  ): { readonly order: readonly unknown[]; readonly differing: readonly string[] } {
    const key = synchronizers.map(({ number }) => number).join(),
      kept = this.#orders.get(key);
    if (kept?.revision === this.#revision) return kept;
    const differing = [...this.#byName.keys()].filter((name) =>
      synchronizers.some((one) => synchronizers.some((other) => this.#isHigher(name, one.number, other.number, micros))),
    );
    const made = { revision: this.#revision, order: this.#byHigher(synchronizers, differing, micros), differing };
    this.#orders.set(key, made);
    return made;
  }

  #byHigher<S extends { readonly number: number }>(synchronizers: readonly S[], names: readonly string[], micros: bigint): readonly S[] {
    const higher = (one: S, other: S): number => names.filter((name) => this.#isHigher(name, one.number, other.number, micros)).length;
    return [...synchronizers].sort((a, b) => higher(b, a) - higher(a, b));
  }

  /** Whether one synchronizer has a higher version of the name than another that has it too. */
  #isHigher(name: string, one: number, other: number, micros: bigint): boolean {
    const [here, there] = [one, other].map((number) =>
      newestOf(this.versionsOf(name).filter(({ packageId }) => this.isVetted(packageId, number, micros))),
    );
    return here !== undefined && there !== undefined && comparePackages(here, there) > 0;
  }

  /** Vetted at the end of time: what is to be vetted counts, what is vetted until some day does not. */
  versionsForViews(packageName: string, synchronizer: number): readonly PackageSummary[] {
    return this.versionsOf(packageName).filter(({ packageId }) => this.isVetted(packageId, synchronizer, timestampMax));
  }
}

const hasImplementation =
  (interfaceId: string) =>
  (summary: PackageSummary): boolean =>
    Object.values(summary.implements).some((interfaces) => interfaces.includes(interfaceId));
