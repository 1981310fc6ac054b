/** A page in memory that is counted, and used again once the page was sent or is not wanted. */
import { ok, type Result } from "../../base/result.js";
import type { PageMemory } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import { spareBytes } from "../spare-bytes.js";
import { spliced, type Spliced } from "../wire.js";

export async function paged<W>(
  read: (memory: PageMemory) => Promise<Result<Uint8Array, RequestFailure>>,
): Promise<Result<Spliced<W>, RequestFailure>> {
  const bytes = spareBytes.begin(),
    release = (): void => spareBytes.end(bytes);
  try {
    const page = await read({ bytes, isShortFor: (length) => spareBytes.isShortFor(length) });
    if (page.error === undefined) return ok(spliced<W>(page.ok, release));
    release();
    return page;
  } catch (error) {
    release();
    throw error;
  }
}
