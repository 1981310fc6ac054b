/** Ordered binary keys. A key is a small tuple; its parts are written big-endian so that LMDB's byte order is the tuple's order. */
import type { Buffer } from "node:buffer";

/** What lmdb calls for every key: no Buffer is made for writing one. */
export interface KeyEncoder<K> {
  writeKey(key: K, target: Buffer, start: number): number;
  readKey(source: Buffer, start: number, end: number): K;
}

/** More than LMDB takes for a key with our pages. */
export const keyBytesMax = 8 * 1024;

export const offsetMax = 2 ** 48 - 1;
export const u32Max = 2 ** 32 - 1;

const writeU32 = (value: number, target: Buffer, at: number): number => {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
  return at + 4;
};
const readU32 = (source: Buffer, at: number): number =>
  ((source[at]! << 24) | (source[at + 1]! << 16) | (source[at + 2]! << 8) | source[at + 3]!) >>> 0;
const writeOffset = (value: number, target: Buffer, at: number): number => {
  const high = Math.floor(value / 2 ** 32);
  target[at] = high >>> 8;
  target[at + 1] = high;
  return writeU32(value >>> 0, target, at + 2);
};
const readOffset = (source: Buffer, at: number): number => ((source[at]! << 8) | source[at + 1]!) * 2 ** 32 + readU32(source, at + 2);

export const offsetKey: KeyEncoder<number> = {
  writeKey: writeOffset,
  readKey: (source, start) => readOffset(source, start),
};

export const numberKey: KeyEncoder<number> = {
  writeKey: writeU32,
  readKey: (source, start) => readU32(source, start),
};

export const textKey: KeyEncoder<string> = {
  writeKey: (key, target, start) => start + target.write(key, start, "utf8"),
  readKey: (source, start, end) => source.toString("utf8", start, end),
};

/** Keys that are hashes or ids: hex text outside, bytes inside. */
export const hexKey: KeyEncoder<string> = {
  writeKey: (key, target, start) => start + target.write(key, start, "hex"),
  readKey: (source, start, end) => source.toString("hex", start, end),
};

const toldBytes = 6;
/**
 * Ids whose last bytes tell an offset: these come first, so that what is told of later lies behind, and commits write to few pages.
 * Outside the text of the id.
 */
export const toldKey: KeyEncoder<string> = {
  writeKey(key, target, start) {
    const split = key.length - 2 * toldBytes;
    const rest = start + target.write(key.slice(split), start, "hex");
    return rest + target.write(key.slice(0, split), rest, "hex");
  },
  readKey: (source, start, end) => source.toString("hex", start + toldBytes, end) + source.toString("hex", start, start + toldBytes),
};

/** The place of a create: offset of its update and node id in it. */
export interface EventPlace {
  readonly offset: number;
  readonly nodeId: number;
}
export const offsetBytes = 6,
  placeBytes = offsetBytes + 4;

export const placeKey: KeyEncoder<EventPlace> = {
  writeKey: (key, target, start) => writeU32(key.nodeId, target, writeOffset(key.offset, target, start)),
  readKey: (source, start) => ({ offset: readOffset(source, start), nodeId: readU32(source, start + 6) }),
};

export interface UpdateIndexKey {
  readonly party: number;
  readonly template: number;
  readonly offset: number;
}

export const updateIndexKey: KeyEncoder<UpdateIndexKey> = {
  writeKey: (key, target, start) => writeOffset(key.offset, target, writeU32(key.template, target, writeU32(key.party, target, start))),
  readKey: (source, start) => ({
    party: readU32(source, start),
    template: readU32(source, start + 4),
    offset: readOffset(source, start + 8),
  }),
};

export interface ActiveKey extends UpdateIndexKey {
  readonly nodeId: number;
}

export const activeKey: KeyEncoder<ActiveKey> = {
  writeKey: (key, target, start) => writeU32(key.nodeId, target, updateIndexKey.writeKey(key, target, start)),
  readKey: (source, start) => ({
    party: readU32(source, start),
    template: readU32(source, start + 4),
    offset: readOffset(source, start + 8),
    nodeId: readU32(source, start + 14),
  }),
};

export interface ArchivedKey extends ActiveKey {
  readonly archivedOffset: number;
}

/** In the order of creation; when the contract was archived comes last. */
export const archivedKey: KeyEncoder<ArchivedKey> = {
  writeKey: (key, target, start) => writeOffset(key.archivedOffset, target, activeKey.writeKey(key, target, start)),
  readKey: (source, start, end) => ({ ...activeKey.readKey(source, start, end), archivedOffset: readOffset(source, start + 18) }),
};

export interface ArchiveMarkKey {
  readonly party: number;
  readonly template: number;
  readonly level: number;
  readonly block: number;
}

export const archiveMarkKey: KeyEncoder<ArchiveMarkKey> = {
  writeKey: (key, target, start) => {
    const levelAt = writeU32(key.template, target, writeU32(key.party, target, start));
    target[levelAt] = key.level;
    return writeOffset(key.block, target, levelAt + 1);
  },
  readKey: (source, start) => ({
    party: readU32(source, start),
    template: readU32(source, start + 4),
    level: source[start + 8]!,
    block: readOffset(source, start + 9),
  }),
};

export interface PartyOffsetKey {
  readonly party: number;
  readonly offset: number;
}

export const partyOffsetKey: KeyEncoder<PartyOffsetKey> = {
  writeKey: (key, target, start) => writeOffset(key.offset, target, writeU32(key.party, target, start)),
  readKey: (source, start) => ({ party: readU32(source, start), offset: readOffset(source, start + 4) }),
};

/** Of a run: `part` is the number of a bucket, or behind all of them, from `filtersFrom` on, that of a filter. */
export interface RunKey {
  readonly run: number;
  readonly part: number;
}
export const filtersFrom = 2 ** 31;

export const runKey: KeyEncoder<RunKey> = {
  writeKey: (key, target, start) => writeU32(key.part, target, writeU32(key.run, target, start)),
  readKey: (source, start) => ({ run: readU32(source, start), part: readU32(source, start + 4) }),
};

const keyHashBytes = 32;
export interface ContractKeyKey extends EventPlace {
  readonly keyHash: string;
}

export const contractKeyKey: KeyEncoder<ContractKeyKey> = {
  writeKey: (key, target, start) => {
    target.write(key.keyHash, start, keyHashBytes, "hex");
    return placeKey.writeKey(key, target, start + keyHashBytes);
  },
  readKey: (source, start, end) => ({
    keyHash: source.toString("hex", start, start + keyHashBytes),
    ...placeKey.readKey(source, start + keyHashBytes, end),
  }),
};
