/** LMDB: the tables of the ledger's file. Keys, ranges and records; no meaning. */
export { Store, StoreFormatError, type PinnedTables, type StoreOptions, type Tables } from "./environment.js";
export { formatNumber } from "./layout.js";
export { CorruptRecord, RecordReader, RecordWriter, seal, sealBytes, unseal } from "./records.js";
export { Batch, Table, type Range } from "./table.js";
export { offsetBytes, offsetKey, offsetMax, placeBytes, placeKey, u32Max, type ActiveKey, type ArchivedKey, type ArchiveMarkKey, type EventPlace, type KeyEncoder, type UpdateIndexKey } from "./keys.js";
export { SnapshotReader } from "./snapshot-reader.js";
