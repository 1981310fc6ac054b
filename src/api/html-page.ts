/** Pages that the node writes itself, and the same as text for others than browsers. */
import { createHash } from "node:crypto";
import type { Head, RawReply } from "../http/index.js";

const common = { vary: "Accept, Origin", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" } as const;

export interface Page {
  readonly title: string;
  readonly style: string;
  /** HTML, the heading in it. */
  readonly body: string;
}

export const pageReply = (page: Page): RawReply => ({
  status: 200,
  headers: { "content-type": "text/html; charset=UTF-8", "content-security-policy": policyOf(page), ...common },
  body: pageOf(page),
});

export const textReply = (kind: "plain" | "markdown", body: string): RawReply => ({
  status: 200,
  headers: { "content-type": `text/${kind}; charset=UTF-8`, ...common },
  body,
});

export const wantsHtml = ({ headers }: Pick<Head, "headers">): boolean => /\btext\/html\b/i.test(headers.get("accept") ?? "");

const pageOf = ({ title, style, body }: Page): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body>
${body}
</body>
</html>
`;

/** Nothing but the page itself and its own style: no script, no picture, no frame around it. */
const policyOf = ({ style }: Page): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
