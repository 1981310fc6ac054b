/** Literals at the ends of what there is, and texts of all planes. */
import type { Expr } from "../../../src/lf/ast.js";
import type { Random } from "../../support/random.js";
import { expr } from "../../support/lf-builder.js";

const int64Max = 2n ** 63n - 1n;
const integers = [
  ...[0n, 1n, -1n, 2n, 3n, 7n, 10n, 12n, 63n, 64n, 100n, 255n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n],
  ...[int64Max, int64Max - 1n, -int64Max, -int64Max - 1n, 10n ** 18n, -(10n ** 18n)],
];
/** Also those that are none: surrogates, and what is behind the last. */
export const codePoints = [0x61, 0x7a, 0x30, 0xe9, 0x301, 0x3b1, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff].map(
  BigInt,
);

const texts = [
  ...[
    "",
    "a",
    "b",
    "ab",
    "abc def",
    "A",
    "z",
    "Zz",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "ﬀ",
    "😀",
    "𐀀",
    "\u{10ffff}",
    "\uffff",
    "\ufffd",
    "\ufeff",
    "\u200d",
  ],
  ...["\u0001", "\u007f", "\u0080", "\u2028", "tab\t", "new\nline", "quote\"'", "\\", "$&", "<a>&amp;", "{}", "alice", "a:b-c_d e", "::"],
  "long ".repeat(60),
];
const numberTexts = [
  ...["0", "-0", "+5", "-5", "00012", "123", "1e5", ".5", "5.", "0.5", "-0.50", " 1", "1 ", "1_000", "0x10", "٣", "--1", "+", "-", "1.1.1"],
  ...["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9".repeat(38), "9".repeat(39)],
  ...[`0.${"0".repeat(36)}1`, `0.${"0".repeat(37)}1`, "1.0000000000", "12345678901234567890.1234567890", `-${"9".repeat(28)}.9999999999`],
];
const hexTexts = ["00ff", "DEADBEEF", "deadbeef", "0", "0x00", "zz", "", "c3a9", "ff", "f09f9880", "eda080"];

/** Of secp256k1, with SHA-256: a key, a message, its digest, and what signs it. */
const key =
  "3056301006072a8648ce3d020106052b8104000a034200049a0af0716ff3f8d8c40d339422c649879572290f7fca8e25fe168c608c9cfabbf31845ef170912fd4952222735149193e57442cd570a73be43755a27c0c0b201";
const signature =
  "3045022100d771140309e0da400d4f5f8de815189914b4b44dac8fb49ad5dc6897890844c4022037757cc3b9bc457e74615e693fbfccf10e851e79601c49dfa5fdd504396ee06f";
const digest = "5f78c33274e43fa9de5659265c1d917e25c03722dcb0b8d27db8d5feaa813953";
const signing = [key, signature, "deadbeef", digest];

const daysMin = -719_162,
  daysMax = 2_932_896; // 0001-01-01, 9999-12-31
const days = [0, 1, -1, daysMin, daysMin + 1, daysMax, daysMax - 1, 18_993, 19_782, 11_016, -25_508, -141_428];
const microsecondsMin = -62_135_596_800_000_000n,
  microsecondsMax = 253_402_300_799_999_999n;
const microseconds = [
  ...[0n, 1n, -1n, microsecondsMin, microsecondsMin + 1n, microsecondsMax, microsecondsMax - 1n],
  ...[1_700_000_000_123_456n, 1_700_000_000_000_000n, 1_700_000_000_120_000n, -1_000_001n],
];

export const scales = [0, 1, 2, 5, 10, 11, 18, 20, 36, 37];
const numericMax = 10n ** 38n - 1n;

export class Edges {
  constructor(readonly random: Random) {}

  int64(): Expr {
    return expr.int64(this.random.chance(0.7) ? this.random.one(integers) : BigInt(this.random.below(1_000) - 500));
  }
  int64In(first: number, last: number): Expr {
    return expr.int64(BigInt(first + this.random.below(last - first + 1)));
  }
  codePoint(): Expr {
    return expr.int64(this.random.one(codePoints));
  }
  text(): Expr {
    return expr.text(this.random.one(this.random.one([texts, texts, texts, numberTexts, hexTexts])));
  }
  numberText(): Expr {
    return expr.text(this.random.one(numberTexts));
  }
  /** What signatures are checked with, now and then with a digit that is wrong. */
  signingText(like: "key" | "signature" | "message"): Expr {
    const right = { key, signature, message: this.random.one(["deadbeef", digest]) }[like],
      told = this.random.chance(0.7) ? right : this.random.one([...signing, ...hexTexts]);
    if (this.random.chance(0.7) || told.length === 0) return expr.text(told);
    const at = this.random.below(told.length);
    return expr.text(`${told.slice(0, at)}${this.random.one(["0", "1", "f", "g", "A", ""])}${told.slice(at + 1)}`);
  }
  date(): Expr {
    return { kind: "lit", value: { kind: "date", value: this.random.one(days) } };
  }
  day(): Expr {
    return expr.int64(BigInt(this.random.one([...days, daysMin - 1, daysMax + 1])));
  }
  timestamp(): Expr {
    return { kind: "lit", value: { kind: "timestamp", value: this.random.one(microseconds) } };
  }
  microsecond(): Expr {
    return expr.int64(this.random.one([...microseconds, microsecondsMin - 1n, microsecondsMax + 1n]));
  }

  numeric(scale: number): Expr {
    const one = 10n ** BigInt(scale),
      half = 5n * 10n ** BigInt(Math.max(0, scale - 1)),
      { random } = this;
    const unscaled = random.one([
      ...[0n, 1n, -1n, one, -one, half, -half, 3n * one, one + half, 2n * one + half, -one - half, one - 1n, 10n ** 19n],
      ...[numericMax, -numericMax, numericMax / 2n, 2n ** 63n * one, (2n ** 63n - 1n) * one, -(2n ** 63n) * one - 1n],
      ...[BigInt(random.below(1e9)), BigInt(random.below(1e9)) ** 4n],
    ]);
    return expr.numeric(unscaled > numericMax ? numericMax : unscaled < -numericMax ? -numericMax : unscaled, scale);
  }
}
