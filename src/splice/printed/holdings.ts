/** Holdings of Amulet as they were printed: of each offset those that were created at it, each behind its node and its owner. */
import { assert } from "../../base/assert.js";
import type { GrowingBytes } from "../../base/growing-bytes.js";

export interface PrintedHolding {
  readonly nodeId: number;
  readonly owner: string;
  /** `{"created_in_update_id":"..",..}` */
  readonly json: string;
}

/** u32 node id, u16 bytes of the owner, u32 bytes of the contract, the lower byte first; then both in UTF-8. */
const ownerBytesAt = 4,
  jsonBytesAt = 6,
  headBytes = 10;

export function encodeHoldings(holdings: readonly PrintedHolding[]): Buffer {
  return Buffer.concat(
    holdings.map(({ nodeId, owner, json }) => {
      const head = Buffer.alloc(headBytes),
        ownerText = Buffer.from(owner),
        text = Buffer.from(json);
      head.writeUInt32LE(nodeId, 0);
      head.writeUInt16LE(ownerText.length, ownerBytesAt);
      head.writeUInt32LE(text.length, jsonBytesAt);
      return Buffer.concat([head, ownerText, text]);
    }),
  );
}

/** Where one is: its contract in `bytes`, from `from` to before `to`. */
export interface HoldingPlace {
  readonly owner: string;
  readonly from: number;
  readonly to: number;
}

/** Undefined: there is none of this node. */
export function findHolding(bytes: Buffer, nodeId: number): HoldingPlace | undefined {
  for (let at = 0; at < bytes.length;) {
    const ownerFrom = at + headBytes,
      from = ownerFrom + bytes.readUInt16LE(at + ownerBytesAt),
      to = from + bytes.readUInt32LE(at + jsonBytesAt);
    if (bytes.readUInt32LE(at) === nodeId) return { owner: bytes.toString("latin1", ownerFrom, from), from, to };
    at = to;
  }
  return undefined;
}

const updateIdFrom = `{"created_in_update_id":"`.length,
  updateIdChars = 68,
  eventHead = Buffer.from(`{"event_type":"created_event","event_id":"`);

/** The same as of the event that created it. */
export function writeAsEvent(out: GrowingBytes, bytes: Buffer, nodeId: number, { from, to }: HoldingPlace): void {
  const idEnd = from + updateIdFrom + updateIdChars;
  assert(to > idEnd, "a contract is told with the update that created it");
  out.bytes(eventHead);
  out.run(bytes, from + updateIdFrom, idEnd);
  out.latin1(`:${nodeId}`);
  out.run(bytes, idEnd, to);
}
