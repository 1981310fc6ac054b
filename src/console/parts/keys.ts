/** Keys of the page, wherever the focus is. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Who has the focus may have taken a key for himself, as an open picker does. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useLayoutEffect(() => {
    // as soon as what it is for can be seen
    const listen = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey) latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

export const isWithin = ({ target }: Event, selector: string): boolean => target instanceof Element && target.closest(selector) !== null;

/** Where keys write. */
export const fields = "input, textarea, select";
