import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { instantText } from "../../src/ledger/model/instant.js";
import { MarkedText } from "../../src/ledger/records/marked-text.js";
import { PartyLists } from "../../src/ledger/records/index.js";
import { newUpdateId, offsetOfUpdateId } from "../../src/ledger/model/update-id.js";
import { RecordReader, RecordWriter, unseal } from "../../src/store/index.js";

describe("update records", () => {
  it("marks in a text are found again in its bytes, whatever its characters take", () => {
    for (const parts of [
      ["", "a", "bc"],
      ["é", "", "日本", "x", "\u{1F600}", "y"],
    ]) {
      for (const settledAfter of [[], [0], [2], [0, 1, 4], [0, 1, 2, 3, 4, 5]]) {
        const text = new MarkedText(),
          numbers = parts.map((part, index) => {
            text.add(part);
            const mark = text.mark();
            if (settledAfter.includes(index)) text.settle();
            return mark;
          });
        const writer = new RecordWriter(),
          marks = text.placeIn(writer, writer.position + 4);
        writer.u32(parts.length);
        text.writeTo(writer);
        const record = writer.finish(1),
          bytes = record.subarray(12);
        assert.equal(record.readUInt32LE(8), parts.length);
        assert.equal(bytes.toString(), parts.join(""));
        parts.forEach((part, index) =>
          assert.equal(bytes.toString("utf8", index === 0 ? 0 : marks[numbers[index - 1]!], marks[numbers[index]!]), part),
        );
      }
    }
  });

  it("equal lists of parties are one object, as long as all of them have not too many parties together", () => {
    const lists = new PartyLists(),
      length = limits.partyListNumbersSharedMax / 4;
    const read = (first: number): readonly number[] => {
      const record = Buffer.alloc(4 + 4 * length);
      record.writeUInt32LE(length);
      for (let index = 0; index < length; index++) record.writeUInt32LE(first + index, 4 + 4 * index);
      return lists.read(record, 0);
    };
    const first = read(1);
    assert.deepEqual([first.length, first[0], read(1) === first], [length, 1, true]);
    for (let other = 2; other < 6; other++) read(other);
    assert.equal(read(1) === first, false);
  });

  it("an update id tells its offset and nothing else is one", () => {
    for (const offset of [1, 255, 2 ** 32 + 7, 2 ** 48 - 1]) {
      const updateId = newUpdateId(offset);
      assert.match(updateId, /^1220[0-9a-f]{64}$/);
      assert.equal(offsetOfUpdateId(updateId), offset);
      assert.notEqual(newUpdateId(offset), updateId);
    }
    for (const other of ["", "1220", `1220${"0".repeat(63)}`, `1320${"0".repeat(64)}`, `1220${"g".repeat(64)}`])
      assert.equal(offsetOfUpdateId(other), undefined);
  });

  it("instants have no, three or six digits behind the second, on both sides of the epoch", () => {
    const second = 1_767_225_600n * 1_000_000n;
    assert.equal(instantText(second), "2026-01-01T00:00:00Z");
    assert.equal(instantText(second + 120_000n), "2026-01-01T00:00:00.120Z");
    assert.equal(instantText(second + 7n), "2026-01-01T00:00:00.000007Z");
    assert.equal(instantText(-1n), "1969-12-31T23:59:59.999999Z");
    assert.equal(instantText(-62_135_596_800_000_000n), "0001-01-01T00:00:00Z");
    assert.equal(instantText(253_402_300_799_999_999n), "9999-12-31T23:59:59.999999Z");
  });

  it("records that share a piece of memory do not disturb each other, however large they are", () => {
    const writer = new RecordWriter(64);
    const texts = ["short", "x".repeat(100), "", "é".repeat(40), "last"];
    const records = texts.map((text, index) =>
      writer
        .reset()
        .u32(index)
        .text(text)
        .offset(2 ** 40 + index)
        .i64(-5n)
        .finish(1),
    );
    records.forEach((record, index) => {
      const reader = new RecordReader(unseal(record, 1, "test"));
      assert.deepEqual([reader.u32(), reader.text(), reader.offset(), reader.i64()], [index, texts[index], 2 ** 40 + index, -5n]);
    });
  });
});
