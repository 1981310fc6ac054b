/** Names as people read them. */

/** `alice::1220..` is alice. Of a text that is no party nothing is taken away. */
export function partyName(party: string): string {
  const split = party.indexOf("::1220");
  return split > 0 ? party.slice(0, split) : party;
}

export interface EntityName {
  readonly packageId: string;
  readonly module: string;
  readonly entity: string;
}

/** `package:Module.Name:Entity` */
export function entityName(id: string): EntityName {
  const first = id.indexOf(":"),
    last = id.lastIndexOf(":");
  return { packageId: id.slice(0, first), module: id.slice(first + 1, last), entity: id.slice(last + 1) };
}

/** `Module:Entity` of a full id. */
export const qualifiedName = (id: string): string => id.slice(id.indexOf(":") + 1);
export const shortEntity = (id: string): string => id.slice(id.lastIndexOf(":") + 1);
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

const hues = 12,
  taken = new Map<string, number>();

/**
 * One of twelve colours, the same for the same party everywhere on a page: by its name, but the first dozen that are shown have each
 * another.
 */
export function hueOf(party: string): number {
  const known = taken.get(party);
  if (known !== undefined) return known;
  let hue = hashOf(party) % hues;
  if (taken.size === hues) return hue;
  while ([...taken.values()].includes(hue)) hue = (hue + 1) % hues;
  taken.set(party, hue);
  return hue;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < Math.min(text.length, 200); at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}

export const count = (number: number): string => number.toLocaleString("en");

/** A time of the ledger as it is written there, to the millisecond. */
export function timeText(instant: string): string {
  const [, day, time, fraction = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,3})?/.exec(instant) ?? [];
  return day === undefined ? instant : `${day} ${time}${fraction}`;
}

export function agoText(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1_000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 1) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}
