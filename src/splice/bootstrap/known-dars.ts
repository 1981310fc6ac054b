/**
 * What is in DARs that an earlier start has read, by the hashes of their bytes. A folder with all that Splice has released takes seconds
 * to unpack, and hardly ever changes.
 */
import type { PackageSummary, Participant } from "../../ledger/index.js";

/** As it is noted: a package is in many DARs. */
interface Noted {
  readonly packageIds: readonly string[];
  /** By hash, the places of its packages in that list. */
  readonly dars: Readonly<Record<string, readonly number[]>>;
}

type NotingLedger = Pick<Participant, "readNote" | "keepNote" | "packageSummary">;

const note = "splice-dars";

export class KnownDars {
  readonly #ledger: NotingLedger;
  readonly #noted: Noted;

  constructor(ledger: NotingLedger) {
    this.#ledger = ledger;
    this.#noted = JSON.parse(ledger.readNote(note) ?? `{"packageIds":[],"dars":{}}`) as Noted;
  }

  /** Its packages, the main one first; undefined where they are not all on the ledger. */
  get(hash: string): readonly PackageSummary[] | undefined {
    const { packageIds, dars } = this.#noted,
      summaries = dars[hash]?.map((place) => this.#ledger.packageSummary(packageIds[place]!));
    return summaries?.every((summary) => summary !== undefined) === true ? summaries : undefined;
  }

  /** In place of those noted before. Undefined: that is noted already. */
  keep(dars: ReadonlyMap<string, readonly PackageSummary[]>): ReturnType<NotingLedger["keepNote"]> | undefined {
    if ([...dars.keys()].every((hash) => this.#noted.dars[hash] !== undefined)) return undefined;
    const places = new Map<string, number>();
    const placeOf = ({ packageId }: PackageSummary): number => {
      const place = places.get(packageId) ?? places.size;
      places.set(packageId, place);
      return place;
    };
    const byHash = Object.fromEntries([...dars].map(([hash, packages]) => [hash, packages.map(placeOf)]));
    return this.#ledger.keepNote(note, JSON.stringify({ packageIds: [...places.keys()], dars: byHash } satisfies Noted));
  }
}
