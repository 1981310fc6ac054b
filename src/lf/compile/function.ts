/** Lambdas and whole definitions as arrow functions. */
import type { Expr } from "../ast.js";
import { checkParameters } from "../runtime/index.js";
import { Body, type Emission, type FunctionShape } from "./body.js";
import { Environment, type Scope } from "./environment.js";
import { growsList } from "./growing-list.js";
import { emitUnwinding, waitingCalls, waitingVariables } from "./waiting-call.js";

/** The text of an arrow function over `params`, and the machine last in mode `run`. */
export const emitFunction = (emission: Emission, outer: Scope, shape: FunctionShape): string => {
  const { unit } = emission;
  checkParameters(shape.params.length);
  const parameters = shape.params.map(() => unit.fresh());
  const locals = shape.definition === undefined ? parameters : shape.params.map(() => unit.fresh());
  const machine = shape.mode === "run" ? unit.fresh() : undefined;
  const self = shape.definition && { definition: shape.definition, mode: shape.mode, parameters, locals };
  const body = new Body(emission, machine, self);
  const scope = shape.params.reduce<Scope>((inner, name, index) => Environment.bind(inner, name, { code: locals[index]! }), outer);
  if (self !== undefined && shape.mode === "value") chooseLoop(body, shape.body);
  const statements = body.emitTail(scope, shape.body, shape.mode);
  const all = machine === undefined ? [] : [machine];
  if (!body.loops) return `(${[...locals, ...all].join(", ")}) => { ${body.prologue()} ${statements} }`;
  const copies = locals.length === 0 ? "" : `const ${locals.map((local, index) => `${local} = ${parameters[index]!}`).join(", ")};`;
  return `(${[...parameters, ...all].join(", ")}) => { ${loopVariables(body)} for (;;) { ${body.prologue()} ${copies} ${statements} } ${body.waiting === undefined ? "" : emitUnwinding(body.waiting)} }`;
};

/** What a call of the function itself that is not quite in tail position can still be made of. */
const chooseLoop = (body: Body, expr: Expr): void => {
  const { unit } = body;
  if (growsList(body, expr)) body.list = { first: unit.fresh(), last: unit.fresh() };
  else body.waiting = waitingCalls(body, expr);
};

const loopVariables = ({ list, waiting }: Body): string => {
  if (list !== undefined) return `let ${list.first}, ${list.last};`;
  return waiting === undefined ? "" : waitingVariables(waiting);
};
