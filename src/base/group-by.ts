/** Elements by what they have in common, in their order; the first of each group decides where the group comes. */
export function groupBy<K, T>(elements: Iterable<T>, keyOf: (element: T) => K): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const element of elements) {
    const key = keyOf(element),
      group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
