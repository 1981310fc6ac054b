/** An answer that is a list of texts which stand ready: they are copied, not encoded. */
import { GrowingBytes } from "../../base/growing-bytes.js";
import { comma } from "../../base/json-bytes.js";
import { SpareMemory } from "../../base/spare-memory.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import { spliced, type Spliced } from "../wire.js";

/**
 * `{"name":[ .. ]}`, with more members behind the list. `elements`: texts in UTF-8 of one element, or of several with commas between them.
 * Others come between: memory that nobody used before costs more than the copy.
 */
export async function listPage<W>(
  turns: Turns,
  name: string,
  elements: readonly (Uint8Array | string)[],
  more: object = {},
): Promise<Spliced<W>> {
  const members = JSON.stringify(more).slice(1),
    head = `{${JSON.stringify(name)}:[`,
    tail = `]${members === "}" ? "" : ","}${members}`;
  const out = new GrowingBytes(
    memory.take(elements.reduce((bytes, element) => bytes + 1 + element.length, 0) + charBytesMax * (head.length + tail.length)),
  );
  out.text(head);
  await turns.through(copying(out, elements));
  out.text(tail);
  return spliced<W>(out.view(), () => memory.give(out.surrender()));
}

function* copying(out: GrowingBytes, elements: readonly (Uint8Array | string)[]): Steps<void> {
  for (const [index, element] of elements.entries()) {
    if (index > 0) out.byte(comma);
    if (typeof element === "string") out.text(element);
    else
      for (let from = 0; from < element.length; from += limits.scanCopiedPieceBytes) {
        out.run(element, from, Math.min(from + limits.scanCopiedPieceBytes, element.length));
        yield;
      }
    yield;
  }
}

/** The same of texts that are only lent. */
export async function copiedPage<W>(
  turns: Turns,
  name: string,
  lent: { readonly texts: readonly (Uint8Array | string)[]; release?(): void },
  more: object = {},
): Promise<Spliced<W>> {
  const page = await listPage<W>(turns, name, lent.texts, more);
  lent.release?.();
  return page;
}

const memory = new SpareMemory(limits.scanSpareBytesMax);

const charBytesMax = 3;
