/**
 * Variants whose payload is a record that was made for them: one object holds the fields, `f0` and so on, instead of a variant, a
 * record and its elements. Who asks for the payload as a record gets one that is made then.
 */
import { unit, type Value, Variant } from "../value/index.js";

/** Records with more fields are shared rather than copied. */
const heldFieldsMax = 8;

type RecordVariantClass = new (rank: number, constructor_: string, ...fields: Value[]) => Variant;

const defineClass = (count: number): RecordVariantClass => {
  const fields = Array.from({ length: count }, (_, index) => `f${index}`);
  const assignments = ["rank", "constructor_", ...fields].map((name) => `this.${name} = ${name};`).join(" ");
  const payload = fields.map((name) => `this.${name}`).join(", ");
  const made = new Function(
    `return class { constructor(rank, constructor_, ${fields.join(", ")}) { ${assignments} } get value() { return [${payload}]; } };`,
  )() as RecordVariantClass;
  Object.setPrototypeOf(made.prototype, Variant.prototype);
  // From the start V8 keeps values of any kind in the fields, so that none changes what kind it is.
  for (const value of [unit, 0]) new made(0, "", ...new Array<Value>(count).fill(value));
  return made;
};

const classes = Array.from({ length: heldFieldsMax }, (_, index) => defineClass(index + 1));

/** Of variants that hold so many fields; undefined when a variant does not. */
export const recordVariant = (count: number): RecordVariantClass | undefined => classes[count - 1];
