/** Routes of documents. JSON is YAML, so the text may be read as either. Made when first asked for. */
import { madeOnce } from "../base/made-once.js";
import type { RawReply, Route } from "../http/index.js";
import type { ApiDocument } from "./api.js";

export function documentRoutes(documents: readonly ApiDocument[]): readonly Route[] {
  return documents.map(({ path, write }) => ({ method: "GET", path, bodyBytesMax: 0, handle: madeOnce(() => documentReply(write)) }));
}

async function documentReply(write: () => Promise<unknown>): Promise<RawReply> {
  const text = JSON.stringify(await write(), undefined, 2);
  return { status: 200, headers: { "content-type": "text/plain; charset=UTF-8" }, body: `${text}\n` };
}
