import { bool, bytes, int32, int64, nested, oneOf, protoFile, repeated, string } from "./fields.js";
import { OffsetCheckpoint } from "./offset-checkpoint.js";
import { Reassignment } from "./reassignment.js";
import { TopologyTransaction } from "./topology-transaction.js";
import { UpdateFormat } from "./transaction-filter.js";
import { Transaction } from "./transaction.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "update_service.proto", ["UpdateService"]);
export const updateServiceFile = file;

message("GetUpdatesRequest", {
  begin_exclusive: int64(1),
  end_inclusive: int64(2, { isOptional: true }),
  update_format: nested(5, () => UpdateFormat),
  descending_order: bool(6),
});

message("GetUpdatesResponse", {
  update: oneOf(
    {
      transaction: nested(1, () => Transaction),
      reassignment: nested(2, () => Reassignment),
      offset_checkpoint: nested(3, () => OffsetCheckpoint),
      topology_transaction: nested(4, () => TopologyTransaction),
    },
    { json: "update", isWrapped: true },
  ),
});

message("GetUpdateByOffsetRequest", { offset: int64(1), update_format: nested(2, () => UpdateFormat) });

message("GetUpdateByIdRequest", { update_id: string(1), update_format: nested(2, () => UpdateFormat) });

const GetUpdateResponse = message("GetUpdateResponse", {
  update: oneOf(
    {
      transaction: nested(1, () => Transaction),
      reassignment: nested(2, () => Reassignment),
      topology_transaction: nested(3, () => TopologyTransaction),
    },
    { json: "update", isWrapped: true },
  ),
});

message("GetUpdatesPageRequest", {
  begin_offset_exclusive: int64(1, { isOptional: true }),
  end_offset_inclusive: int64(2, { isOptional: true }),
  max_page_size: int32(3, { isOptional: true }),
  update_format: nested(4, () => UpdateFormat),
  descending_order: bool(5),
  page_token: bytes(6, { isOptional: true }),
});

message("GetUpdatesPageResponse", {
  updates: repeated(nested(1, () => GetUpdateResponse)),
  lowest_page_offset_exclusive: int64(2),
  highest_page_offset_inclusive: int64(3),
  next_page_token: bytes(4, { isOptional: true }),
});
