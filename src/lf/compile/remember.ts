/** What was made is kept, by key. */
export const remember = <K, T>(known: Map<K, T>, key: K, make: () => T): T => {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const made = make();
  known.set(key, made);
  return made;
};

/** The same of names that clients choose: only what is there is kept, as there is no end of those that name nothing. */
export const rememberFound = <K, T>(known: Map<K, T>, key: K, find: () => T | undefined): T | undefined => {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const found = find();
  if (found !== undefined) known.set(key, found);
  return found;
};
