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

/** From the right without recursion. */
const foldr = ({ unit }: Body): string => `(f, result, list) => {
  const chunks = ${unit.helper("paidChunks")}(list);
  for (let turn = chunks.length - 1; turn >= 0; turn -= 1) {
    const chunk = chunks[turn];
    if (f.arity === 2) for (let index = chunk.length - 1; index >= 0; index -= 1) result = f(chunk[index], result);
    else for (let index = chunk.length - 1; index >= 0; index -= 1) result = ${unit.helper("apply2")}(f, chunk[index], result);
  }
  return result;
}`;
