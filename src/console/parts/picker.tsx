/** One of many, found by a part of its name. */
import type { ComponentChildren, JSX, RefObject, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "./bits.js";
import { VirtualList } from "./virtual-list.js";

export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly note?: string;
}

interface PickerProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
  readonly none: string;
  readonly onPick: (value: string | undefined) => void;
  readonly shown?: (choice: Choice) => ComponentChildren;
  /** Something has to be chosen. */
  readonly isRequired?: boolean;
}

/** Once, when it comes: a function made with each drawing would take the focus back with each. */
const focused = (element: HTMLInputElement | null): void => element?.focus();

export function Picker({ label, choices, value, none, onPick, shown = ({ text }) => text, isRequired = false }: PickerProps): JSX.Element {
  const [isOpen, setOpen] = useState(false),
    [typed, setTyped] = useState(""),
    [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null),
    opener = useRef<HTMLButtonElement>(null),
    id = useId();
  const found = useMemo(() => (isOpen ? withAllOf(typed, choices) : []), [choices, typed, isOpen]);
  const rows: readonly (Choice | undefined)[] = isRequired || typed !== "" ? found : [undefined, ...found];
  const chosen = value === undefined ? undefined : (choices.find((choice) => choice.value === value) ?? { value, text: value });

  usePointerOutside(box, isOpen, () => setOpen(false));
  const pick = (choice: Choice | undefined): void => {
    setOpen(false);
    setTyped("");
    onPick(choice?.value);
    opener.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "ArrowDown") setAt(Math.min(rows.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Enter" && at < rows.length) pick(rows[at]);
    else if (event.key === "Escape") {
      setOpen(false);
      opener.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="picker" ref={box}>
      <button
        ref={opener}
        type="button"
        class="picker-open"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
          setAt(0);
        }}
      >
        <span class="picker-label">{label}</span>{" "}
        {chosen ? <span class="picker-value">{shown(chosen)}</span> : <span class="dim">{none}</span>}
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div class="popover">
          <input
            ref={focused}
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-label={`Find ${label.toLowerCase()}`}
            placeholder="Find…"
            value={typed}
            spellcheck={false}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={id} class="popover-list">
            {rows.length === 0 ? (
              <p class="dim pad">Nothing is called so.</p>
            ) : (
              <VirtualList
                isDriven
                count={rows.length}
                rowHeight={34}
                label={label}
                selected={at}
                onSelect={(index) => pick(rows[index])}
                row={(index) => pickerRow(rows[index], shown, none)}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** All words that were typed, each anywhere in what is known of a choice. */
function withAllOf(typed: string, choices: readonly Choice[]): readonly Choice[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return choices.filter(({ value, text, note = "" }) => words.every((word) => `${text} ${note} ${value}`.toLowerCase().includes(word)));
}

/** While `isOpen`. */
function usePointerOutside(box: RefObject<HTMLDivElement | null>, isOpen: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = (event: PointerEvent): void => {
      if (!box.current!.contains(event.target as globalThis.Node)) leave();
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [isOpen]);
}

/** Undefined: none of them. */
const pickerRow = (choice: Choice | undefined, shown: NonNullable<PickerProps["shown"]>, none: string): JSX.Element =>
  choice ? (
    <span class="picker-row">
      {shown(choice)}
      {choice.note && <span class="dim">{choice.note}</span>}
    </span>
  ) : (
    <span class="dim">{none}</span>
  );
