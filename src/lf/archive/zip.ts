/**
 * Reads a zip archive held in memory. The central directory is the only truth: every entry must lie where it says, by
 * itself, with the size and checksum it says. Nothing is written to disk; entry names are keys.
 */
import { createHash } from "node:crypto";
import { crc32, inflateRawSync } from "node:zlib";
import { invalidDar, unreadable, zipBomb } from "./failure.js";
import type { KnownEntries } from "./known-entries.js";

export interface ZipLimits {
  readonly darEntriesMax: number;
  readonly darEntryBytesMax: number;
  readonly darTotalBytesMax: number;
  /** Output bytes per input byte; deflate itself cannot pass 1032. */
  readonly darInflationMax: number;
}

export interface ZipEntry {
  /** By which it is known again: its packed bytes, and all that is checked of what they hold. Undefined where nobody wants to know. */
  readonly key: string | undefined;
  content(): Uint8Array;
}

export type ZipEntries = ReadonlyMap<string, ZipEntry>;

/** The contents of all entries, by their names. */
export const readZip = (bytes: Uint8Array, limits: ZipLimits): ReadonlyMap<string, Uint8Array> =>
  new Map([...openZip(bytes, limits)].map(([name, entry]) => [name, entry.content()]));

interface DirectoryEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly localOffset: number;
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
const sizes = { local: 30, central: 46, end: 22, commentMax: 0xffff };
const methods = { stored: 0, deflated: 8 };
const encryptedFlags = 0x2041; // encrypted, strongly encrypted, masked headers
const zip64Marker = 0xffffffff;
/** Below this an entry may inflate as it likes: small inputs of zeros are common and harmless. */
const inflationFreeBytes = 1024 * 1024;

/** Everything is unpacked and checked, but for what is known to be sound: that is unpacked when it is asked for. */
export function openZip(bytes: Uint8Array, limits: ZipLimits, known?: KnownEntries): ZipEntries {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) throw noDirectory(view);
  const directory = readDirectory(bytes, view, end, limits);
  return openAll(bytes, view, directory, { limits, known, directoryStart: view.getUint32(end + 16, true) });
}

/** A cut-off upload still begins like a zip; anything else has no entries at all. */
function noDirectory(view: DataView) {
  const begins = view.byteLength >= 4 && view.getUint32(0, true) === signatures.local;
  return begins ? unreadable("the zip archive is cut off: it has no directory") : invalidDar("the file is not a zip archive");
}

function findEnd(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - sizes.end - sizes.commentMax);
  for (let offset = view.byteLength - sizes.end; offset >= lowest; offset--)
    if (view.getUint32(offset, true) === signatures.end && offset + sizes.end + view.getUint16(offset + 20, true) === view.byteLength)
      return offset;
  return undefined;
}

