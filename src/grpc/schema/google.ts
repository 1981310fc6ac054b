/** What the Ledger API uses of Google's own messages. */
import { bytes, int32, int64, nested, protoFile, repeated, string } from "./fields.js";

const anyProto = protoFile("google.protobuf", "any.proto"),
  durationProto = protoFile("google.protobuf", "duration.proto"),
  emptyProto = protoFile("google.protobuf", "empty.proto"),
  fieldMaskProto = protoFile("google.protobuf", "field_mask.proto"),
  timestampProto = protoFile("google.protobuf", "timestamp.proto"),
  statusProto = protoFile("google.rpc", "status.proto");
export const googleFiles = [anyProto.file, durationProto.file, emptyProto.file, fieldMaskProto.file, timestampProto.file, statusProto.file];

const Any = anyProto.message("Any", { type_url: string(1), value: bytes(2) });

export const Duration = durationProto.message("Duration", { seconds: int64(1), nanos: int32(2) });

export const Empty = emptyProto.message("Empty", {});

export const FieldMask = fieldMaskProto.message("FieldMask", { paths: repeated(string(1)) });

// a field of this type is declared as `timestamp`
timestampProto.message("Timestamp", { seconds: int64(1), nanos: int32(2) });

export const Status = statusProto.message("Status", { code: int32(1), message: string(2), details: repeated(nested(3, () => Any)) });
