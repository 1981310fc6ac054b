/** Annotations of users and parties: keys in the style of Kubernetes labels, bounded in sum. */
import { fail, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { invalidArgument, type Outcome } from "../model/index.js";
import { partsOf } from "./field-rules.js";

export type Annotations = Readonly<Record<string, string>>;

const nameCharsMax = 63;
const prefixCharsMax = 253;
// One start and no way to match a text twice, so that hostile keys cost linear time.
const nameFormat = /^[a-zA-Z0-9](?:[a-zA-Z0-9.\-_]*[a-zA-Z0-9])?$/;
const labelFormat = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

/** An empty value deletes the key in an update and makes no sense in a new resource. */
export function checkAnnotations(annotations: Annotations, field: string, emptyValues: "allowed" | "refused"): Outcome<Annotations> {
  const given = Object.entries(annotations);
  if (bytesOf(given.filter(([, value]) => value !== "")) > limits.annotationsBytesMax) {
    return fail(invalidArgument(`annotations from field '${field}' are larger than the limit of ${limits.annotationsBytesMax / 1024}kb`));
  }
  for (const [key] of given) {
    const problem = keyProblem(key);
    if (problem !== undefined) return fail(invalidArgument(problem));
  }
  const empty = emptyValues === "refused" ? given.find(([, value]) => value === "") : undefined;
  return empty === undefined
    ? ok(annotations)
    : fail(invalidArgument(`The value of an annotation is empty for key: '${shortened(empty[0])}'`));
}

/** Keys of the change replace, keys with an empty value go, all others stay. */
export function mergeAnnotations(existing: Annotations, change: Annotations): Annotations {
  const merged = new Map(Object.entries(existing));
  for (const [key, value] of Object.entries(change)) {
    if (value === "") merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

export const fitsAnnotations = (annotations: Annotations): boolean => bytesOf(Object.entries(annotations)) <= limits.annotationsBytesMax;

const bytesOf = (entries: readonly (readonly [string, string])[]): number =>
  entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);

function keyProblem(key: string): string | undefined {
  const segments = partsOf(key, "/");
  if (segments.length > 2) return `Key '${shortened(key)}' contains more than one forward slash ('/') character`;
  const [prefix, name] = segments.length === 2 ? (segments as [string, string]) : [undefined, segments[0]!];
  if (prefix !== undefined) {
    if (prefix.length > prefixCharsMax)
      return `Key prefix segment '${shortened(prefix)}' exceeds maximum length of ${prefixCharsMax} characters`;
    if (!prefix.split(".").every((label) => labelFormat.test(label))) return `Key prefix segment '${shortened(prefix)}' has invalid syntax`;
  }
  if (name.length > nameCharsMax) return `Key name segment '${shortened(name)}' exceeds maximum length of ${nameCharsMax} characters`;
  return nameFormat.test(name) ? undefined : `Key name segment '${shortened(name)}' has invalid syntax`;
}

const shortened = (text: string): string => (text.length > 53 ? `${text.slice(0, 50)}...` : text);
