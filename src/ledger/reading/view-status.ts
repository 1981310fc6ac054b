/** Why an interface view has no value: the status that stands in its place, in the form that readers of Canton know. */
import { ledgerError, type LedgerErrorData, physicalSynchronizerId, shortIdentifier } from "../model/index.js";

const idCharsShown = 12;
/** Hashes are cut for people (Canton's `PrettyUtil.readableHash`). */
const shortHash = (hash: string): string => (hash.length > idCharsShown ? `${hash.slice(0, idCharsShown)}...` : hash);

/** One element stands for itself (Canton's `PrettyInstances`). */
const idsText = (packageIds: readonly string[]): string => {
  const [first, ...rest] = packageIds.map(shortHash);
  return first !== undefined && rest.length === 0 ? first : `Set(${[first, ...rest].filter((id) => id !== undefined).join(", ")})`;
};

export interface MissingImplementation {
  readonly packageName: string;
  readonly synchronizerId: string;
  /** Packages with an implementation of the interface, vetted or not. */
  readonly implementing: readonly string[];
  /** The vetted packages of that name, oldest version first. */
  readonly vetted: readonly string[];
}

export function noVettedImplementation({ packageName, synchronizerId, implementing, vetted }: MissingImplementation): LedgerErrorData {
  const filter = `'Package-ids with interface instances for the requested interface'=${packageName} -> ${idsText(implementing)}`;
  const discarded = `(${shortIdentifier(physicalSynchronizerId(synchronizerId))},No vetted package candidate satisfies the package-id filter ${filter}.\nCandidates: ${idsText(vetted)})`;
  return ledgerError(
    "NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE",
    `No vetted package for rendering the interface view for package-name '${packageName}'. Reason: No synchronizer satisfies the vetting requirements. Discarded synchronizers: List(${discarded})`,
  );
}
