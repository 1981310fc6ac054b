/** A list of any length, of which only what can be seen is in the page. */
import type { ComponentChildren, JSX, RefObject, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Browsers lay out no element that is much higher; a longer list scrolls faster instead. */
const heightMax = 12_000_000;
const rowsAround = 6;

interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly selected?: number | undefined;
  readonly onSelect?: ((index: number) => void) | undefined;
  /** The last rows can be seen. */
  readonly onEnd?: (() => void) | undefined;
  readonly row: (index: number) => ComponentChildren;
  readonly class?: string;
  /** How many rows came above the others, ever: whoever has scrolled away from the top goes on seeing the same. */
  readonly addedAtTop?: number;
  /** Another element has the keys. */
  readonly isDriven?: boolean;
}

export function VirtualList({
  count,
  rowHeight,
  label,
  selected,
  onSelect,
  onEnd,
  row,
  class: className = "",
  isDriven = false,
  addedAtTop = 0,
}: VirtualListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null),
    id = useId();
  const [top, setTop] = useState(0),
    height = useHeightOf(box);
  const whole = count * rowHeight,
    spacer = Math.min(whole, heightMax);
  const factor = spacer > height && whole > spacer ? (whole - height) / (spacer - height) : 1;
  const offset = Math.min(top * factor, Math.max(0, whole - height));
  const first = Math.max(0, Math.floor(offset / rowHeight) - rowsAround),
    last = Math.min(count, Math.ceil((offset + height) / rowHeight) + rowsAround);

  const added = useRef(addedAtTop);
  useLayoutEffect(() => {
    const element = box.current!,
      more = addedAtTop - added.current;
    added.current = addedAtTop;
    if (more > 0 && element.scrollTop > 0) element.scrollTop += (more * rowHeight) / factor;
  }, [addedAtTop]);
  useEffect(() => {
    if (onEnd && count > 0 && last >= count) onEnd();
  }, [last, count]);
  useEffect(() => {
    if (selected !== undefined && selected >= 0) show(selected);
  }, [selected]);

  function show(index: number): void {
    const element = box.current!,
      from = index * rowHeight,
      now = Math.min(element.scrollTop * factor, Math.max(0, whole - height));
    if (from < now) element.scrollTop = from / factor;
    else if (from + rowHeight > now + element.clientHeight) element.scrollTop = (from + rowHeight - element.clientHeight) / factor;
  }

  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    if (onSelect === undefined || isDriven || count === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1),
      at = selected === undefined || selected < 0 ? -1 : selected,
      to = rowByKey(event.key, { at, page, count });
    if (to === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(count - 1, to)));
  }

  // An element that left at one end comes in again at the other: to make new ones costs more than to fill these.
  const elements = Math.ceil(height / rowHeight) + 2 * rowsAround + 1,
    rows: JSX.Element[] = [];
  for (let index = first; index < last; index++) {
    rows.push(
      <div
        key={index % elements}
        id={`${id}-${index}`}
        role={onSelect ? "option" : "listitem"}
        aria-selected={onSelect ? index === selected : undefined}
        aria-setsize={count}
        aria-posinset={index + 1}
        class={`virtual-row${index === selected ? " is-selected" : ""}`}
        style={{ height: `${rowHeight}px`, transform: `translateY(${Math.round(index * rowHeight - offset + top)}px)` }}
        onClick={() => onSelect?.(index)}
      >
        {row(index)}
      </div>,
    );
  }
  const isShown = selected !== undefined && selected >= first && selected < last;
  return (
    <div
      ref={box}
      class={`virtual-list ${className}`}
      tabIndex={isDriven ? -1 : 0}
      role={onSelect ? "listbox" : "list"}
      aria-label={label}
      aria-activedescendant={onSelect && isShown ? `${id}-${selected}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="virtual-whole" role="presentation" style={{ height: `${spacer}px` }}>
        {rows}
      </div>
    </div>
  );
}

/** In pixels, as it is now. */
function useHeightOf(box: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    setHeight(element.clientHeight);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return height;
}

/** It may lie before the first or behind the last row; undefined: the key goes nowhere. */
function rowByKey(
  key: string,
  { at, page, count }: { readonly at: number; readonly page: number; readonly count: number },
): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  return rows[key];
}
