/**
 * The number that some digits of a text in lower-case hex stand for; at most 13 of them, as doubles hold no more. Without a slice and
 * `parseInt`, which take longer than all else that keys in hex are looked at for.
 */
export function hexNumber(text: string, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const char = text.charCodeAt(at);
    value = value * 16 + (char <= nine ? char - zero : char - beforeA);
  }
  return value;
}

const zero = 0x30,
  nine = 0x39,
  beforeA = 0x57; // "a" stands for ten
