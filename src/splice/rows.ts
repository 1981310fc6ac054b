/** Numbers of contracts and events for pages that go on behind one: rising with the ledger, with gaps. */
import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import { inFlightBit, isInFlight } from "../ledger/index.js";
import type { Place } from "./contracts.js";

/** A power of two, so that places can be told apart; JavaScript's clients read such numbers exactly up to 2^35 offsets. */
const nodesPerOffset = 2 ** 17;
assert(limits.transactionNodesMax < nodesPerOffset, "a row number holds every node of a transaction");

/** Contracts on their way between synchronizers are listed behind all others. */
const firstInFlight = 2 ** 52;

export const rowOf = (place: Place): number =>
  isInFlight(place)
    ? firstInFlight + rowOf({ offset: place.offset, nodeId: place.nodeId - inFlightBit })
    : place.offset * nodesPerOffset + place.nodeId;
export function placeOf(row: number): Place {
  const at = row % firstInFlight;
  return { offset: Math.floor(at / nodesPerOffset), nodeId: (at % nodesPerOffset) + (at === row ? 0 : inFlightBit) };
}
export const firstRow = nodesPerOffset;
/** The last that a contract can have that was there at an offset. */
export const lastRow = (offset: number): number => rowOf({ offset, nodeId: nodesPerOffset - 1 });
export const isRowAt = (row: number, offset: number): boolean => row % firstInFlight >= firstRow && row % firstInFlight <= lastRow(offset);
