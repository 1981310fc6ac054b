/** The order of packages of one name: by version, and where that is the same by package id, so that everybody finds the same newest. */
export function comparePackages(left: VersionedPackage, right: VersionedPackage): number {
  return (
    comparePackageVersions(left.version, right.version)
    || (left.packageId < right.packageId ? -1 : left.packageId > right.packageId ? 1 : 0)
  );
}

export interface VersionedPackage {
  readonly version: string;
  readonly packageId: string;
}

/** Segment by segment as numbers; a version that continues another is higher. */
export function comparePackageVersions(left: string, right: string): number {
  const [a, b] = [left.split("."), right.split(".")];
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = Number(a[i]) - Number(b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
