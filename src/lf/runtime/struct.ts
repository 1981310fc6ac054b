/**
 * Structs, mostly type-class dictionaries. Each set of field names gets one class; a field name gets one property for
 * all of them (`f0`, `f1`, ...), so that names of packages never become identifiers and a projection is one load.
 */
import { StructValue, type Value } from "../value/index.js";
import { checkParameters } from "./budget.js";

/** Takes the values in the order of the sorted names. */
export type StructClass = new (...values: Value[]) => StructValue;

interface StructPrototype {
  readonly fieldNames: readonly string[];
  readonly slots: readonly string[];
}

type Slots = StructValue & StructPrototype & Record<string, Value>;

export class StructLayouts {
  readonly #slots = new Map<string, string>();
  readonly #classes = new Map<string, StructClass>();

  /** The property that holds a field. */
  slot(name: string): string {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = `f${this.#slots.size}`;
    this.#slots.set(name, slot);
    return slot;
  }

  /** The class of structs with these fields; the names must be sorted. */
  of(fieldNames: readonly string[]): StructClass {
    const key = fieldNames.join(" ");
    const known = this.#classes.get(key);
    if (known !== undefined) return known;
    checkParameters(fieldNames.length);
    const made = defineClass(
      fieldNames,
      fieldNames.map((name) => this.slot(name)),
    );
    this.#classes.set(key, made);
    return made;
  }
}

const defineClass = (fieldNames: readonly string[], slots: readonly string[]): StructClass => {
  const parameters = slots.map((_, index) => `a${index}`);
  const assignments = slots.map((slot, index) => `this.${slot} = a${index};`);
  const made = new Function(`return class { constructor(${parameters.join(", ")}) { ${assignments.join(" ")} } };`)() as StructClass;
  Object.setPrototypeOf(made.prototype, structPrototype);
  Object.assign(made.prototype, { fieldNames, slots } satisfies StructPrototype);
  return made;
};

/** Between `StructValue` and the generated classes: what needs the slots. */
const structPrototype = Object.create(StructValue.prototype, {
  field: {
    value(this: Slots, name: string): Value {
      return this[this.slots[this.fieldNames.indexOf(name)]!]!;
    },
  },
}) as StructValue;

export const structFields = (struct: StructValue): Value[] => (struct as Slots).slots.map((slot) => (struct as Slots)[slot]!);

/** A copy with one field changed. */
export const updateStruct = (struct: StructValue, slot: string, value: Value): StructValue => {
  const { slots } = struct as Slots;
  const values = slots.map((each) => (each === slot ? value : (struct as Slots)[each]!));
  return new (struct.constructor as StructClass)(...values);
};
