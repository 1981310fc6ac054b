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
export { readApiIdentifier } from "./read-api-identifier.js";
export { ApiValueReader, type ApiValueRules } from "./read-api-value.js";
export { readContractId, readValue } from "./read-value.js";
export { decodeValue, encodeValue, readChecked, type WireError } from "./wire.js";
export { scalarSum, writeScalar } from "./write-scalar.js";
export { apiSum, message, writeApiIdentifier, writeApiValue, writeTypeId } from "./write-api-value.js";
export { writeValue, writeValueField } from "./write-value.js";
