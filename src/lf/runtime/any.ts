/** Any, AnyException and TypeRep: values with their types, which are closed and free of synonyms. */
import type { Type } from "../ast.js";
import { type AnyValue, none, type Optional, Some } from "../value/index.js";
import { compareTypes } from "./type-order.js";

export const fromAny = (type: Type, any: AnyValue): Optional =>
  any.type === type || compareTypes(any.type, type) === 0 ? new Some(any.value) : none;
