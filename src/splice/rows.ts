/** Numbers of contracts and events for pages that go on behind one: rising with the ledger, with gaps. */
import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import type { Place } from "./contracts.js";

/** A power of two, so that places can be told apart; JavaScript's clients read such numbers exactly up to 2^36 offsets. */
const nodesPerOffset = 2 ** 17;
assert(limits.transactionNodesMax < nodesPerOffset, "a row number holds every node of a transaction");

export const rowOf = ({ offset, nodeId }: Place): number => offset * nodesPerOffset + nodeId;
export const placeOf = (row: number): Place => ({ offset: Math.floor(row / nodesPerOffset), nodeId: row % nodesPerOffset });
export const firstRow = nodesPerOffset;
/** The last that a contract can have that was there at an offset. */
export const lastRow = (offset: number): number => rowOf({ offset, nodeId: nodesPerOffset - 1 });
