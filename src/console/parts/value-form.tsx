/** A form for a value of any type that can be on a ledger. What it makes is what the API takes. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { partyName } from "../daml/names.js";
import { noBindings, type Shape, shapeOf, type TypeReference, typeText } from "../daml/types.js";
import { heldBy, initialSome, initialValue, noneOf, someOf } from "../daml/values.js";
import { parties } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Icon, Party } from "./bits.js";
import { type Choice, Picker } from "./picker.js";

export interface FormProps {
  readonly name: string;
  readonly type: TypeReference;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Where it stands, as errors name it: `legs[0].amount`; empty for all of it. */
  readonly path: string;
  /** The path that an error is about. */
  readonly wrong: string | undefined;
}

const hints: Readonly<Record<string, string>> = {
  Int: "like 42",
  Numeric: "like 1.5",
  Date: "like 2026-01-31",
  Time: "like 2026-01-31T12:00:00Z",
  Text: "",
};
const elementsShown = 200;

export function ValueForm(props: FormProps): JSX.Element {
  const { type, name } = props,
    [shape, setShape] = useState<Shape>(),
    [problem, setProblem] = useState("");
  useEffect(() => {
    let isWanted = true;
    shapeOf(type).then(
      (found) => isWanted && setShape(found),
      (error: Error) => isWanted && setProblem(error.message),
    );
    return () => void (isWanted = false);
  }, [type]);
  if (problem !== "")
    return (
      <p class="problem">
        {name}: {problem}
      </p>
    );
  return shape === undefined ? <p class="dim">{name}…</p> : <ShapeForm {...props} shape={shape} />;
}

type ShapeProps<K extends Shape["kind"] = Shape["kind"]> = FormProps & { readonly shape: Extract<Shape, { kind: K }> };

function ShapeForm(props: ShapeProps): JSX.Element {
  const { shape } = props;
  switch (shape.kind) {
    case "scalar":
      return <Scalar {...props} shape={shape} />;
    case "contractId":
      return <TextField {...props} placeholder="00…" />;
    case "enum":
      return <Chosen {...props} names={shape.names} />;
    case "record":
      return <RecordForm {...props} shape={shape} />;
    case "variant":
      return <VariantForm {...props} shape={shape} />;
    case "optional":
      return <OptionalForm {...props} shape={shape} />;
    case "list":
      return <ListForm {...props} element={shape.element} />;
    case "textMap":
      return <EntriesForm {...props} keyType={undefined} element={shape.element} />;
    case "map":
      return <EntriesForm {...props} keyType={shape.key} element={shape.value} />;
    case "unknown":
      return (
        <p class="dim">
          {props.name}: a value of type {shape.name} cannot be written here
        </p>
      );
  }
}

const isWrong = ({ wrong, path }: FormProps): boolean => wrong === path;

