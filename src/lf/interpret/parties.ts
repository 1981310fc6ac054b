/** Sets of parties as a run makes them of lists. */
import { assert } from "../../base/assert.js";
import { isSubset, type Party, type PartySet } from "../transaction/index.js";
import { Cons, type List } from "../value/index.js";

export { isSubset, type PartySet, union } from "../transaction/index.js";
const noParties: PartySet = [];

export function partySet(parties: readonly Party[]): PartySet {
  if (isSet(parties)) return parties;
  return parties.length > fewPartiesMax ? [...new Set(parties)].sort() : setOfFew(parties);
}

function isSet(parties: readonly Party[]): boolean {
  for (let i = 1; i < parties.length; i++) if (!(parties[i - 1]! < parties[i]!)) return false;
  return true;
}

/** So few are put into their places one by one: a sort would cost ten times as much. */
const fewPartiesMax = 8;

function setOfFew(parties: readonly Party[]): PartySet {
  const set: Party[] = [];
  for (const party of parties) {
    let at = set.length;
    while (at > 0 && set[at - 1]! > party) at--;
    if (at === 0 || set[at - 1] !== party) set.splice(at, 0, party);
  }
  return set;
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

/** The left set itself where nothing is missing. */
export const intersection = (left: PartySet, right: PartySet): PartySet =>
  isSubset(left, right) ? left : left.filter((party) => right.includes(party));
export const difference = (left: PartySet, right: PartySet): PartySet => left.filter((party) => !right.includes(party));
export function sameParties(left: PartySet, right: PartySet): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
