/** What somebody finds who opens the node's address: what it is, and where things are. For browsers as a page, for others as text. */
import type { Head, RawReply, Route } from "../http/index.js";
import { version } from "../version.js";
import { openConsolePage, type ConsolePage } from "./console-page.js";
import { pageReply, textReply, wantsHtml } from "./html-page.js";
import { ledgerApiVersion } from "./ledger/index.js";
import type { ReferencePage } from "./reference-pages.js";

const places: readonly (readonly [path: string, what: string])[] = [
  ["/docs/openapi", "the HTTP operations (OpenAPI)"],
  ["/docs/openapi/registry", "the token standard's registry"],
  ["/docs/openapi/scan", "Scan"],
  ["/docs/openapi/validator", "the validator and its wallets"],
  ["/docs/openapi/sv", "votes"],
  ["/docs/asyncapi", "the WebSockets (AsyncAPI)"],
  ["/v2/version", "the version of the API, and what of it is supported"],
  ["/livez", "whether the process lives"],
  ["/readyz", "whether it serves requests"],
  ["/metrics", "its figures, for Prometheus"],
];

const title = `Ledgerline ${version}`;
const about = `A participant-like ledger node for Daml applications, with the Ledger JSON API v2 (${ledgerApiVersion}) at this address.`;
const more = "README.md, beside the program, has the first transaction.";

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}"
  + "dt{font-family:ui-monospace,monospace}dd{margin:0 0 .6rem 1.5rem}";

type Places = typeof places;

const bodyOf = (all: Places): string => `<h1>${title}</h1>
<p>${about}</p>
<dl>
${all.map(([path, what]) => `<dt><a href="${path}">${path}</a></dt><dd>${what}</dd>`).join("\n")}
</dl>
<p>${more}</p>`;

const textOf = (all: Places): string =>
  [title, about, "", ...all.map(([path, what]) => `${path.padEnd(26)}${what}`), "", more, ""].join("\n");

/** `console`: at `/` a browser finds that instead, if there is one. `pages` are told of, too. */
export function landingRoutes({
  console,
  pages,
}: {
  readonly console: boolean;
  readonly pages: readonly ReferencePage[];
}): readonly Route[] {
  const all = [...pages.map(({ path, title: what }) => [path, what] as const), ...places];
  const page = pageReply({ title, style, body: bodyOf(all) }),
    plain = textReply("plain", textOf(all));
  let opened: { readonly page: ConsolePage | undefined } | undefined;
  const pageAt = (path: string, head: Pick<Head, "headers">): RawReply => {
    if (!console || path !== "/") return page;
    opened ??= { page: openConsolePage() };
    return opened.page?.answer(head) ?? page;
  };
  return ["/", "/docs"].map((path) => ({
    method: "GET",
    path,
    bodyBytesMax: 0,
    handle: (asked) => Promise.resolve(wantsHtml(asked) ? pageAt(path, asked) : plain),
  }));
}
