/** A place in JSON as people count it: in lines, columns and characters, where one beyond the basic plane counts as two. */
const lineFeed = 0x0a;

export class JsonPlace {
  /** From 1. */
  line = 1;
  column = 1;
  /** Before the place. */
  characters = 0;

  /** Goes on over so many bytes of UTF-8. */
  pass(bytes: Uint8Array, count: number): void {
    for (let at = 0; at < count; at++) {
      const byte = bytes[at]!;
      if ((byte & 0xc0) === 0x80) continue; // it is inside of a character
      const width = byte >= 0xf0 ? 2 : 1;
      this.characters += width;
      this.column += width;
      if (byte !== lineFeed) continue;
      this.line += 1;
      this.column = 1;
    }
  }
}
