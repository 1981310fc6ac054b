/** An answer that is a list of texts which stand ready: they are copied, not encoded. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import { spliced, type Spliced } from "../wire.js";

/** `{"name":[ .. ]}`, with more members behind the list. */
export function listPage<W>(name: string, elements: readonly (Uint8Array | string)[], more: object = {}): Spliced<W> {
  const out = new GrowingBytes(Buffer.allocUnsafeSlow(startBytes));
  out.text(`{${JSON.stringify(name)}:[`);
  elements.forEach((element, index) => {
    if (index > 0) out.byte(comma);
    if (typeof element === "string") out.text(element);
    else out.bytes(element);
  });
  const members = JSON.stringify(more).slice(1);
  out.text(`]${members === "}" ? "" : ","}${members}`);
  return spliced<W>(out.view());
}

const startBytes = 64 * 1024, comma = 0x2c;
