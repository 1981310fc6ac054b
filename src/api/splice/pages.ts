/** An answer that is a list of texts which stand ready: they are copied, not encoded. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import { spliced, type Spliced } from "../wire.js";

/** `{"name":[ .. ]}`, with more members behind the list. `elements`: texts in UTF-8 of one element, or of several with commas between them. */
export function listPage<W>(name: string, elements: readonly (Uint8Array | string)[], more: object = {}): Spliced<W> {
  const members = JSON.stringify(more).slice(1), head = `{${JSON.stringify(name)}:[`, tail = `]${members === "}" ? "" : ","}${members}`;
  const out = new GrowingBytes(Buffer.allocUnsafeSlow(elements.reduce((bytes, element) => bytes + 1 + element.length, 0) + charBytesMax * (head.length + tail.length)));
  out.text(head);
  elements.forEach((element, index) => {
    if (index > 0) out.byte(comma);
    if (typeof element === "string") out.text(element);
    else out.bytes(element);
  });
  out.text(tail);
  return spliced<W>(out.view());
}

const charBytesMax = 3, comma = 0x2c;
