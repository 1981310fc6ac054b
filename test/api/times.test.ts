/** Times as requests have them; the reference reads them by java.time.Instant. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toMicroseconds } from "../../src/api/ledger/decoding.js";

const read = (text: string): string | undefined => {
  const micros = toMicroseconds(text);
  return micros === undefined ? undefined : new Date(Number(micros / 1000n)).toISOString();
};

test("times: microseconds, of any zone that there is", () => {
  assert.equal(toMicroseconds("2024-02-29T12:00:00.1234567Z"), 1_709_208_000_123_456n);
  for (const zone of ["Z", "+00:00", "-00:00", "+00"]) assert.equal(read(`2024-02-29T12:00:00${zone}`), "2024-02-29T12:00:00.000Z", zone);
  assert.equal(read("2024-02-29T12:00:00+18:00"), "2024-02-28T18:00:00.000Z");
  assert.equal(read("2024-02-29T12:00:00-1730"), "2024-03-01T05:30:00.000Z");
});

test("times: a month, day, hour or zone that there is not is none", () => {
  for (const text of [
    "2024-13-01T00:00:00Z",
    "2024-99-01T00:00:00Z",
    "2024-00-10T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-01-00T00:00:00Z",
    "2024-01-01T24:30:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00+99:99",
    "2024-01-01T00:00:00+18:01",
    "2024-01-01T00:00:00+01:60",
    "2024-01-01",
  ])
    assert.equal(read(text), undefined, text);
});
