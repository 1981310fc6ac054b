/** Protobuf of values, and what reads and writes it. */
export {
  absent,
  checkedText,
  delimited,
  givenTwice,
  ProtoReader,
  readNestedMessage,
  tagOf,
  unknownField,
  varint,
  WireFailure,
} from "./proto-reader.js";
export { ProtoWriter, WireType, writeText } from "./proto-writer.js";
export { readContractId, readValue } from "./read-value.js";
export { decodeValue, encodeValue, readChecked, type WireError } from "./wire.js";
export { scalarSum, writeScalar } from "./write-scalar.js";
export { writeValue, writeValueField } from "./write-value.js";
