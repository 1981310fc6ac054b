/** `/docs/openapi` and `/docs/asyncapi`. JSON is YAML, so the text may be read as either. Made when first asked for. */
import type { RawReply, Route } from "../http/route.js";

/** The types of the documents are large, and no start should wait for them. */
const writers: Readonly<Record<string, () => Promise<unknown>>> = {
  "/docs/openapi": async () => (await import("./openapi.js")).openApiDocument(),
  "/docs/asyncapi": async () => (await import("./asyncapi.js")).asyncApiDocument(),
};

export function documentRoutes(): readonly Route[] {
  return Object.entries(writers).map(([path, write]) => {
    let reply: Promise<RawReply> | undefined;
    return { method: "GET", path, bodyBytesMax: 0, handle: () => (reply ??= documentReply(write)) };
  });
}

async function documentReply(write: () => Promise<unknown>): Promise<RawReply> {
  const text = JSON.stringify(await write(), undefined, 2);
  return { status: 200, headers: { "content-type": "text/plain; charset=UTF-8" }, body: `${text}\n` };
}
