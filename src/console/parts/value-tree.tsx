/** A Daml value as a tree, with the types of its package. Only what is open is in the page, and that in pieces. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { count, timeText } from "../daml/names.js";
import { heldBy } from "../daml/values.js";
import { type Shape, shapeOf, type TypedField, type TypeReference, typeText } from "../daml/types.js";
import { Contract, Icon, Party } from "./bits.js";

const childrenShown = 100,
  textShown = 240,
  textPiece = 20_000,
  openDepth = 3,
  openChildrenMax = 24;

function useShape(type: TypeReference | undefined): Shape | undefined {
  const [shape, setShape] = useState<Shape>();
  useEffect(() => {
    let isWanted = true;
    setShape(undefined);
    if (type)
      shapeOf(type).then(
        (found) => isWanted && setShape(found),
        () => undefined,
      ); // the value is shown without types
    return () => void (isWanted = false);
  }, [type]);
  return shape;
}

interface NodeProps {
  readonly name: string;
  readonly value: unknown;
  readonly type?: TypeReference | undefined;
  readonly depth?: number;
}

export function ValueTree({ value, type }: { readonly value: unknown; readonly type?: TypeReference | undefined }): JSX.Element {
  const shape = useShape(type),
    inner = unwrapped(value, shape),
    parts = childrenOf(value, shape);
  if (inner !== undefined) return <ValueTree value={inner.value} type={inner.type} />;
  if (parts === undefined || (parts.length === 0 && shape?.kind === "optional"))
    return (
      <div class="tree">
        <ValueNode name="" value={value} type={type} />
      </div>
    );
  return <div class="tree">{parts.length === 0 ? <span class="dim">no fields</span> : <Children parts={parts} depth={0} />}</div>;
}

function ValueNode({ name, value, type, depth = 0 }: NodeProps): JSX.Element {
  const shape = useShape(type),
    inner = unwrapped(value, shape);
  const parts = inner === undefined ? childrenOf(value, shape) : undefined;
  const [isOpen, setOpen] = useState<boolean>();
  if (inner !== undefined) return <ValueNode name={name} value={inner.value} type={inner.type} depth={depth} />;
  const label = (
    <>
      {name !== "" && <span class="field">{name}</span>}
      {type && <span class="type">{typeText(type.type, type.bindings).slice(0, 120)}</span>}
    </>
  );
  if (parts === undefined || parts.length === 0)
    return (
      <div class="node">
        <span class="twist" />
        {label}
        <Leaf value={value} shape={shape} />
      </div>
    );
  const open = isOpen ?? (depth < openDepth && parts.length <= openChildrenMax);
  return (
    <div class="node">
      <button
        class="twist"
        aria-expanded={open}
        aria-label={`${open ? "Close" : "Open"} ${name || "value"}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
      </button>
      {label}
      <span class="dim">{summaryOf(value, shape, parts.length)}</span>
      {open && (
        <div class="inside">
          <Children parts={parts} depth={depth + 1} />
        </div>
      )}
    </div>
  );
}

interface Part {
  readonly name: string;
  readonly value: unknown;
  readonly type: TypeReference | undefined;
}

function Children({ parts, depth }: { readonly parts: Parts; readonly depth: number }): JSX.Element {
  const [shown, setShown] = useState(childrenShown);
  const rows: ComponentChildren[] = [];
  for (let index = 0; index < Math.min(shown, parts.length); index++) {
    const { name, value, type } = parts.at(index);
    rows.push(<ValueNode key={index} name={name} value={value} type={type} depth={depth} />);
  }
  return (
    <>
      {rows}
      {shown < parts.length && (
        <button class="link more" onClick={() => setShown(shown + childrenShown)}>
          {count(parts.length - shown)} more
        </button>
      )}
    </>
  );
}

/** Made when they are looked at: a list may have a million. */
interface Parts {
  readonly length: number;
  at(index: number): Part;
}

