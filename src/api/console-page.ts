/** The console: one page, made by the build, with its script and style in it. Read when a browser first asks for it. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Head, RawReply } from "../http/index.js";

const built = new URL("../../console/", import.meta.url);

export interface ConsolePage {
  answer(head: Pick<Head, "headers">): RawReply;
}

/** Undefined where the build made none. */
export function openConsolePage(folder: URL = built): ConsolePage | undefined {
  if (!existsSync(new URL("page.html", folder))) return undefined;
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const plain = read("page.html"),
    text = plain.toString("utf8"),
    hash = digest(plain).slice(0, 24).replaceAll(/[+/]/g, "-");
  const forms: readonly Form[] = [
    { coding: "br", body: read("page.html.br") },
    { coding: "gzip", body: read("page.html.gz") },
  ];
  const policy = policyOf(text);
  return {
    answer({ headers: asked }) {
      const accepted = codingsIn(asked.get("accept-encoding") ?? ""),
        form = forms.find(({ coding }) => accepted.has(coding)) ?? { coding: undefined, body: plain };
      const etag = `"${hash}${form.coding === undefined ? "" : `-${form.coding}`}"`;
      const headers = {
        "content-type": "text/html; charset=UTF-8",
        "content-security-policy": policy(asked.get("host") ?? ""),
        etag,
        "cache-control": "no-cache",
        vary: "Accept, Accept-Encoding, Host, Origin",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        ...(form.coding !== undefined && { "content-encoding": form.coding }),
      };
      const isKnown = (asked.get("if-none-match") ?? "").split(",").some((one) => one.trim() === etag);
      return isKnown ? { status: 304, headers } : { status: 200, headers, body: form.body };
    },
  };
}

interface Form {
  readonly coding: string;
  readonly body: Buffer;
}

const codingsIn = (accept: string): ReadonlySet<string> =>
  new Set(
    accept
      .split(",")
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one))
      .map((one) => one.split(";")[0]!.trim()),
  );

/**
 * The page's own script and style, and requests to where it came from. Not every browser counts sockets of the same host as that,
 * so they are named; the host is only repeated where it is one.
 */
function policyOf(page: string): (host: string) => string {
  const style = digest(between(page, "<style>", "</style>")),
    script = digest(between(page, '<script type="module">', "</script>"));
  const fixed = [
    "default-src 'none'",
    `script-src 'sha256-${script}'`,
    `style-src 'sha256-${style}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return (host) => [...fixed, `connect-src 'self'${/^[\w.:[\]-]{1,260}$/.test(host) ? ` ws://${host} wss://${host}` : ""}`].join("; ");
}

/** Of the first such element. */
function between(page: string, start: string, end: string): string {
  const from = page.indexOf(start) + start.length;
  return page.slice(from, page.indexOf(end, from));
}

const digest = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("base64");
