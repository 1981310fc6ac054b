/**
 * Update masks (google.protobuf.FieldMask, snake_case). A path names a field, or a message around fields: then only
 * those of its fields change that the request sets to something other than their default.
 */
import { fail, ok, type Result } from "../../base/result.js";
import { partsOf } from "./field-rules.js";

export interface Mask {
  /** Named itself: the request's value holds, also a default one. Covered by a parent: only another value than the default does. */
  matches(path: string): "exactly" | "by parent" | undefined;
}

/** `fields` are the full paths of all fields. The error is the reason in words. */
export function parseMask(given: readonly string[], fields: readonly string[]): Result<Mask, string> {
  if (given.length === 0) return fail("The update mask contains no entries");
  const paths = given.map((path) => partsOf(path, ".").join("."));
  const unknown = paths.find((path) => !fields.some((field) => field === path || field.startsWith(`${path}.`)));
  if (unknown !== undefined) return fail(`The update path: '${shortened(unknown)}' points to an unknown field.`);
  const named = new Set<string>();
  for (const path of paths) {
    if (named.has(path)) return fail(`The update path: '${shortened(path)}' is duplicated.`);
    named.add(path);
  }
  return ok({
    matches: (path) => (named.has(path) ? "exactly" : parentsOf(path).some((parent) => named.has(parent)) ? "by parent" : undefined),
  });
}

/** The new value of a field, or its old one where the mask leaves it alone. */
export function masked<T>(mask: Mask, path: string, values: { readonly old: T; readonly new: T; readonly isDefault: boolean }): T {
  const match = mask.matches(path);
  return match === "exactly" || (match === "by parent" && !values.isDefault) ? values.new : values.old;
}

const parentsOf = (path: string): readonly string[] => {
  const names = path.split(".");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("."));
};

const shortened = (text: string): string => (text.length > 53 ? `${text.slice(0, 50)}...` : text);
