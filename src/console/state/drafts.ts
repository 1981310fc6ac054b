/**
 * What a user wrote in forms: one that is left, or that is not shown while its data cannot be read, has it when it is there again.
 */
import { useState } from "preact/hooks";

const draftsMax = 100; // forms; beyond them the first one is forgotten

const drafts = new Map<string, Map<string, unknown>>();

/** `form`: which form it is, with what it is about. */
export const isDrafted = (form: string, field: string): boolean => drafts.get(form)?.has(field) === true;

function write(form: string, field: string, value: unknown): void {
  const known = drafts.get(form);
  if (known !== undefined) known.set(field, value);
  else {
    if (drafts.size === draftsMax) drafts.delete(drafts.keys().next().value!);
    drafts.set(form, new Map([[field, value]]));
  }
}

/** They are nobody else's. */
export const forgetDrafts = (): void => drafts.clear();

/** As `useState`, of a field of a form. A form that is about something else is another one, and is drawn anew (`key`). */
export function useDraft<T>(form: string, field: string, first: () => T): [value: T, setValue: (value: T) => void] {
  const [value, setValue] = useState<T>(() => (isDrafted(form, field) ? (drafts.get(form)!.get(field) as T) : first()));
  return [
    value,
    (next) => {
      write(form, field, next);
      setValue(() => next);
    },
  ];
}
