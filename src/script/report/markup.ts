/** Text inside XML and HTML. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// What XML 1.0 cannot hold, in whatever form.
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const escaped = (text: string): string =>
  text.replaceAll(forbidden, "\ufffd").replaceAll(/[&<>"']/g, (character) => entities[character]!);

const style = `body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#222;background:#fff}pre{font:13px/1.4 ui-monospace,monospace;overflow-x:auto}table{border-collapse:collapse}
td,th{padding:.2rem .8rem;text-align:left;vertical-align:top;white-space:pre-wrap;border-bottom:1px solid #ddd}
td.n{text-align:right}summary{cursor:pointer}.failed{color:#a00}.passed{color:#070}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}.failed{color:#f88}.passed{color:#8d8}}`;

/** A page that needs nothing else. */
export const page = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head>\n<body><h1>${escaped(title)}</h1>\n${body}\n</body></html>\n`;
