/** The first index from which on it is so; `length` where it never is. Once it is so it stays so. */
export function firstIndex(length: number, isSo: (index: number) => boolean): number {
  let low = 0,
    high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
