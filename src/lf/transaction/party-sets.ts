/** Sets of parties as transactions carry them: sorted arrays without repetition. Party names are ASCII, so `<` orders them. */
import type { Party } from "./node.js";

export type PartySet = readonly Party[];

export function isSubset(part: PartySet, whole: PartySet): boolean {
  if (part === whole) return true;
  for (let i = 0; i < part.length; i++) if (!isMember(part[i]!, whole)) return false;
  return true;
}

/** Sets are small: a call of `includes` would cost more. */
function isMember(party: Party, parties: PartySet): boolean {
  for (let i = 0; i < parties.length; i++) if (parties[i] === party) return true;
  return false;
}

/** One of the two itself where the other adds nothing. */
export function union(left: PartySet, right: PartySet): PartySet {
  if (isSubset(right, left)) return left;
  return left.length === 0 ? right : merged(left, right);
}

function merged(left: PartySet, right: PartySet): PartySet {
  const all: Party[] = [];
  let l = 0,
    r = 0;
  while (l < left.length && r < right.length) {
    const party = left[l]! < right[r]! ? left[l]! : right[r]!;
    if (left[l] === party) l++;
    if (right[r] === party) r++;
    all.push(party);
  }
  while (l < left.length) all.push(left[l++]!);
  while (r < right.length) all.push(right[r++]!);
  return all;
}
