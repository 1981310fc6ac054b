/** LMDB: the tables of the ledger's file. Keys, ranges and records; no meaning. */
export { asNeedsRoom, completeCopy, openStore, StoreDamaged, StoreNeedsRoom, type StoreOptions } from "./open-store.js";
export { type PinnedTables, type Store, StoreNotCopied } from "./store.js";
export { StoreNeedsAddresses } from "./address-space.js";
export { checkFile, dataFile, holdsAny, lockFile, type FileCheckOptions, type FileDamage } from "./file-check.js";
export { indexTables, type IndexTable, storageTable, type TableKey, type Tables } from "./tables.js";
export { formatNumber, StoreFormatError } from "./format.js";
export { openingLockFile } from "./opening-lock.js";
export { reserveFile } from "./room.js";
export { CorruptRecord, isSealed, placeText, RecordReader, RecordWriter, seal, sealBytes, unseal, utf8BytesPerUnitMax } from "./records.js";
export { Batch } from "./batch.js";
export { journalFile } from "./journal.js";
export type { WhoWaits, WrittenAhead } from "./write.js";
export { Table, type Range } from "./table.js";
export {
  offsetBytes,
  offsetKey,
  offsetMax,
  placeBytes,
  placeKey,
  u32Max,
  type ActiveKey,
  type ArchivedKey,
  type ArchiveMarkKey,
  type EventPlace,
  filtersFrom,
  type KeyEncoder,
  type PartyOffsetKey,
  type RunKey,
  type UpdateIndexKey,
} from "./keys.js";
export { Stretch } from "./stretch.js";
export { SnapshotReader } from "./snapshot-reader.js";
