/**
 * The reference as the node serves it, from what the program is made of: the same sections stand in the pages of the
 * repository. Browsers get a page, others the Markdown.
 */
import { madeOnce } from "../base/made-once.js";
import type { RawReply, Route } from "../http/index.js";
import { errorTable } from "./error-table.js";
import { pageReply, textReply, wantsHtml } from "./html-page.js";
import { limitTable } from "./limit-table.js";
import { htmlOf } from "./markdown.js";
import { operationTable } from "./operation-table.js";

export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  /** Called when it is first asked for. Markdown, as far as `markdown.ts` reads it. */
  readonly write: () => string | Promise<string>;
}

const spliceOperations = async (): Promise<string> => (await import("./splice-operation-table.js")).spliceOperationTable();

/** What follows from the declarations of operations, errors and limits. */
export const apiReference: readonly ReferencePage[] = [
  { path: "/docs/operations", title: "Operations of the Ledger JSON API", write: operationTable },
  { path: "/docs/operations/splice", title: "Operations of the token standard's servers", write: spliceOperations },
  { path: "/docs/errors", title: "Error codes", write: errorTable },
  { path: "/docs/limits", title: "Limits that clients meet", write: limitTable },
];

const style =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
  + "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #ddd}"
  + "code,pre{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}pre{overflow:auto}"
  + "@media(prefers-color-scheme:dark){body{color:#ddd;background:#141817}th,td{border-color:#333}a{color:#6ad7ba}}";

const bodyOf = (title: string, markdown: string): string => `<p><a href="/docs">All addresses</a></p>
<h1>${title}</h1>
${htmlOf(markdown)}`;

export function referenceRoutes(pages: readonly ReferencePage[]): readonly Route[] {
  return pages.map(({ path, title, write }) => {
    const made = madeOnce(async (): Promise<Readonly<Record<"html" | "text", RawReply>>> => {
      const text = (await write()).trimEnd();
      return {
        html: pageReply({ title, style, body: bodyOf(title, text) }),
        text: textReply("markdown", `# ${title}\n\n${text}\n`),
      };
    });
    return { method: "GET", path, bodyBytesMax: 0, handle: async (asked) => (await made())[wantsHtml(asked) ? "html" : "text"] };
  });
}
