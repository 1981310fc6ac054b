/** The first few plain values of a payload, for one line of a list. */
import { partyName } from "./names.js";

const partsMax = 5,
  charsMax = 40;

export function preview(value: unknown): string {
  const parts: string[] = [];
  gather(value, "", parts, 0);
  return parts.join("   ");
}

function gather(value: unknown, name: string, parts: string[], depth: number): void {
  if (parts.length >= partsMax || depth > 2) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    parts.push(name === "" ? short(value) : `${name} ${short(value)}`);
  } else if (Array.isArray(value)) {
    if (value.length > 0) parts.push(`${name} [${value.length}]`.trim());
  } else if (typeof value === "object" && value !== null) {
    for (const member in value) {
      if (parts.length >= partsMax) return;
      gather((value as Record<string, unknown>)[member], member, parts, depth + 1);
    }
  }
}

function short(value: string | number | boolean): string {
  const text = partyName(String(value).slice(0, 400));
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text;
}
