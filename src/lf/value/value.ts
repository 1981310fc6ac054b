/**
 * Run-time values of Daml-LF, as compiled code makes and reads them. Types are erased: whoever needs a type (JSON, wire,
 * hash) brings it along, see `value-type.ts`.
 *
 * | LF                     | here                                                             |
 * | Unit                   | `unit`                                                           |
 * | Bool                   | boolean                                                          |
 * | Int64                  | `Int64`: number, or bigint beyond its exact range                |
 * | Timestamp              | bigint (microseconds since the epoch)                            |
 * | Numeric n              | `Numeric`                                                        |
 * | Date                   | number (days since the epoch)                                    |
 * | Text, Party            | string (UTF-16)                                                  |
 * | ContractId             | `ContractId`                                                     |
 * | record                 | array of values in declaration order                             |
 * | struct                 | `StructValue`, see `runtime/struct.ts`                           |
 * | variant / enum         | `Variant` (see `runtime/record-variant.ts`) / `EnumValue`        |
 * | List                   | `Cons` cells ended by `nil`                                      |
 * | Optional               | `none` / `Some`                                                  |
 * | TextMap, GenMap        | `LfMap` (persistent, ordered)                                    |
 * | Any, AnyException      | `AnyValue`                                                       |
 * | interface value        | `InterfaceValue`                                                 |
 * | TypeRep                | `TypeRep`                                                        |
 * | function, Update       | JavaScript function, see `runtime/function.ts`                   |
 */
import type { DefinitionId, Type } from "../ast.js";
import { int64Of } from "./int64.js";

export class Unit {
  readonly tag = "unit";
}
export const unit: Unit = Object.freeze(new Unit());

export class Numeric {
  /** All digits as one integer, in the form of an Int64 (but up to 38 digits): a number as long as a double holds it exactly. */
  readonly digits: number | bigint;
  /** A number must be a safe integer, and not -0. */
  constructor(
    digits: number | bigint,
    readonly scale: number,
  ) {
    this.digits = typeof digits === "bigint" ? int64Of(digits) : digits;
  }
  get unscaled(): bigint {
    return BigInt(this.digits);
  }
}

/** Works out the ids of contracts that a transaction has made so far, and gives them to those who carry them. */
export interface PendingIds {
  resolve(): void;
}

/**
 * Lower-case hex. A local id (33 bytes, made by the running transaction) has no suffix yet, and is worked out when somebody asks for it.
 */
export class ContractId {
  private known: string | undefined;
  private pending: PendingIds | undefined;

  constructor(hex: string | PendingIds) {
    const isKnown = typeof hex === "string";
    this.known = isKnown ? hex : undefined;
    this.pending = isKnown ? undefined : hex;
  }

  get hex(): string {
    if (this.known === undefined) this.pending!.resolve();
    return this.known!;
  }

  become(hex: string): void {
    this.known = hex;
    this.pending = undefined;
  }
}

export class Variant {
  constructor(
    readonly rank: number,
    readonly constructor_: string,
    readonly value: Value,
  ) {}
}
export class EnumValue {
  constructor(
    readonly rank: number,
    readonly constructor_: string,
  ) {}
}

export class Nil {
  readonly tag = "nil";
}
export const nil: Nil = Object.freeze(new Nil());
export class Cons {
  constructor(
    readonly head: Value,
    readonly tail: List,
  ) {}
}
export type List = Nil | Cons;

export class None {
  readonly tag = "none";
}
export const none: None = Object.freeze(new None());
export class Some {
  constructor(readonly value: Value) {}
}
export type Optional = None | Some;

/** A value with its closed, synonym-free type: Any and AnyException. */
export class AnyValue {
  constructor(
    readonly type: Type,
    readonly value: Value,
  ) {}
}
export class TypeRep {
  constructor(readonly type: Type) {}
}
/** The payload of a template seen through an interface. */
export class InterfaceValue {
  constructor(
    readonly template: DefinitionId,
    readonly payload: RecordValue,
  ) {}
}

export type RecordValue = readonly Value[];

/** A struct: never stored, so only compiled code meets it. `runtime/struct.ts` makes one subclass per set of field names. */
export abstract class StructValue {
  /** Sorted; lives on the prototype. */
  declare readonly fieldNames: readonly string[];
  abstract field(name: string): Value;
}

/** What compiled code needs of an ordered persistent map; made by `runtime/map.ts`. */
export interface LfMap {
  readonly size: number;
  /** In key order. */
  entries(): IterableIterator<readonly [Value, Value]>;
}

/** A function value: `arity` is the number of arguments it takes at once. Updates are functions of the machine. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FunctionValue = (...args: any[]) => any;

export type Value =
  | Unit
  | boolean
  | bigint
  | number
  | string
  | Numeric
  | ContractId
  | RecordValue
  | StructValue
  | Variant
  | EnumValue
  | List
  | Optional
  | LfMap
  | AnyValue
  | TypeRep
  | InterfaceValue
  | FunctionValue;
