/** HTML of what the reference uses of Markdown: tables, texts as they stand, paragraphs, code and emphasis. */

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Links lead to pages of the repository, which are not here: their words stay. */
const inline = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/\*([^*]+)\*/g, "<em>$1</em>");

/** Blocks are separated by empty lines. */
export function htmlOf(markdown: string): string {
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
