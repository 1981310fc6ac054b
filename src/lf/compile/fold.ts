/**
 * FOLDL and FOLDR as functions of their place, so that V8 can inline the function that is folded there. They pay for the
 * length of the list afterwards: the function may be a builtin, which pays nothing itself.
 */
import type { Body } from "./body.js";

export const emitFold = (body: Body, name: string, args: readonly string[]): string | undefined => {
  if (name === "FOLDL") return `${body.unit.site(foldl(body))}(${args.join(", ")})`;
  if (name === "FOLDR") return `${body.unit.site(foldr(body))}(${args.join(", ")})`;
  return undefined;
};

const foldl = ({ unit }: Body): string => `(f, result, list) => {
  let count = 0;
  if (f.arity === 2) for (let rest = list; rest !== ${unit.helper("nil")}; rest = rest.tail, count += 1) result = f(result, rest.head);
  else for (let rest = list; rest !== ${unit.helper("nil")}; rest = rest.tail, count += 1) result = ${unit.helper("apply2")}(f, result, rest.head);
  ${unit.helper("work")}(count);
  return result;
}`;

/** From the right without recursion. The array holds values of any kind from the start, so that none changes what kind it is. */
const foldr = ({ unit }: Body): string => `(f, result, list) => {
  const starts = ${unit.helper("paidStretches")}(list), elements = [${unit.helper("nil")}];
  for (let turn = starts.length - 1; turn >= 0; turn -= 1) {
    let index = ${unit.helper("takeStretch")}(starts[turn], elements) - 1;
    if (f.arity === 2) for (; index >= 0; index -= 1) result = f(elements[index], result);
    else for (; index >= 0; index -= 1) result = ${unit.helper("apply2")}(f, elements[index], result);
  }
  return result;
}`;
