/** What the node knows about its packages, in memory: names, versions, who implements what, and what is vetted. */
import { assert } from "../../base/assert.js";
import { RecordReader, RecordWriter, sealBytes, unseal, type Tables } from "../../store/index.js";
import { comparePackages } from "../../lf/package-version.js";
import type { PackageSummary } from "../interpretation/index.js";

const version = 1;

/** Undefined bounds are open. Microseconds; from inclusive, until exclusive. */
export interface Vetting { readonly validFrom: bigint | undefined; readonly validUntil: bigint | undefined }

export interface PackageRecord {
  readonly summary: PackageSummary;
  /** Undefined: stored but not vetted. */
  readonly vetting: Vetting | undefined;
}

const noBound = -(2n ** 63n);

export function encodePackage(record: PackageRecord): Buffer {
  return new RecordWriter().u8(record.vetting ? 1 : 0).i64(record.vetting?.validFrom ?? noBound).i64(record.vetting?.validUntil ?? noBound)
    .text(JSON.stringify(record.summary)).finish(version);
}

export function decodePackage(bytes: Buffer): PackageRecord {
  const reader = new RecordReader(unseal(bytes, version, "packages"));
  const vetted = reader.u8() === 1, from = reader.i64(), until = reader.i64();
  const bound = (micros: bigint): bigint | undefined => (micros === noBound ? undefined : micros);
  const summary = JSON.parse(reader.text()) as PackageSummary;
  return { summary, vetting: vetted ? { validFrom: bound(from), validUntil: bound(until) } : undefined };
}

const lengthBytes = 4;
export function encodePayload(payload: Uint8Array): Buffer { return new RecordWriter(sealBytes + lengthBytes + payload.length).bytes(payload).finish(version); }
/** A payload as a part of its record, so that both are in one piece of memory. */
export function recordedPayload(payload: Uint8Array): { readonly payload: Uint8Array; readonly record: Uint8Array } {
  const record = encodePayload(payload);
  return { payload: record.subarray(sealBytes + lengthBytes), record };
}
export function decodePayload(bytes: Buffer): Buffer { return new RecordReader(unseal(bytes, version, "packagePayloads")).bytes(); }

export const isVettedAt = (vetting: Vetting | undefined, micros: bigint): boolean =>
  vetting !== undefined && (vetting.validFrom === undefined || vetting.validFrom <= micros) && (vetting.validUntil === undefined || micros < vetting.validUntil);

const newestOf = (versions: readonly PackageSummary[]): PackageSummary | undefined =>
  versions.reduce<PackageSummary | undefined>((newest, version) => (newest === undefined || comparePackages(version, newest) > 0 ? version : newest), undefined);

const serialName = "vettingSerial";
export const encodeVettingSerial = (serial: number): { readonly name: string; readonly record: Buffer } => ({ name: serialName, record: new RecordWriter().u32(serial).finish(version) });

export class PackageRegistry {
  /** How often what is vetted changed; 0 = nothing ever was. */
  vettingSerial = 0;
  readonly #records = new Map<string, PackageRecord>();
  /** By package name, in the order in which they were stored. */
  readonly #byName = new Map<string, PackageSummary[]>();
  /** Template name (`package-name:Module:Entity`) to the interfaces that any of its versions implements. */
  readonly #implemented = new Map<string, Set<string>>();
  #revision = 0;
  readonly #listeners: (() => void)[] = [];

  static read(tables: Tables): PackageRegistry {
    const registry = new PackageRegistry();
    for (const { key, value } of tables.packages.all()) {
      const record = decodePackage(value);
      assert(record.summary.packageId === key, "a package is where its id says");
      registry.set(record);
    }
    const serial = tables.state.read(serialName);
    if (serial) registry.vettingSerial = new RecordReader(unseal(serial, version, "state")).u32();
    return registry;
  }

  /** Grows with every change: whoever resolved names looks again then. */
  get revision(): number { return this.#revision; }
  onChange(listener: () => void): void { this.#listeners.push(listener); }
  /** After a change, of as many packages as it may be. */
  tellChange(): void { for (const listener of this.#listeners) listener(); }

  get(packageId: string): PackageRecord | undefined { return this.#records.get(packageId); }
  ids(): readonly string[] { return [...this.#records.keys()]; }
  records(): Iterable<PackageRecord> { return this.#records.values(); }

  set(record: PackageRecord): void {
    const { summary } = record;
    this.#revision++;
    if (!this.#records.has(summary.packageId)) {
      this.#byName.set(summary.name, [...(this.#byName.get(summary.name) ?? []), summary]);
      for (const [template, interfaces] of Object.entries(summary.implements)) this.#addImplemented(`${summary.name}:${template}`, interfaces);
    }
    this.#records.set(summary.packageId, record);
  }

  #addImplemented(template: string, interfaces: readonly string[]): void {
    const known = this.#implemented.get(template) ?? new Set<string>();
    for (const id of interfaces) known.add(id);
    this.#implemented.set(template, known);
  }

  isVetted(packageId: string, micros: bigint): boolean { return isVettedAt(this.#records.get(packageId)?.vetting, micros); }

  /** Versions of a name that can be named in filters. */
  versionsOf(packageName: string): readonly PackageSummary[] { return (this.#byName.get(packageName) ?? []).filter((summary) => !summary.isUtility); }
  hasName(packageName: string): boolean { return this.versionsOf(packageName).length > 0; }
  hasTemplate(packageName: string, qualifiedName: string): boolean { return this.versionsOf(packageName).some((summary) => summary.templates.includes(qualifiedName)); }
  /** The ids of an interface in all versions of its package. */
  interfaceIds(packageName: string, qualifiedName: string): readonly string[] {
    return this.versionsOf(packageName).filter((summary) => summary.interfaces.includes(qualifiedName)).map((summary) => `${summary.packageId}:${qualifiedName}`);
  }
  implementsInterface(template: string, interfaceId: string): boolean { return this.#implemented.get(template)?.has(interfaceId) === true; }

  /** The packages with a template that implements the interface. */
  implementing(interfaceId: string): readonly string[] {
    const summaries = [...this.#records.values()].map(({ summary }) => summary);
    return summaries.filter((summary) => Object.values(summary.implements).some((interfaces) => interfaces.includes(interfaceId))).map(({ packageId }) => packageId);
  }

  /** The package whose code computes the view: the highest vetted version of the contract's package that implements the interface. */
  implementationPackage(packageName: string, qualifiedName: string, interfaceId: string, micros: bigint): string | undefined {
    return newestOf(this.vettedVersionsOf(packageName, micros).filter((summary) => summary.implements[qualifiedName]?.includes(interfaceId)))?.packageId;
  }

  vettedVersionsOf(packageName: string, micros: bigint): readonly PackageSummary[] { return this.versionsOf(packageName).filter(({ packageId }) => this.isVetted(packageId, micros)); }
}
