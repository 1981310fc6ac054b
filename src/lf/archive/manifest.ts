/** The manifest of a DAR: `META-INF/MANIFEST.MF` in the syntax of Java archives (lines of 72 bytes, continued by a space). */
import { invalidDar, type ArchiveFailure } from "./failure.js";

export const manifestName = "META-INF/MANIFEST.MF";
const manifestLineBytesMax = 72;
const format = "daml-lf";

export interface Manifest {
  readonly main: string;
  /** Entry names of the other packages, in written order. */
  readonly dependencies: readonly string[];
}

export function parseManifest(text: string): Manifest {
  const attributes = mainAttributes(text);
  const main = required(attributes, "Main-Dalf");
  const all = required(attributes, "Dalfs")
    .split(",")
    .map((name) => name.trim());
  const found = required(attributes, "Format");
  if (found !== format) throw invalidDar(`Unsupported format: ${found}`);
  return { main, dependencies: all.filter((name) => name !== main && name !== "") };
}

function mainAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const line of unfold(text)) {
    if (line === "") break; // sections about single entries follow
    const colon = line.indexOf(": ");
    if (colon <= 0) throw malformed(line);
    attributes.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2).trim());
  }
  return attributes;
}

function unfold(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (!line.startsWith(" ")) lines.push(line);
    else if (lines.length === 0) throw malformed(line);
    else lines[lines.length - 1] += line.slice(1);
  }
  return lines;
}

const malformed = (line: string): ArchiveFailure => invalidDar(`the manifest has a malformed line ${JSON.stringify(line.slice(0, 80))}`);

function required(attributes: ReadonlyMap<string, string>, name: string): string {
  const value = attributes.get(name.toLowerCase());
  if (value === undefined) throw invalidDar(`Cannot find attribute: ${name}`);
  return value;
}

export function printManifest(manifest: Manifest, name: string): string {
  const attributes = {
    "Manifest-Version": "1.0",
    "Created-By": "ledgerline",
    Name: name,
    "Main-Dalf": manifest.main,
    Dalfs: [manifest.main, ...manifest.dependencies].join(", "),
    Format: format,
  };
  return `${Object.entries(attributes)
    .map(([key, value]) => fold(`${key}: ${value}`))
    .join("\r\n")}\r\n\r\n`;
}

/** Names of entries are ASCII, so characters are bytes. */
function fold(line: string): string {
  const first = line.slice(0, manifestLineBytesMax);
  const rest = line.slice(manifestLineBytesMax).match(new RegExp(`.{1,${manifestLineBytesMax - 1}}`, "g")) ?? [];
  return [first, ...rest].join("\r\n ");
}
