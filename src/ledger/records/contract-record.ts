/** The two records of a contract: the small one that archiving rewrites, and the instance that never changes. */
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import {
  offsetMax,
  placeBytes,
  placeText,
  RecordReader,
  u32Max,
  unseal,
  type EventPlace,
  type RecordWriter,
  type Tables,
} from "../../store/index.js";
import type { RunKind } from "../runs/index.js";

const version = 1;
/** Of the small record: of a contract that was made on the first synchronizer and never moved, and of others. */
const stateVersion = 1,
  versionWithSynchronizer = 2;

export interface ContractState {
  /** Undefined where it was not seen: an assignment brought the contract here. */
  readonly created: EventPlace | undefined;
  /**
   * Of the event that made it active last, its create or an assignment. The instance lies there, and the index of active contracts leads
   * there.
   */
  readonly activated: EventPlace;
  /** Undefined while it is not. */
  readonly archived: EventPlace | undefined;
  /** Hex, "" without key. */
  readonly keyHash: string;
  /** Number of the one where it is, or was before it left. */
  readonly synchronizer: number;
  readonly reassignmentCounter: number;
  /** Where it was unassigned; undefined once it is assigned again. */
  readonly unassigned: EventPlace | undefined;
}

/** Active somewhere, and on its way nowhere. */
export const isActive = ({ archived, unassigned }: ContractState): boolean => archived === undefined && unassigned === undefined;

export function decodeContractState(record: Buffer, contractId: string): ContractState {
  return readContractState(new RecordReader(unseal(record, versionWithSynchronizer, "contracts", { contractId })), record[0]!);
}

/** By which its fields are to be read. */
export const versionOf = ({ synchronizer, unassigned, created, activated }: ContractState): number =>
  synchronizer === 0
  && unassigned === undefined
  && created !== undefined
  && created.offset === activated.offset
  && created.nodeId === activated.nodeId
    ? stateVersion
    : versionWithSynchronizer;

export function writeContractState(writer: RecordWriter, state: ContractState, version: number): void {
  const { created, activated, archived, keyHash, synchronizer, reassignmentCounter, unassigned } = state;
  writePlace(writer, created);
  writePlace(writer, archived).text(keyHash);
  if (version === stateVersion) return;
  writePlace(writer.u32(synchronizer).u32(reassignmentCounter), activated);
  writePlace(writer, unassigned);
}

function readContractState(reader: RecordReader, version: number): ContractState {
  const created = readPlace(reader),
    archived = readPlace(reader),
    keyHash = reader.text();
  if (version === stateVersion) {
    assert(created, "a contract that never moved was created here");
    return { created, activated: created, archived, keyHash, synchronizer: 0, reassignmentCounter: 0, unassigned: undefined };
  }
  const synchronizer = reader.u32(),
    reassignmentCounter = reader.u32(),
    activated = readPlace(reader);
  assert(activated, "a contract was activated");
  return { created, archived, keyHash, synchronizer, reassignmentCounter, activated, unassigned: readPlace(reader) };
}

/** When it ended, here; undefined: not yet. */
export const endOfState = ({ archived, unassigned }: Pick<ContractState, "archived" | "unassigned">): number | undefined =>
  archived?.offset ?? unassigned?.offset;

/** As runs have it: behind the number by which its fields are to be read. */
export const packedState: RunKind<ContractState> = {
  hashAt: 1, // behind the byte that tells of which kind an id is
  isMostlyFound: true,
  write(writer, state) {
    const fields = versionOf(state);
    writeContractState(writer.u8(fields), state, fields);
  },
  read: (reader) => readContractState(reader, reader.u8()),
};

/** How many bytes a state takes that begins there, as runs have it. */
export function packedStateBytes(record: Buffer, at: number): number {
  const keyHashAt = at + 1 + 2 * placeBytes,
    end = keyHashAt + 4 + record.readUInt32LE(keyHashAt);
  return end - at + (record[at] === stateVersion ? 0 : 2 * 4 + 2 * placeBytes);
}

