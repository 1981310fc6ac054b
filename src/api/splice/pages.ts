/** An answer that is a list of texts which stand ready: they are copied, not encoded. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import { spliced, type Spliced } from "../wire.js";

/** Texts that follow one another, some in UTF-8 already. */
export type Pieces = Uint8Array | string | readonly (Uint8Array | string)[];

/** `{"name":[ .. ]}`, with more members behind the list. */
export function listPage<W>(name: string, elements: readonly Pieces[], more: object = {}): Spliced<W> {
  const out = new GrowingBytes(Buffer.allocUnsafeSlow(startBytes));
  const add = (piece: Uint8Array | string): void => (typeof piece === "string" ? out.text(piece) : out.bytes(piece));
  out.text(`{${JSON.stringify(name)}:[`);
  elements.forEach((element, index) => {
    if (index > 0) out.byte(comma);
    if (typeof element === "string" || element instanceof Uint8Array) add(element);
    else element.forEach(add);
  });
  const members = JSON.stringify(more).slice(1);
  out.text(`]${members === "}" ? "" : ","}${members}`);
  return spliced<W>(out.view());
}

const startBytes = 64 * 1024, comma = 0x2c;