function readDirectory(bytes: Uint8Array, view: DataView, end: number, limits: ZipLimits): DirectoryEntry[] {
  const count = view.getUint16(end + 10, true);
  const start = view.getUint32(end + 16, true);
  const oneDisk = view.getUint16(end + 4, true) === 0 && view.getUint16(end + 8, true) === count;
  if (!oneDisk || start + view.getUint32(end + 12, true) !== end)
    throw invalidDar("the directory of the zip archive does not lie where it says");
  if (count > limits.darEntriesMax) throw zipBomb(`the archive has ${count} entries; at most ${limits.darEntriesMax} are read`);
  const entries: DirectoryEntry[] = [];
  let offset = start;
  for (let index = 0; index < count; index++) {
    if (offset + sizes.central > end || view.getUint32(offset, true) !== signatures.central)
      throw invalidDar("the directory of the zip archive is damaged");
    entries.push(readDirectoryEntry(bytes, view, offset, end));
    offset += sizes.central + view.getUint16(offset + 28, true) + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  if (offset !== end) throw invalidDar("the directory of the zip archive has another size than it says");
  return entries;
}

function readDirectoryEntry(bytes: Uint8Array, view: DataView, offset: number, end: number): DirectoryEntry {
  const nameEnd = offset + sizes.central + view.getUint16(offset + 28, true);
  if (nameEnd > end) throw invalidDar("the directory of the zip archive is damaged");
  const entry = {
    name: new TextDecoder("utf-8").decode(bytes.subarray(offset + sizes.central, nameEnd)),
    flags: view.getUint16(offset + 8, true),
    method: view.getUint16(offset + 10, true),
    checksum: view.getUint32(offset + 16, true),
    packedBytes: view.getUint32(offset + 20, true),
    bytes: view.getUint32(offset + 24, true),
    localOffset: view.getUint32(offset + 42, true),
  };
  // A DAR needs no 64-bit sizes: every bound here is below them.
  if ([entry.packedBytes, entry.bytes, entry.localOffset].includes(zip64Marker))
    throw invalidDar(`zip entry ${entry.name} has 64-bit sizes`);
  return entry;
}

interface Opening {
  readonly limits: ZipLimits;
  readonly known: KnownEntries | undefined;
  readonly directoryStart: number;
}

function openAll(bytes: Uint8Array, view: DataView, directory: readonly DirectoryEntry[], opening: Opening): ZipEntries {
  const { limits, known, directoryStart } = opening;
  const entries = new Map<string, ZipEntry>();
  let free = 0;
  let total = 0;
  for (const entry of [...directory].sort((a, b) => a.localOffset - b.localOffset)) {
    checkName(entry.name);
    if (entries.has(entry.name)) throw invalidDar(`there are two zip entries with the name ${entry.name}`);
    if (entry.localOffset < free) throw invalidDar(`zip entry ${entry.name} overlaps with another`);
    const start = dataStart(view, entry);
    free = start + entry.packedBytes;
    if (free > directoryStart) throw invalidDar(`zip entry ${entry.name} reaches into the directory`);
    total += entry.bytes;
    checkSizes(entry, total, limits);
    entries.set(entry.name, openEntry(entry, bytes.subarray(start, free), limits, known));
  }
  return entries;
}

function checkName(name: string): void {
  const segments = name.split("/");
  if (name === "" || name.startsWith("/") || /[\\\0]/.test(name) || segments.includes(".."))
    throw invalidDar(`${JSON.stringify(name)} is not a name for a zip entry`);
}

function checkSizes(entry: DirectoryEntry, total: number, limits: ZipLimits): void {
  if (entry.bytes > limits.darEntryBytesMax)
    throw zipBomb(`zip entry ${entry.name} has ${entry.bytes} bytes; at most ${limits.darEntryBytesMax} are read`);
  if (total > limits.darTotalBytesMax) throw zipBomb(`the entries of the archive have more than ${limits.darTotalBytesMax} bytes together`);
  if (entry.bytes > inflatedMax(entry, limits)) throw zipBomb(`zip entry ${entry.name} inflates more than ${limits.darInflationMax} times`);
}

const inflatedMax = ({ packedBytes }: DirectoryEntry, { darInflationMax }: ZipLimits): number =>
  Math.max(inflationFreeBytes, packedBytes * darInflationMax);

function dataStart(view: DataView, entry: DirectoryEntry): number {
  const offset = entry.localOffset;
  if (offset + sizes.local > view.byteLength || view.getUint32(offset, true) !== signatures.local)
    throw invalidDar(`zip entry ${entry.name} does not lie where the directory says`);
  if ((entry.flags & encryptedFlags) !== 0) throw unreadable(`zip entry ${entry.name} is encrypted`);
  return offset + sizes.local + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
}

function openEntry(entry: DirectoryEntry, packed: Uint8Array, limits: ZipLimits, known: KnownEntries | undefined): ZipEntry {
  const key = known && keyOf(entry, packed);
  if (key !== undefined && known!.isSound(key)) return { key, content: () => inflate(entry, packed, limits) };
  const content = inflate(entry, packed, limits);
  if (key !== undefined) known!.addSound(key);
  return { key, content: () => content };
}

const keyOf = ({ method, bytes, checksum }: DirectoryEntry, packed: Uint8Array): string =>
  `${createHash("sha256").update(packed).digest("base64")} ${method} ${bytes} ${checksum}`;

function inflate(entry: DirectoryEntry, packed: Uint8Array, limits: ZipLimits): Uint8Array {
  const content = unpack(entry, packed, limits);
  if (content?.length !== entry.bytes) throw unreadable(`zip entry ${entry.name} has another size than it says`);
  if (crc32(content) !== entry.checksum) throw unreadable(`zip entry ${entry.name} does not have the checksum it says`);
  return content;
}

/** Undefined: it is larger than it says. */
function unpack(entry: DirectoryEntry, packed: Uint8Array, limits: ZipLimits): Uint8Array | undefined {
  if (entry.method === methods.stored) return packed;
  if (entry.method !== methods.deflated) throw unreadable(`zip entry ${entry.name} is compressed by method ${entry.method}`);
  const content = inflateRaw(entry, packed, entry.bytes);
  if (content === undefined && inflateRaw(entry, packed, Math.min(limits.darEntryBytesMax, inflatedMax(entry, limits))) === undefined)
    throw zipBomb(`zip entry ${entry.name} inflates to many more bytes than it says`);
  return content;
}

/** Undefined: to more than `bytesMax`. */
function inflateRaw({ name }: DirectoryEntry, packed: Uint8Array, bytesMax: number): Uint8Array | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytesMax) });
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === "ERR_BUFFER_TOO_LARGE") return undefined;
    if (code?.startsWith("Z_") === true) throw unreadable(`zip entry ${name} is not deflate data`);
    throw thrown;
  }
}
