/** The packages of a worker: opened when first used, for as long as the worker lives, as a package id never changes its meaning. */
import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import { packagePreference, SnapshotPackages, type PackageRecord } from "../ledger/on-engine-threads.js";
import { openPackage, type Package, type PackageReader } from "../lf/index.js";
import type { SnapshotReader } from "../store/index.js";

export class PackageCache implements PackageReader {
  readonly #opened = new Map<string, Package>();
  #snapshot: SnapshotReader | undefined;
  #records: { readonly revision: number; readonly list: readonly PackageRecord[] } | undefined;
  #preference: { readonly revision: number; readonly map: ReadonlyMap<string, string> } | undefined;

  /** Reads go to this snapshot until the next call. */
  use(snapshot: SnapshotReader | undefined): void { this.#snapshot = snapshot; }

  getPackage(id: string): Package | undefined {
    const known = this.#opened.get(id);
    if (known) return known;
    assert(this.#snapshot, "packages are read inside a task");
    const stored = new SnapshotPackages(this.#snapshot), record = stored.readRecord(id), payload = stored.readPayload(id);
    if (record === undefined || payload === undefined) return undefined;
    const opened = openPackage(id, payload, new Set(record.summary.dependencies));
    assert(!isFailure(opened), `stored package ${id} opens`);
    this.#opened.set(id, opened.ok);
    return opened.ok;
  }

  records(revision: number): readonly PackageRecord[] {
    if (this.#records?.revision !== revision) {
      assert(this.#snapshot, "packages are read inside a task");
      this.#records = { revision, list: new SnapshotPackages(this.#snapshot).readRecords() };
    }
    return this.#records.list;
  }

  /** As the snapshot has them, vetted or not. */
  storedIds(): ReadonlySet<string> {
    assert(this.#snapshot, "packages are read inside a task");
    return new Set(new SnapshotPackages(this.#snapshot).readRecords().map(({ summary }) => summary.packageId));
  }

  /** Kept between submissions unless it depends on more than the revision: a user's choice, or vetting that is bounded in time. */
  preference(revision: number, ledgerTime: bigint, preferred: readonly string[]): ReadonlyMap<string, string> {
    const records = this.records(revision);
    const isPlain = preferred.length === 0 && records.every(({ vetting }) => vetting?.validFrom === undefined && vetting?.validUntil === undefined);
    if (!isPlain) return packagePreference(records, ledgerTime, preferred);
    if (this.#preference?.revision !== revision) this.#preference = { revision, map: packagePreference(records, ledgerTime, []) };
    return this.#preference.map;
  }
}
