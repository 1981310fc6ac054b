/** Short numbers and times in their usual form are read in another way than the rest: both must read the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { numeric } from "../../../src/lf/conversion/json-scalars.js";
import { parseDate, parseTimestamp } from "../../../src/lf/value/time.js";
import { count } from "../../support/knobs.js";
import { generator } from "./random.js";

const seed = count("LEDGERLINE_SEED") ?? 20_261_122;
const outcome = <T>(read: () => T): T | string => {
  try {
    return read();
  } catch (thrown) {
    return (thrown as Error).name;
  }
};

test(`numerics: a short text is read as the same one behind many zeros (seed ${seed})`, () => {
  const { below: random } = generator(seed),
    characters = "0123456789.00+-e ";
  let taken = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const text = Array.from({ length: random(16) }, () => characters[random(turn % 2 === 0 ? 12 : characters.length)]!).join("");
    const long = text.replace(/^([+-]?)(?=\d)/, `$1${"0".repeat(18)}`),
      scale = random(turn % 3 === 0 ? 38 : 12);
    const [one, other] = [text, long].map((each) => outcome(() => numeric(each, scale)));
    assert.deepEqual(one, other, `${JSON.stringify(text)} at scale ${scale}`);
    if (typeof one === "object") taken += 1;
  }
  assert.ok(taken > 1_000, `${taken} were numerics`);
  assert.ok(Object.is(numeric("-0.0", 10).digits, 0));
});

test(`timestamps: the usual form is read as the same time with its zone in digits (seed ${seed})`, () => {
  const { below: random } = generator(seed),
    two = (below: number): string => String(random(below)).padStart(2, "0");
  let taken = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const fraction = random(2) === 0 ? "" : `.${"0123456789".repeat(2).slice(random(9)).slice(0, random(9))}`;
    const text = `${String(random(turn % 2 === 0 ? 10_000 : 2_300)).padStart(4, "0")}-${two(14)}-${two(33)}T${two(25)}:${two(61)}:${two(61)}${fraction}`;
    const one = parseTimestamp(`${text}Z`);
    assert.equal(one, parseTimestamp(`${text}+00:00`), text);
    if (one !== undefined) taken += 1;
  }
  assert.ok(taken > 5_000, `${taken} were times`);
  for (const wrong of [
    "2024-01-01T00:00:00.Z",
    "2024-01-01 00:00:00Z",
    "2024-0a-01T00:00:00Z",
    "2024-01-01T00:00:00,1Z",
    "2023-02-29T00:00:00Z",
  ])
    assert.equal(parseTimestamp(wrong), undefined, wrong);
});

test("dates: of all years there are the days that the calendar has, in a row, and no others", () => {
  const two = (number: number): string => String(number).padStart(2, "0");
  for (let year = 0; year <= 9_999; year++)
    for (let month = 0; month <= 13; month++)
      for (const day of [0, 1, 28, 29, 30, 31, 32]) {
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
        assert.equal(parseDate(text), isThere ? date.getTime() / 86_400_000 : undefined, text);
      }
});
