/** Times as requests have them; the reference reads them by java.time.Instant. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMicroseconds } from "../../src/api/ledger/decoding.js";

const second = 1_000_000n;

test("times: microseconds, of any zone that there is", () => {
  assert.equal(readMicroseconds("2024-02-29T12:00:00.1234567Z"), 1_709_208_000_123_456n);
  for (const zone of ["Z", "z", "+00:00", "-00:00", "+00:00:00"])
    assert.equal(readMicroseconds(`2024-02-29T12:00:00${zone}`), 1_709_208_000n * second, zone);
  assert.equal(readMicroseconds("2024-02-29t12:00:00+18:00"), 1_709_143_200n * second);
  assert.equal(readMicroseconds("2024-02-29T12:00:00-17:30"), 1_709_271_000n * second);
  assert.equal(readMicroseconds("2020-01-01T00:00:00+01:30:15"), 1_577_831_385n * second);
});

test("times: a day may end at 24 o'clock or with its last second again", () => {
  for (const text of ["2020-01-01T24:00:00Z", "2020-01-01T24:00:00.000Z"]) assert.equal(readMicroseconds(text), 1_577_923_200n * second);
  assert.equal(readMicroseconds("2020-01-01T23:59:60.5Z"), 1_577_923_199_500_000n);
  assert.equal(readMicroseconds("9999-12-31T24:00:00Z"), 253_402_300_800n * second);
});

test("times: years as far as there are", () => {
  for (const [text, seconds] of [
    ["0000-01-01T00:00:00Z", -62_167_219_200n],
    ["-0001-01-01T00:00:00Z", -62_198_755_200n],
    ["+10000-01-01T00:00:00.Z", 253_402_300_800n],
    ["-12345-01-01T00:00:00Z", -451_737_734_400n],
    ["+0002020-01-01T00:00:00Z", 1_577_836_800n],
    ["+1000000000-12-31T23:59:59Z", 31_556_889_864_403_199n],
    ["-1000000000-01-01T00:00:00Z", -31_557_014_167_219_200n],
  ] as const)
    assert.equal(readMicroseconds(text), seconds * second, text);
});

test("times: a month, day, hour or zone that there is not is none, nor is one that java.time.Instant does not read", () => {
  for (const text of [
    "2024-13-01T00:00:00Z",
    "2024-99-01T00:00:00Z",
    "2024-00-10T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-01-00T00:00:00Z",
    "2024-01-01T24:30:00Z",
    "2024-01-01T24:00:00.001Z",
    "2024-01-01T25:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00+99:99",
    "2024-01-01T00:00:00+18:01",
    "2024-01-01T00:00:00+01:60",
    "2024-01-01T00:00:00+01",
    "2024-01-01T00:00:00+0130",
    "2024-01-01T00:00:00",
    "2024-01-01T00:00Z",
    "2024-01-01T00:00:00,5Z",
    "2024-01-01T00:00:00.1234567890Z",
    "2024-01-01 00:00:00Z",
    "2024-01-01",
    "+2024-01-01T00:00:00Z",
    "12024-01-01T00:00:00Z",
    "-0000-01-01T00:00:00Z",
    "+1000000001-01-01T00:00:00Z",
  ])
    assert.equal(readMicroseconds(text), undefined, text);
});
