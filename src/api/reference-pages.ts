/**
 * The reference as the node serves it, from what the program is made of: the same sections stand in the pages of the
 * repository. Browsers get a page, others the Markdown.
 */
import { createHash } from "node:crypto";
import { madeOnce } from "../base/made-once.js";
import type { RawReply, Route } from "../http/index.js";
import { errorTable } from "./error-table.js";
import { limitTable } from "./limit-table.js";
import { operationTable } from "./operation-table.js";

export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  /** Called when it is first asked for. Markdown, of which it uses tables, texts as they stand, paragraphs, code and emphasis. */
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

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const common = { vary: "Accept, Origin", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" } as const;

export function referenceRoutes(pages: readonly ReferencePage[]): readonly Route[] {
  return pages.map(({ path, title, write }) => {
    const made = madeOnce(async (): Promise<Readonly<Record<"html" | "text", RawReply>>> => {
      const text = (await write()).trimEnd();
      return {
        html: {
          status: 200,
          headers: { "content-type": "text/html; charset=UTF-8", "content-security-policy": policy, ...common },
          body: pageOf(title, text),
        },
        text: { status: 200, headers: { "content-type": "text/markdown; charset=UTF-8", ...common }, body: `# ${title}\n\n${text}\n` },
      };
    });
    return {
      method: "GET",
      path,
      bodyBytesMax: 0,
      handle: async ({ headers }) => (await made())[/\btext\/html\b/i.test(headers.get("accept") ?? "") ? "html" : "text"],
    };
  });
}

const pageOf = (title: string, markdown: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body>
<p><a href="/docs">All addresses</a></p>
<h1>${title}</h1>
${htmlOf(markdown)}
</body>
</html>
`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Links lead to pages of the repository, which are not here: their words stay. */
const inline = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/\*([^*]+)\*/g, "<em>$1</em>");

/** Blocks are separated by empty lines. */
function htmlOf(markdown: string): string {
  const parts = markdown.split(/^```\w*\n([\s\S]*?)^```$/m);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? `<pre>${escaped(part)}</pre>`
        : part
            .split(/\n{2,}/)
            .filter((block) => block.trim() !== "")
            .map(blockOf)
            .join("\n"),
    )
    .join("\n");
}

function blockOf(block: string): string {
  const lines = block.trim().split("\n");
  if (!lines.every((line) => line.startsWith("|"))) return `<p>${inline(lines.join(" "))}</p>`;
  const cellsOf = (line: string): readonly string[] =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.replaceAll("\\|", "|").trim()));
  const [head = "", , ...rows] = lines,
    row = (line: string, tag: string): string =>
      `<tr>${cellsOf(line)
        .map((cell) => `<${tag}>${cell}</${tag}>`)
        .join("")}</tr>`;
  return `<table><thead>${row(head, "th")}</thead><tbody>\n${rows.map((line) => row(line, "td")).join("\n")}\n</tbody></table>`;
}
