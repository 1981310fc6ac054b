import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { attempt } from "../../../src/lf/archive/failure.js";
import { readZip, type ZipLimits } from "../../../src/lf/archive/zip.js";
import { writeZip } from "../../../src/lf/archive/zip-writer.js";

const limits: ZipLimits = { darEntriesMax: 4, darEntryBytesMax: 4_000_000, darTotalBytesMax: 5_000_000, darInflationMax: 200 };
const errorOf = (bytes: Uint8Array) => attempt(() => readZip(bytes, limits)).error;
const text = (content: string) => Buffer.from(content);

/** The zip of one entry, which says that it has so many bytes. */
function lying(zip: Buffer, bytes: number): Buffer {
  zip.writeUInt32LE(bytes, zip.lastIndexOf(text("PK\x01\x02")) + 24);
  return zip;
}

/** A zip of one deflated entry, made from a stored one by editing its sizes. */
function deflated(content: Uint8Array): Buffer {
  const packed = deflateRawSync(content);
  const zip = Buffer.from(writeZip(new Map([["a", packed]])));
  const crc = Buffer.from(writeZip(new Map([["a", content]])).subarray(14, 18));
  const directory = zip.lastIndexOf(text("PK\x01\x02"));
  for (const [method, checksum, size] of [
    [8, 14, 22],
    [directory + 10, directory + 16, directory + 24],
  ] as const) {
    zip.writeUInt16LE(8, method);
    crc.copy(zip, checksum);
    zip.writeUInt32LE(content.length, size);
  }
  return zip;
}

test("zip: stored and deflated entries come out as they went in", () => {
  const entries = readZip(
    writeZip(
      new Map([
        ["a", text("one")],
        ["b/c", text("")],
      ]),
    ),
    limits,
  );
  assert.deepEqual(
    [...entries].map(([name, content]) => [name, Buffer.from(content).toString()]),
    [
      ["a", "one"],
      ["b/c", ""],
    ],
  );
  assert.equal(Buffer.from(readZip(deflated(text("abcabcabc")), limits).get("a")!).toString(), "abcabcabc");
});

test("zip: an empty directory is an archive without entries", () => {
  assert.equal(readZip(writeZip(new Map()), limits).size, 0);
});

test("zip: names that leave the archive or lie are refused", () => {
  for (const name of ["../a", "a/../b", "/a", "a\\b", "a\0b", ""])
    assert.equal(errorOf(writeZip(new Map([[name, text("x")]])))?.code, "INVALID_DAR", JSON.stringify(name));
});

test("zip: two entries with one name are refused", () => {
  const zip = Buffer.from(
    writeZip(
      new Map([
        ["a", text("x")],
        ["b", text("y")],
      ]),
    ),
  );
  for (const at of [zip.indexOf("b"), zip.lastIndexOf("b")]) zip.write("a", at);
  assert.equal(errorOf(zip)?.code, "INVALID_DAR");
});

test("zip: overlapping entries are refused", () => {
  const zip = Buffer.from(
    writeZip(
      new Map([
        ["a", text("xxxx")],
        ["b", text("y")],
      ]),
    ),
  );
  const second = zip.lastIndexOf(text("PK\x01\x02"));
  zip.writeUInt32LE(0, second + 42);
  assert.equal(errorOf(zip)?.code, "INVALID_DAR");
});

test("zip: an entry that reaches into the directory is refused", () => {
  const zip = Buffer.from(writeZip(new Map([["a", text("xxxx")]])));
  const directory = zip.lastIndexOf(text("PK\x01\x02"));
  for (const field of [20, 24]) zip.writeUInt32LE(30, directory + field);
  assert.equal(errorOf(zip)?.code, "INVALID_DAR");
});

test("zip: encrypted entries, unknown methods and wrong checksums are refused", () => {
  const plain = writeZip(new Map([["a", text("secret")]]));
  const edited = (edit: (zip: Buffer, directory: number) => void) => {
    const zip = Buffer.from(plain);
    edit(zip, zip.lastIndexOf(text("PK\x01\x02")));
    return errorOf(zip)?.class;
  };
  assert.equal(
    edited((zip, directory) => zip.writeUInt16LE(1, directory + 8)),
    "IO",
  );
  assert.equal(
    edited((zip, directory) => zip.writeUInt16LE(99, directory + 10)),
    "IO",
  );
  assert.equal(
    edited((zip, directory) => zip.writeUInt32LE(1, directory + 16)),
    "IO",
  );
  assert.equal(
    edited((zip, directory) => zip.writeUInt32LE(0xffffffff, directory + 24)),
    "InvalidDar",
  );
});

test("zip: bombs are stopped by entry size, total size, number and inflation, and by sizes that lie", () => {
  assert.equal(errorOf(deflated(Buffer.alloc(4_000_001, "ab")))?.code, "ZIP_BOMB");
  assert.equal(
    errorOf(
      writeZip(
        new Map([
          ["a", Buffer.alloc(3_000_000)],
          ["b", Buffer.alloc(3_000_000)],
        ]),
      ),
    )?.code,
    "ZIP_BOMB",
  );
  assert.equal(errorOf(writeZip(new Map(["a", "b", "c", "d", "e"].map((name) => [name, text("x")]))))?.code, "ZIP_BOMB");
  assert.equal(errorOf(deflated(Buffer.alloc(3_000_000)))?.code, "ZIP_BOMB");
  assert.equal(errorOf(lying(deflated(Buffer.alloc(3_000_000)), 10))?.code, "ZIP_BOMB");
});

test("zip: an entry that is a little larger or smaller than it says is damaged, not a bomb", () => {
  for (const size of [10, 99_999, 100_001]) {
    const error = errorOf(lying(deflated(Buffer.alloc(100_000)), size));
    assert.deepEqual([error?.code, error?.message], ["DAR_PARSE_ERROR", "zip entry a has another size than it says"], `${size}`);
  }
});

test("zip: every truncation of an archive is refused, never read past its end", () => {
  const zip = writeZip(
    new Map([
      ["a", text("content")],
      ["b", text("more")],
    ]),
  );
  for (let length = 0; length < zip.length; length++) assert.ok(errorOf(zip.subarray(0, length)), `${length} bytes`);
});