const writePlace = (writer: RecordWriter, place: EventPlace | undefined): RecordWriter =>
  writer.offset(place?.offset ?? 0).u32(place?.nodeId ?? 0);
function readPlace(reader: RecordReader): EventPlace | undefined {
  const place = { offset: reader.offset(), nodeId: reader.u32() };
  return place.offset === 0 ? undefined : place;
}

export interface StoredInstance {
  readonly contractId: string;
  readonly template: number;
  readonly stakeholders: readonly number[];
  /** Hex, "" without key. */
  readonly keyHash: string;
  /** FatContractInstance, the bytes of `createdEventBlob`. A view: copy it when it has to outlive the record. */
  readonly instance: Buffer;
}

export function encodeInstance(writer: RecordWriter, stored: Omit<StoredInstance, "instance"> & { readonly instance: Uint8Array }): Buffer {
  assert(stored.stakeholders.length > 0, "a contract has stakeholders");
  writer.reset().text(stored.contractId).text(stored.keyHash).u32(stored.template).u32(stored.stakeholders.length);
  for (const party of stored.stakeholders) writer.u32(party);
  return writer.bytes(stored.instance).finish(version);
}

export function decodeInstance(record: Buffer, place: EventPlace): StoredInstance {
  const reader = new RecordReader(unseal(record, version, "instances", place));
  const contractId = reader.text(),
    keyHash = reader.text(),
    template = reader.u32();
  const stakeholders = Array.from({ length: reader.u32() }, () => reader.u32());
  assert(stakeholders.length > 0, "a contract has stakeholders");
  return { contractId, keyHash, template, stakeholders, instance: reader.bytes() };
}

/** Of a create at which a reader is; below what is pruned it may have gone meanwhile. */
export function readInstance(
  { tables, pruning }: { readonly tables: Pick<Tables, "instances">; readonly pruning: { readonly offset: number } },
  place: EventPlace,
): StoredInstance {
  const record = tables.instances.read(place);
  if (!record && place.offset > pruning.offset)
    throw damaged(placeText("instances", place), "there is a create, but no instance of its contract");
  assert(record, "a reader is not overtaken by pruning while it writes an event");
  return decodeInstance(record, place);
}

/** An active contract under its key. */
export interface KeyedContract {
  readonly contractId: string;
  readonly stakeholders: readonly number[];
}

export interface PlacedContract extends KeyedContract {
  readonly createdOffset: number;
}

export function encodeKeyed(writer: RecordWriter, keyed: KeyedContract): Buffer {
  writer.reset().text(keyed.contractId).u32(keyed.stakeholders.length);
  for (const party of keyed.stakeholders) writer.u32(party);
  return writer.finish(version);
}

export function decodeKeyed(record: Buffer): KeyedContract {
  const reader = new RecordReader(unseal(record, version, "activeKeys"));
  return { contractId: reader.text(), stakeholders: Array.from({ length: reader.u32() }, () => reader.u32()) };
}

/**
 * Active contracts with a key, newest first; read as far as they are asked for. Most ask for one. They are read in pieces, each longer than
 * the one before it, so that whoever stops leaves no range of LMDB open: it would hold its snapshot, and its place among the readers, for
 * good.
 */
export function* readKeyed(tables: Pick<Tables, "activeKeys">, keyHash: string): Generator<PlacedContract> {
  const end = { keyHash, offset: 0, nodeId: 0 };
  let start = { keyHash, offset: offsetMax, nodeId: u32Max };
  for (let limit = 1; ; limit = Math.min(2 * limit, limits.keyedPieceMax)) {
    const piece = [...tables.activeKeys.entries({ start, end, limit, reverse: true })];
    for (const { key, value } of piece) yield { ...decodeKeyed(value), createdOffset: key.offset };
    const last = piece.at(-1);
    if (last === undefined || piece.length < limit) return;
    start = { keyHash, ...placeBefore(last.key) };
  }
}

const placeBefore = ({ offset, nodeId }: EventPlace): EventPlace =>
  nodeId > 0 ? { offset, nodeId: nodeId - 1 } : { offset: offset - 1, nodeId: u32Max };