function Label({
  props,
  id,
  children,
}: {
  readonly props: FormProps;
  readonly id?: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const text = (
    <>
      <span class="field">{props.name || "value"}</span>{" "}
      <span class="type">{typeText(props.type.type, props.type.bindings).slice(0, 100)}</span>
      {children}
    </>
  );
  return id === undefined ? (
    <span class="form-label">{text}</span>
  ) : (
    <label class="form-label" for={id}>
      {text}
    </label>
  );
}

function TextField(props: FormProps & { readonly placeholder: string; readonly isLong?: boolean }): JSX.Element {
  const id = useId(),
    value = String(props.value ?? "");
  const attributes = {
    id,
    value,
    placeholder: props.placeholder,
    spellcheck: false,
    "aria-invalid": isWrong(props),
    class: "input",
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => props.onChange(event.currentTarget.value),
  };
  return (
    <div class="form-row">
      <Label props={props} id={id} />
      {props.isLong ? <textarea rows={value.includes("\n") ? 4 : 1} {...attributes} /> : <input type="text" {...attributes} />}
    </div>
  );
}

function Scalar(props: ShapeProps<"scalar">): JSX.Element {
  const id = useId(),
    {
      shape: { name },
      value,
      onChange,
    } = props;
  if (name === "Party")
    return (
      <div class="form-row">
        <Label props={props} />
        <PartyPicker label={props.name || "party"} value={String(value ?? "")} onPick={onChange} isWrong={isWrong(props)} />
      </div>
    );
  if (name === "()")
    return (
      <div class="form-row">
        <Label props={props} />
        <span class="dim">nothing to say</span>
      </div>
    );
  if (name === "Bool")
    return (
      <div class="form-row">
        <Label props={props} id={id} />
        <input id={id} type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      </div>
    );
  return <TextField {...props} placeholder={hints[name] ?? ""} isLong={name === "Text"} />;
}

export function PartyPicker({
  label,
  value,
  onPick,
  isWrong: wrong = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onPick: (party: string) => void;
  readonly isWrong?: boolean;
}): JSX.Element {
  const all = useStore(parties);
  const choices = useMemo(
    () =>
      all.map((party): Choice => ({
        value: party,
        text: partyName(party),
        note: party.slice(partyName(party).length, partyName(party).length + 22),
      })),
    [all],
  );
  return (
    <span class={wrong ? "is-wrong" : ""}>
      <Picker
        label={label}
        choices={choices}
        value={value === "" ? undefined : value}
        none="choose a party"
        isRequired
        onPick={(party) => onPick(party ?? "")}
        shown={({ value: party }) => <Party party={party} isPlain />}
      />
    </span>
  );
}

function Chosen(props: FormProps & { readonly names: readonly string[] }): JSX.Element {
  const id = useId();
  return (
    <div class="form-row">
      <Label props={props} id={id} />
      <select id={id} value={String(props.value)} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.names.slice(0, 1_000).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </div>
  );
}

function RecordForm(props: ShapeProps<"record">): JSX.Element {
  const {
      shape: { fields },
      value,
      onChange,
      path,
      wrong,
      name,
    } = props,
    members = asMembers(value);
  const inside = fields.map((field) => (
    <ValueForm
      key={field.name}
      name={field.name}
      type={field.type}
      value={members[field.name]}
      path={path === "" ? field.name : `${path}.${field.name}`}
      wrong={wrong}
      onChange={(changed) => onChange({ ...members, [field.name]: changed })}
    />
  ));
  if (name === "") return <>{fields.length === 0 ? <p class="dim">Nothing to fill in.</p> : inside}</>;
  return (
    <fieldset>
      <legend>
        <Label props={props} />
      </legend>
      {inside}
    </fieldset>
  );
}

function VariantForm(props: ShapeProps<"variant">): JSX.Element {
  const {
      shape: { constructors },
      value,
      onChange,
      path,
      wrong,
    } = props,
    { tag, value: inner } = asMembers(value),
    chosen = constructors.find(({ name }) => name === tag);
  const choose = async (name: string): Promise<void> => {
    const of = constructors.find((one) => one.name === name);
    onChange({ tag: name, value: of && (await initialValue(of.type)) });
  };
  return (
    <fieldset>
      <legend>
        <Label props={props} />
      </legend>
      <select aria-label={`Constructor of ${props.name}`} value={String(tag)} onChange={(event) => void choose(event.currentTarget.value)}>
        {constructors.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {chosen && (
        <ValueForm
          key={chosen.name}
          name="value"
          type={chosen.type}
          value={inner}
          path={`${path}.value`}
          wrong={wrong}
          onChange={(changed) => onChange({ tag: chosen.name, value: changed })}
        />
      )}
    </fieldset>
  );
}

function OptionalForm({ shape, ...props }: ShapeProps<"optional">): JSX.Element {
  const { value, onChange, path, wrong } = props,
    id = useId(),
    held = heldBy(shape, value);
  const toggle = async (isOn: boolean): Promise<void> => onChange(isOn ? await initialSome(shape) : noneOf(shape));
  return (
    <div class="form-optional">
      <div class="form-row">
        <Label props={props} id={id} />
        <input id={id} type="checkbox" checked={held !== undefined} onChange={(event) => void toggle(event.currentTarget.checked)} />
      </div>
      {held && (
        <ValueForm
          name="Some"
          type={shape.element}
          value={held.value}
          path={path}
          wrong={wrong}
          onChange={(changed) => onChange(someOf(shape, changed))}
        />
      )}
    </div>
  );
}

/** Keys of elements, which go with them as others are removed. */
function useKeys(length: number): number[] {
  const keys = useRef<number[]>([]),
    made = useRef(0);
  while (keys.current.length < length) keys.current.push(made.current++);
  keys.current.length = length;
  return keys.current;
}

interface RowsProps {
  readonly of: FormProps;
  readonly what: "element" | "entry";
  readonly length: number;
  readonly row: (index: number) => JSX.Element;
  readonly onRemove: (index: number) => void;
  readonly onAdd: () => Promise<void>;
}

/** What is added and removed one by one. */
function Rows({ of, what, length, row, onRemove, onAdd }: RowsProps): JSX.Element {
  const keys = useKeys(length);
  return (
    <fieldset>
      <legend>
        <Label props={of} />
      </legend>
      {keys.slice(0, elementsShown).map((key, index) => (
        <div class="form-element" key={key}>
          {row(index)}
          <button
            type="button"
            class="close"
            aria-label={`Remove ${what} ${index}`}
            onClick={() => {
              keys.splice(index, 1);
              onRemove(index);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="link" onClick={() => void onAdd()}>
        add an {what}
      </button>
    </fieldset>
  );
}

function ListForm({ element, ...props }: FormProps & { readonly element: TypeReference }): JSX.Element {
  const { value, onChange, path, wrong } = props,
    elements = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return (
    <Rows
      of={props}
      what="element"
      length={elements.length}
      row={(index) => (
        <ValueForm
          name={String(index)}
          type={element}
          value={elements[index]}
          path={`${path}[${index}]`}
          wrong={wrong}
          onChange={(changed) => onChange(elements.with(index, changed))}
        />
      )}
      onRemove={(index) => onChange(elements.toSpliced(index, 1))}
      onAdd={async () => onChange([...elements, await initialValue(element)])}
    />
  );
}

const textType: TypeReference = { type: { builtin: "Text" }, packageId: "", bindings: noBindings };

/** Maps from texts are objects in JSON, others lists of pairs. */
function EntriesForm({
  keyType,
  element,
  ...props
}: FormProps & { readonly keyType: TypeReference | undefined; readonly element: TypeReference }): JSX.Element {
  const { value, onChange, path, wrong } = props;
  // Not from the value, in which two entries whose keys are not written yet are one.
  const [entries, setEntries] = useState<readonly (readonly [unknown, unknown])[]>(() =>
    Array.isArray(value) ? (value as [unknown, unknown][]) : Object.entries(asMembers(value)),
  );
  const tell = (changed: readonly (readonly [unknown, unknown])[]): void => {
    setEntries(changed);
    onChange(keyType === undefined ? Object.fromEntries(changed.map(([key, one]) => [String(key), one])) : changed);
  };
  const row = (index: number): JSX.Element => {
    const [key, one] = entries[index]!;
    return (
      <div>
        <ValueForm
          name="key"
          type={keyType ?? textType}
          value={key}
          path={keyType === undefined ? path : `${path}[${index}][0]`}
          wrong={wrong}
          onChange={(changed) => tell(entries.with(index, [changed, one]))}
        />
        <ValueForm
          name="value"
          type={element}
          value={one}
          path={keyType === undefined ? `${path}.${String(key)}` : `${path}[${index}][1]`}
          wrong={wrong}
          onChange={(changed) => tell(entries.with(index, [key, changed]))}
        />
      </div>
    );
  };
  return (
    <Rows
      of={props}
      what="entry"
      length={entries.length}
      row={row}
      onRemove={(index) => tell(entries.toSpliced(index, 1))}
      onAdd={async () => tell([...entries, [keyType === undefined ? "" : await initialValue(keyType), await initialValue(element)]])}
    />
  );
}

const asMembers = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
