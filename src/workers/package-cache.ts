/**
 * The packages of a worker: opened when first used, for as long as the worker lives, as a package id never changes its meaning. All
 * participants share what is opened, but each has only those packages that it stored.
 */
import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import {
  isVettedAt,
  onSynchronizer,
  type PackageNeed,
  type PackageRecord,
  type Selection,
  selectPackages,
  SnapshotPackages,
  unbounded,
  type VettablePackage,
  type Vetting,
} from "../ledger/engine/index.js";
import { openPackage, type Package, type PackageReader, type PackageSummary } from "../lf/index.js";
import type { SnapshotReader } from "../store/index.js";
import { KeptSelections } from "./kept-selections.js";
import { SoundPackages } from "./sound-packages.js";

/** What is known of all packages at a revision of the registry. */
interface KnownPackages {
  readonly revision: number;
  readonly list: readonly PackageRecord[];
  readonly byId: ReadonlyMap<string, PackageRecord>;
  readonly bySynchronizer: Map<number, VettedPackages>;
}

/** What is vetted on a synchronizer. */
interface VettedPackages {
  readonly list: readonly VettablePackage[];
  /** Nothing is vetted for a time only, so what is chosen does not depend on the time. */
  readonly isTimeless: boolean;
  /** By the names that were needed; where nothing else matters. */
  readonly selections: KeptSelections;
}

/** What is vetted on a synchronizer at a time, as a revision of the registry knows it. */
interface VettingMoment {
  readonly revision: number;
  readonly synchronizer: number;
  readonly at: bigint;
}
export interface SelectionRequest extends VettingMoment {
  readonly names: ReadonlySet<string>;
  readonly preferred: readonly string[];
  /** None: what is vetted here counts. */
  readonly needs: readonly PackageNeed[];
}

export class PackageCache implements PackageReader {
  readonly #opened = new Map<string, Package>();
  /** By participant. */
  readonly #stored: Set<string>[] = [];
  readonly #known: (KnownPackages | undefined)[] = [];
  /** Those that are not stored, or not yet. */
  readonly sound = new SoundPackages();
  #snapshot: SnapshotReader | undefined;

  /** Reads go to this snapshot until the next call. */
  use(snapshot: SnapshotReader | undefined): void {
    this.#snapshot = snapshot;
  }

  getPackage(id: string): Package | undefined {
    const opened = this.#opened.get(id);
    if (opened !== undefined && this.#stored[this.#snapshot?.set ?? 0]?.has(id) === true) return opened;
    return this.#open(id);
  }

  /** Also one that is not stored, but passed all checks. */
  getSound(id: string): Package | undefined {
    return this.#opened.get(id) ?? this.sound.get(id)?.package ?? this.getPackage(id);
  }

  #open(id: string): Package | undefined {
    assert(this.#snapshot, "packages are read inside a task");
    const { set } = this.#snapshot,
      stored = new SnapshotPackages(this.#snapshot),
      record = stored.readRecord(id);
    if (record === undefined) return undefined;
    (this.#stored[set] ??= new Set()).add(id);
    const opened = this.#opened.get(id) ?? this.sound.take(id)?.package ?? openStored(id, stored, record);
    if (opened !== undefined) this.#opened.set(id, opened);
    return opened;
  }

  records(revision: number): readonly PackageRecord[] {
    return this.#at(revision).list;
  }
  record(id: string, revision: number): PackageRecord | undefined {
    return this.#at(revision).byId.get(id);
  }
  isVetted(id: string, { revision, synchronizer, at }: VettingMoment): boolean {
    return isVettedAt(this.record(id, revision)?.vettings[synchronizer], at);
  }

  #at(revision: number): KnownPackages {
    assert(this.#snapshot, "packages are read inside a task");
    const { set } = this.#snapshot,
      known = this.#known[set];
    if (known?.revision === revision) return known;
    const list = new SnapshotPackages(this.#snapshot).readRecords();
    return (this.#known[set] = {
      revision,
      list,
      byId: new Map(list.map((record) => [record.summary.packageId, record])),
      bySynchronizer: new Map(),
    });
  }

  #vettedOn(synchronizer: number, revision: number): VettedPackages {
    const { list: all, bySynchronizer } = this.#at(revision),
      known = bySynchronizer.get(synchronizer);
    if (known !== undefined) return known;
    const list = onSynchronizer(all, synchronizer);
    const isTimeless = list.every(({ vetting }) => vetting?.validFrom === undefined && vetting?.validUntil === undefined);
    const vetted = { list, isTimeless, selections: new KeptSelections(list.length) };
    bySynchronizer.set(synchronizer, vetted);
    return vetted;
  }

  /** As the snapshot has it, vetted or not. */
  summary(id: string): PackageSummary | undefined {
    assert(this.#snapshot, "packages are read inside a task");
    return new SnapshotPackages(this.#snapshot).readRecord(id)?.summary;
  }

  /** Kept between submissions unless it depends on more than the revision: a user's choice, or vetting that is bounded in time. */
  select({ revision, synchronizer, at, names, preferred, needs }: SelectionRequest): Selection {
    const { list, isTimeless, selections } = this.#vettedOn(synchronizer, revision),
      here = this.#snapshot?.set;
    if (needs.some(({ hosts }) => hosts.some((host) => host !== here)))
      return selectPackages(this.#vettedFor(needs, list, { synchronizer, at }), { at, names, preferred });
    if (!isTimeless || preferred.length > 0) return selectPackages(list, { at, names, preferred });
    return selections.of(names, () => selectPackages(list, { at, names, preferred }));
  }

  /** Of a name that somebody needs what all who host those have vetted; of another one, as it may come to be used, what suits any. */
  #vettedFor(
    needs: readonly PackageNeed[],
    list: readonly VettablePackage[],
    { synchronizer, at }: Omit<VettingMoment, "revision">,
  ): readonly VettablePackage[] {
    const snapshot = this.#snapshot!,
      hostsByName = new Map<string, Set<number>>();
    for (const { hosts, names } of needs)
      for (const name of names) {
        const known = hostsByName.get(name) ?? new Set();
        for (const host of hosts) known.add(host);
        hostsByName.set(name, known);
      }
    const vettingOf = (host: number, { summary, vetting }: VettablePackage): Vetting | undefined =>
      host === snapshot.set ? vetting : new SnapshotPackages(snapshot.of(host, 0)).readVettings(summary.packageId)[synchronizer];
    const isVettedBy = (hosts: Iterable<number>, record: VettablePackage): boolean => {
      for (const host of hosts) if (!isVettedAt(vettingOf(host, record), at)) return false;
      return true;
    };
    return list.map((record) => {
      const hosts = hostsByName.get(record.summary.name),
        isVetted = hosts ? isVettedBy(hosts, record) : needs.some((need) => isVettedBy(need.hosts, record));
      return { summary: record.summary, vetting: isVetted ? unbounded : undefined };
    });
  }
}

function openStored(id: string, stored: SnapshotPackages, { summary }: PackageRecord): Package | undefined {
  const payload = stored.readPayload(id);
  if (payload === undefined) return undefined;
  const opened = openPackage(id, payload, new Set(summary.dependencies));
  assert(!isFailure(opened), `stored package ${id} opens`);
  return opened.ok;
}
