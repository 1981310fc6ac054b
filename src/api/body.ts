/** Request bodies: JSON with its guards and its typia check, raw octets, or none. */
import { isUtf8 } from "node:buffer";
import type { IValidation } from "typia";
import { limits } from "../config.js";
import type { Result } from "../base/result.js";
import { fail, ok } from "../base/result.js";
import type { Turns } from "../base/turns.js";
import type { RequestFailure } from "./errors.js";
import { invalidField } from "./failures.js";
import { JsonWalk, noShape, type ApartList, type JsonBounds, type JsonShape } from "./json-walk.js";
import { problemsShown, problemsText, untilFirstProblem, type Problem } from "./problems.js";
import type { Wire } from "./wire.js";

/** A decoded body. */
export interface DecodedBody<B> {
  readonly value: B;
  readonly apart: Apart;
}

/** The list that the body's shape sets apart, as received: it must reach the engine unchanged. */
export type Apart = Pick<ApartList, "text" | "count">;
const nothingApart: Apart = { text: "", count: 0 };

/** Text: what stands in the brackets of the plain 400. */
export type BodyFault = string | RequestFailure;
export type Decoded<B> = Result<DecodedBody<B>, BodyFault>;

export interface Body<B> extends Wire<B> {
  readonly contentType: "application/json" | "application/octet-stream" | undefined;
  /** A long one takes more than one turn. */
  decode(bytes: Uint8Array, turns: Turns): Decoded<B> | Promise<Decoded<B>>;
}

type Validate<B> = (input: unknown) => IValidation<B>;
type Assert<B> = (input: unknown) => B;

/** What is not as simple as it looks: the shape of the JSON, and the check of what it sets apart. */
export interface BodyParts {
  readonly shape: JsonShape;
  readonly element: Validate<unknown>;
}
const noElement = (): IValidation<undefined> => ({ success: true, data: undefined });
const noParts: BodyParts = { shape: noShape, element: noElement };

/** Of a body with texts that may be long, by their names. */
export const withLong = (...names: readonly string[]): BodyParts => ({ shape: { members: new Map(names.map((name) => [name, { long: true }])) }, element: noElement });

/** How to check a body: the same twice, as one finds all faults and takes its time, and one throws at the first. */
interface Check<B> extends BodyParts {
  readonly validate: Validate<B>;
  readonly assert: Assert<B>;
}

/** Any content type is read as JSON. What is opaque in it is null in what is checked and handed on. */
export const jsonBody = <B>(validate: Validate<B>, assert: Assert<B>, parts: BodyParts = noParts): Body<B> => {
  const check = { validate, assert, ...parts };
  return { contentType: "application/json", decode: (bytes, turns) => decodeJson(bytes, check, turns) };
};

export const octetBody = (): Body<Uint8Array> => ({
  contentType: "application/octet-stream",
  decode: bytes => ok({ value: bytes, apart: nothingApart }),
});

export const noBody = (): Body<undefined> => ({
  contentType: undefined,
  decode: () => ok({ value: undefined, apart: nothingApart }),
});

const bounds: JsonBounds = {
  depthMax: limits.jsonDepthMax, numberCharsMax: limits.jsonNumberCharsMax, textCharsMax: limits.jsonTextCharsMax, elementsMax: limits.requestElementsMax, valuesMax: limits.requestValuesMax,
  apartElementsMax: limits.transactionNodesMax, apartValuesMax: limits.faultsSearchedValuesMax,
};
const notUtf8 = "the body is not UTF-8", noText = "exhausted input: a JSON body is expected";
/** Tokens of JSON between two looks at the time. */
const walkedTokens = 2_048;

function decodeJson<B>(bytes: Uint8Array, check: Check<B>, turns: Turns): Decoded<B> | Promise<Decoded<B>> {
  if (bytes.length > limits.shortBodyBytesMax) return decodeLong(bytes, check, turns);
  if (!isUtf8(bytes)) return fail(notUtf8);
  const walk = new JsonWalk(textOf(bytes, 0, bytes.length), bounds, check.shape);
  while (!walk.goOn(walkedTokens));
  const fault = faultOf(walk);
  if (fault !== undefined) return fail(fault);
  const value = walk.parsed(), problems = problemsOf(value, walk, check);
  for (const problem of elementProblems(walk, check)) if (problems.push(...problem) > problemsShown) break;
  return decoded(value, walk, problems);
}

/** The same, and gives way between its steps and within those that may be long. */
async function decodeLong<B>(bytes: Uint8Array, check: Check<B>, turns: Turns): Promise<Decoded<B>> {
  if (turns.isOver) await turns.next();
  if (!isUtf8(bytes)) return fail(notUtf8);
  const walk = new JsonWalk(await longTextOf(bytes, turns), bounds, check.shape);
  while (!walk.goOn(walkedTokens)) if (turns.isOver) await turns.next();
  const fault = faultOf(walk);
  if (fault !== undefined) return fail(fault);
  if (turns.isOver) await turns.next();
  const value = walk.parsed();
  if (turns.isOver) await turns.next();
  const problems = problemsOf(value, walk, check);
  for (const problem of elementProblems(walk, check)) {
    if (problems.push(...problem) > problemsShown) break;
    if (turns.isOver) await turns.next();
  }
  return decoded(value, walk, problems);
}

const decoded = <B>(value: unknown, { apart }: JsonWalk, problems: readonly Problem[]): Decoded<B> =>
  problems.length === 0 ? ok({ value: value as B, apart: apart ?? nothingApart }) : fail(problemsText(problems));

function problemsOf<B>(value: unknown, { values }: JsonWalk, { validate, assert }: Check<B>): Problem[] {
  const valid = values > limits.faultsSearchedValuesMax ? untilFirstProblem(value, assert) : validate(value);
  return valid.success ? [] : [...valid.errors];
}

function* elementProblems(walk: JsonWalk, { element }: BodyParts): Generator<readonly Problem[]> {
  let index = 0;
  for (const value of walk.parsedElements()) {
    const valid = element(value), at = `$input.${walk.apart?.path ?? ""}[${index++}]`;
    yield valid.success ? [] : valid.errors.map(error => ({ ...error, path: error.path.replace("$input", at) }));
  }
}

function faultOf({ fault, isBlank }: JsonWalk): BodyFault | undefined {
  if (fault === undefined) return undefined;
  if (fault.kind === "tooMany") return invalidField(fault.path, fault.message);
  return isBlank ? noText : fault.message;
}

const textOf = (bytes: Uint8Array, from: number, to: number): string => Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");

async function longTextOf(bytes: Uint8Array, turns: Turns): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    if (turns.isOver) await turns.next();
    to = Math.min(from + limits.textPieceBytes, bytes.length);
    while (to < bytes.length && isInsideCharacter(bytes[to]!)) to--;
    pieces.push(textOf(bytes, from, to));
  }
  return pieces.join("");
}

const isInsideCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
