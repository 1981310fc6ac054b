/** Holdings of Amulet as they were printed: of each offset those that were created at it, each behind its node and its holder. */
import { assert } from "../../base/assert.js";
import type { GrowingBytes } from "../../base/growing-bytes.js";
import type { TextPlace } from "./segment.js";

export interface PrintedHolding {
  readonly nodeId: number;
  readonly holder: string;
  /** `{"created_in_update_id":"..",..}` */
  readonly json: string;
}

/** u32 node id, u16 bytes of the holder, u32 bytes of the contract, the lower byte first; then both in UTF-8. */
const holderBytesAt = 4,
  jsonBytesAt = 6,
  headBytes = 10;

export function writeHolding(out: GrowingBytes, { nodeId, holder, json }: PrintedHolding): void {
  const head = Buffer.alloc(headBytes),
    text = Buffer.from(json);
  head.writeUInt32LE(nodeId, 0);
  head.writeUInt16LE(Buffer.byteLength(holder), holderBytesAt);
  head.writeUInt32LE(text.length, jsonBytesAt);
  out.bytes(head);
  out.text(holder);
  out.bytes(text);
}

/** The place of its contract; its holder's name lies in front of that, from `holderFrom` on. */
export interface HoldingPlace extends TextPlace {
  readonly holderFrom: number;
}

/** Undefined: there is none of this node. */
export function findHolding({ bytes, from: begin, to: end }: TextPlace, nodeId: number): HoldingPlace | undefined {
  for (let at = begin; at < end;) {
    const holderFrom = at + headBytes,
      from = holderFrom + bytes.readUInt16LE(at + holderBytesAt),
      to = from + bytes.readUInt32LE(at + jsonBytesAt);
    if (bytes.readUInt32LE(at) === nodeId) return { bytes, holderFrom, from, to };
    at = to;
  }
  return undefined;
}

const comparedMax = 8;

/** Whose holdings a page is for: mostly one or a few, whose names are compared as they lie there. */
export class Holders {
  readonly #names: ReadonlySet<string>;
  readonly #compared: readonly Buffer[];

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
    this.#compared = names.size <= comparedMax ? [...names].map((name) => Buffer.from(name)) : [];
  }

  has({ bytes, holderFrom, from }: HoldingPlace): boolean {
    if (this.#compared.length === 0) return this.#names.has(bytes.toString("utf8", holderFrom, from));
    for (const name of this.#compared) if (liesThere(name, bytes, holderFrom, from)) return true;
    return false;
  }
}

const liesThere = (name: Buffer, bytes: Buffer, from: number, to: number): boolean =>
  name.length === to - from && bytes.compare(name, 0, name.length, from, to) === 0;

const updateIdFrom = `{"created_in_update_id":"`.length,
  updateIdChars = 68,
  eventHead = Buffer.from(`{"event_type":"created_event","event_id":"#`);

/** The same as of the event that created it, by the id that events had in earlier releases. */
export function writeAsEvent(out: GrowingBytes, nodeId: number, { bytes, from, to }: HoldingPlace): void {
  const idEnd = from + updateIdFrom + updateIdChars;
  assert(to > idEnd, "a contract is told with the update that created it");
  out.bytes(eventHead);
  out.run(bytes, from + updateIdFrom, idEnd);
  out.latin1(`:${nodeId}`);
  out.run(bytes, idEnd, to);
}