function childrenOf(value: unknown, shape: Shape | undefined): Parts | undefined {
  if (shape?.kind === "optional") {
    const held = heldBy(shape, value);
    return { length: held ? 1 : 0, at: () => ({ name: "Some", value: held?.value, type: shape.element }) };
  }
  if (Array.isArray(value)) {
    if (shape?.kind === "map") return { length: value.length, at: (index) => entryOf(value[index], shape, index) };
    const element = shape?.kind === "list" ? shape.element : undefined;
    return { length: value.length, at: (index) => ({ name: String(index), value: value[index], type: element }) };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  if (shape?.kind === "variant") {
    const tag = String(members["tag"]),
      type = shape.constructors.find(({ name }) => name === tag)?.type;
    return { length: 1, at: () => ({ name: tag, value: members["value"], type }) };
  }
  const fields: readonly TypedField[] = shape?.kind === "record" ? shape.fields : [];
  const declared = fields.filter(({ name }) => Object.hasOwn(members, name)).map(({ name }) => name),
    known = new Set(declared);
  const names = [...declared, ...Object.keys(members).filter((name) => !known.has(name))],
    types = new Map(fields.map(({ name, type }) => [name, type]));
  const element = shape?.kind === "textMap" ? shape.element : undefined;
  return {
    length: names.length,
    at: (index) => ({ name: names[index]!, value: members[names[index]!], type: types.get(names[index]!) ?? element }),
  };
}

function entryOf(entry: unknown, { value: type }: Extract<Shape, { kind: "map" }>, index: number): Part {
  const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [index, entry];
  return { name: typeof key === "string" ? key : JSON.stringify(key).slice(0, 200), value, type };
}

/** What an optional holds is shown in its place; of nested ones each level is shown, as Some None is another value than None. */
function unwrapped(value: unknown, shape: Shape | undefined): { readonly value: unknown; readonly type: TypeReference } | undefined {
  return shape?.kind === "optional" && !shape.isNested && value !== null ? { value, type: shape.element } : undefined;
}

function summaryOf(value: unknown, shape: Shape | undefined, length: number): string {
  if (shape?.kind === "variant" || shape?.kind === "optional") return "";
  if (shape?.kind === "map" || shape?.kind === "textMap") return length === 1 ? "1 entry" : `${count(length)} entries`;
  if (!Array.isArray(value)) return "";
  return length === 1 ? "1 element" : `${count(length)} elements`;
}

function Leaf({ value, shape }: { readonly value: unknown; readonly shape: Shape | undefined }): JSX.Element {
  if (value === null || value === undefined || shape?.kind === "optional") return <span class="dim">None</span>;
  if (typeof value === "object") return <span class="dim">{Array.isArray(value) || shape?.kind === "textMap" ? "empty" : "()"}</span>;
  if (typeof value === "boolean") return <span class="value">{value ? "True" : "False"}</span>;
  const text = String(value);
  if (shape?.kind === "contractId" || (shape === undefined && /^00[0-9a-f]{66,}$/.test(text))) return <Contract id={text} />;
  if (shape?.kind === "scalar") {
    if (shape.name === "Party") return <Party party={text} />;
    if (shape.name === "Int" || shape.name === "Numeric") return <span class="value number">{text.slice(0, 100)}</span>;
    if (shape.name === "Time")
      return (
        <span class="value" title={text}>
          {timeText(text)}
        </span>
      );
    if (shape.name === "Text") return <LongText text={text} />;
  }
  return shape?.kind === "enum" ? <span class="value">{text.slice(0, 300)}</span> : <LongText text={text} />;
}

function LongText({ text }: { readonly text: string }): JSX.Element {
  const [shown, setShown] = useState(textShown);
  if (text.length <= shown) return <span class="value text">{text}</span>;
  return (
    <span class="value text">
      {text.slice(0, shown)}…{" "}
      <button class="link" onClick={() => setShown(shown === textShown ? textPiece : shown + textPiece)}>
        more of {count(text.length)} characters
      </button>
    </span>
  );
}
