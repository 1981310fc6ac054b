import { int64, nested, protoFile, repeated, string, timestamp } from "./fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "offset_checkpoint.proto");
export const offsetCheckpointFile = file;

export const OffsetCheckpoint = message("OffsetCheckpoint", {
  offset: int64(1),
  synchronizer_times: repeated(nested(2, () => SynchronizerTime)),
});

export const SynchronizerTime = message("SynchronizerTime", { synchronizer_id: string(1), record_time: timestamp(2) });
