/** Records of typed parts, as many as a question or command has: one type for each number of parts. */
import type { Expr, Type } from "../../src/lf/ast.js";
import { expr, type ModuleBuilder, type } from "./lf-builder.js";

export interface Typed {
  readonly type: Type;
  readonly expr: Expr;
}

const sizes = [0, 1, 2, 3, 8] as const;
const fields = (size: number) => Array.from({ length: size }, (_, index) => ({ name: `f${index}`, type: type.variable(`tf${index}`) }));

export class Payloads {
  constructor(readonly module: ModuleBuilder) {
    for (const size of sizes)
      module.dataType(
        `Payload${size}`,
        { kind: "record", fields: fields(size) },
        fields(size).map(({ name }) => `t${name}`),
        false,
      );
  }

  type(...types: readonly Type[]): Type {
    return type.con(this.module.id(`Payload${types.length}`), ...types);
  }

  of(...parts: readonly Typed[]): Typed {
    const types = parts.map((part) => part.type);
    return {
      type: this.type(...types),
      expr: expr.record(
        this.module.id(`Payload${parts.length}`),
        Object.fromEntries(parts.map((part, index) => [`f${index}`, part.expr])),
        ...types,
      ),
    };
  }
}

export const typedText = (value: string): Typed => ({ type: type.text, expr: expr.text(value) });
export const typedBool = (value: boolean): Typed => ({ type: type.bool, expr: expr.bool(value) });
export const typedList = (element: Type, ...elements: readonly Expr[]): Typed => ({
  type: type.list(element),
  expr: expr.list(element, ...elements),
});
export const typedOption = (element: Type, value: Expr | undefined): Typed => ({
  type: type.optional(element),
  expr: value === undefined ? expr.none(element) : expr.some(element, value),
});
