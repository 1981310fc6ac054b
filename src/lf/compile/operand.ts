/** Code that is read more than once: names and numbers as they are, anything else through a temporary. */
import type { Body } from "./body.js";

export interface Operands {
  /** Assignments to evaluate first. */
  readonly prefix: readonly string[];
  readonly names: readonly string[];
}

/** Evaluated from left to right: the parts of `inOrder` allow that. */
export const emitOperands = (body: Body, parts: readonly string[]): Operands => {
  const prefix: string[] = [];
  const names = parts.map((code) => {
    if (isName(code) || isNumber(code)) return code;
    const name = body.temporary();
    prefix.push(`${name} = ${code}`);
    return name;
  });
  return { prefix, names };
};

const isName = (code: string): boolean => /^[ksv]\d+$/.test(code);
export const isNumber = (code: string): boolean => /^(\d+|\(-\d+\))$/.test(code);

/** What to ask before operands are taken for doubles. */
export const typeTests = (names: readonly string[]): readonly string[] =>
  names.filter((each) => !isNumber(each)).map((each) => `typeof ${each} === "number"`);
