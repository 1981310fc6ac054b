/** Protobuf of values, and what reads and writes it. */
export { absent, givenTwice, ProtoReader, tagOf, unknownField, WireFailure } from "./proto-reader.js";
export { ProtoWriter, WireType } from "./proto-writer.js";
export { readContractId, readValue } from "./read-value.js";
export { decodeValue, encodeValue, readChecked, type WireError } from "./wire.js";
export { scalarSum, writeScalar } from "./write-scalar.js";
export { writeValue } from "./write-value.js";
