/** The order of package versions: segment by segment as numbers; a version that continues another is higher. */
export function comparePackageVersions(left: string, right: string): number {
  const [a, b] = [left.split("."), right.split(".")];
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = Number(a[i]) - Number(b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
