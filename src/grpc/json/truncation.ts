/** Makes details of errors fit where they must, as the reference does (`SerializableErrorCodeComponents`). */
export type Entry = readonly [name: string, value: string];

/** Of a tag and a length; mostly less. */
export const overheadBytes = 5;

export const typeUrl = (type: string): string => `type.googleapis.com/google.rpc.${type}`;
/** Of an `Any` without a value. */
export const anyOverheadBytes = (type: string): number => 2 + typeUrl(type).length;

const ellipsis = "...";
/** A shorter entry tells nothing. */
const entryCharsMin = 8;

/** Entries and resources share the room by their numbers. */
export function truncated(
  entries: readonly Entry[],
  resources: readonly Entry[],
  bytesMax: number,
): { readonly entries: readonly Entry[]; readonly resources: readonly Entry[] } {
  const count = entries.length + resources.length;
  if (count === 0) return { entries, resources };
  const free = bytesMax - 2 * overheadBytes * count,
    forResources = Math.floor((resources.length * free) / count);
  return { entries: shortenedEntries(entries, free - forResources), resources: firstResources(resources, forResources) };
}

/** The shortest first, so that what they leave goes to the long ones. */
function shortenedEntries(entries: readonly Entry[], bytesMax: number): readonly Entry[] {
  const sorted = entries.filter(([name, value]) => name !== "" && value !== "").sort((one, other) => charsOf(one) - charsOf(other));
  let free = bytesMax;
  return sorted.flatMap((entry, index) => {
    const share = Math.floor(free / (sorted.length - index)),
      fitting = fittingEntry(entry, share);
    if (fitting === undefined || bytesOf(fitting) > share) return [];
    free -= bytesOf(fitting);
    return [fitting];
  });
}

function fittingEntry(entry: Entry, charsMax: number): Entry | undefined {
  if (charsOf(entry) <= charsMax) return entry;
  if (charsMax < entryCharsMin) return undefined;
  const name = within(entry[0], Math.floor(charsMax / 2));
  return [name, within(entry[1], charsMax - name.length)];
}

/** Those for which there is room, whole. */
function firstResources(resources: readonly Entry[], bytesMax: number): readonly Entry[] {
  let free = bytesMax;
  return resources.filter((resource) => {
    const left = free - bytesOf(resource) - anyOverheadBytes("ResourceInfo");
    if (left >= 0) free = left;
    return left >= 0;
  });
}

const charsOf = ([name, value]: Entry): number => name.length + value.length;
const bytesOf = ([name, value]: Entry): number => Buffer.byteLength(name) + Buffer.byteLength(value);

/** At most so long with the dots. */
const within = (text: string, charsMax: number): string => (text.length <= charsMax ? text : shortened(text, charsMax - ellipsis.length));

/** So much of a text, and dots where there is more. A character of two code units is not cut in half. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const isPair = (text.codePointAt(charsMax - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? charsMax - 1 : charsMax) + ellipsis;
}
