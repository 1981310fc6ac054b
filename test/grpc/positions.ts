import { encodeMessage } from "../../src/grpc/codec/index.js";
import type { Json } from "../../src/grpc/method.js";
import type { MessageType, ValuePosition } from "../../src/grpc/schema/fields.js";

/** Where the values of a message stand, from the last to the first. */
export function positionsIn(type: MessageType, json: Json): readonly ValuePosition[] {
  const positions: ValuePosition[] = [],
    note = (_out: unknown, position: ValuePosition): void => void positions.push(position);
  encodeMessage(type, json, { writeValue: note, writeRecord: note });
  return positions;
}
