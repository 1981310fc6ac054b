/** Sets of parties as transactions carry them: sorted arrays without repetition. Party names are ASCII, so `<` orders them. */
import { assert } from "../../base/assert.js";
import type { Party } from "../transaction/index.js";
import { Cons, type List } from "../value/index.js";

export type PartySet = readonly Party[];
export const noParties: PartySet = [];

export function partySet(parties: readonly Party[]): PartySet {
  return parties.length < 2 ? parties : [...new Set(parties)].sort();
}

/** The parties of a run-time list, as signatories, observers, controllers and maintainers evaluate to. */
export function partiesOfList(list: List): PartySet {
  if (!(list instanceof Cons)) return noParties;
  const parties: Party[] = [partyAt(list)]; // mostly the only one: no room is made for more
  for (let cell = list.tail; cell instanceof Cons; cell = cell.tail) parties.push(partyAt(cell));
  return partySet(parties);
}

function partyAt({ head }: Cons): Party {
  assert(typeof head === "string", "a list of parties holds parties");
  return head;
}

export function union(left: PartySet, right: PartySet): PartySet {
  if (isSubset(right, left)) return left;
  if (left.length === 0) return right;
  return partySet([...left, ...right]);
}

/** The left set itself where nothing is missing. */
export const intersection = (left: PartySet, right: PartySet): PartySet =>
  isSubset(left, right) ? left : left.filter((party) => right.includes(party));
export const difference = (left: PartySet, right: PartySet): PartySet => left.filter((party) => !right.includes(party));
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
export const sameParties = (left: PartySet, right: PartySet): boolean =>
  left.length === right.length && left.every((party, i) => party === right[i]);
