/** An answer that is a list of texts which stand ready: they are copied, not encoded. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import { SpareMemory } from "../../base/spare-memory.js";
import { limits } from "../../config.js";
import { spliced, type Spliced } from "../wire.js";

/**
 * `{"name":[ .. ]}`, with more members behind the list. `elements`: texts in UTF-8 of one element, or of several with commas between them.
 */
export function listPage<W>(name: string, elements: readonly (Uint8Array | string)[], more: object = {}): Spliced<W> {
  const members = JSON.stringify(more).slice(1),
    head = `{${JSON.stringify(name)}:[`,
    tail = `]${members === "}" ? "" : ","}${members}`;
  const out = new GrowingBytes(
    memory.take(elements.reduce((bytes, element) => bytes + 1 + element.length, 0) + charBytesMax * (head.length + tail.length)),
  );
  out.text(head);
  elements.forEach((element, index) => {
    if (index > 0) out.byte(comma);
    if (typeof element === "string") out.text(element);
    else out.bytes(element);
  });
  out.text(tail);
  return spliced<W>(out.view(), () => memory.give(out.surrender()));
}

/** The same of texts that are only lent. */
export function copiedPage<W>(
  name: string,
  lent: { readonly texts: readonly (Uint8Array | string)[]; release?(): void },
  more: object = {},
): Spliced<W> {
  const page = listPage<W>(name, lent.texts, more);
  lent.release?.();
  return page;
}

const memory = new SpareMemory(limits.scanSpareBytesMax);

const charBytesMax = 3,
  comma = 0x2c;
