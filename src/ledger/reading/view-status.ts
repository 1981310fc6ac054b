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
  /** Packages with an implementation of the interface, vetted or not. */
  readonly implementing: readonly string[];
  /** By the id of the synchronizer the packages of that name that are vetted there, oldest version first. */
  readonly vetted: readonly (readonly [synchronizerId: string, packageIds: readonly string[]])[];
}

export function noVettedImplementation({ packageName, implementing, vetted }: MissingImplementation): LedgerErrorData {
  const filter = `'Package-ids with interface instances for the requested interface'=${packageName} -> ${idsText(implementing)}`;
  const discarded = vetted.map(
    ([synchronizerId, packageIds]) =>
      `(${shortIdentifier(physicalSynchronizerId(synchronizerId))},No vetted package candidate satisfies the package-id filter ${filter}.\nCandidates: ${idsText(packageIds)})`,
  );
  return ledgerError(
    "NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE",
    `No vetted package for rendering the interface view for package-name '${packageName}'. Reason: No synchronizer satisfies the vetting requirements. Discarded synchronizers: List(${discarded.join(", ")})`,
  );
}
