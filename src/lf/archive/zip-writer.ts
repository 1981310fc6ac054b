/** Writes a zip archive with stored entries: enough for DARs that are built here. */
import { crc32 } from "node:zlib";

const version = 20;
const earliestDate = 0x21; // 1980-01-01: the same input gives the same bytes

export function writeZip(entries: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const common = header(name, content);
    const local = Buffer.concat([uint32(0x04034b50), common, Buffer.from(name), content]);
    directory.push(Buffer.concat([uint32(0x02014b50), uint16(version), common, Buffer.alloc(10), uint32(offset), Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directoryBytes = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = [
    uint32(0x06054b50),
    uint32(0),
    uint16(entries.size),
    uint16(entries.size),
    uint32(directoryBytes),
    uint32(offset),
    uint16(0),
  ];
  return Buffer.concat([...locals, ...directory, ...end]);
}

/** What local headers and the directory have in common: version to extra length. */
function header(name: string, content: Uint8Array): Uint8Array {
  const nameBytes = Buffer.byteLength(name);
  return Buffer.concat([
    uint16(version),
    uint16(0),
    uint16(0),
    uint16(0),
    uint16(earliestDate),
    uint32(crc32(content)),
    uint32(content.length),
    uint32(content.length),
    uint16(nameBytes),
    uint16(0),
  ]);
}

function uint16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
