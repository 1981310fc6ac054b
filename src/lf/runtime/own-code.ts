/**
 * A copy of a function with code of its own. V8 keeps what it learns of the values that a function meets with the function's
 * text, for all closures made of it: a general function called for every kind of value is compiled for every kind of value.
 * The function must be closed: what it uses from outside comes in through its parameters.
 */
export const withOwnCode = <F extends (...parameters: never[]) => unknown>(f: F): F =>
  new Function(`"use strict"; return ${f.toString()};`)() as F;
