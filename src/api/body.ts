/** Request bodies: JSON with its guards and its typia check, raw octets, or none. */
import { isUtf8 } from "node:buffer";
import type { IValidation } from "typia";
import { limits } from "../config.js";
import { type Result, fail, ok } from "../base/result.js";
import type { Steps } from "../base/steps.js";
import type { Turns } from "../base/turns.js";
import type { RequestFailure } from "./errors.js";
import { invalidField } from "./failures.js";
import { glancerFor, type Glancer } from "./json-glance.js";
import { longTexts, parsed, parsedAtOnce } from "./json-values.js";
import { JsonWalk, noShape, type ApartList, type JsonBounds, type JsonShape } from "./json-walk.js";
import { problemsShown, problemsText, untilFirstProblem, type Problem } from "./problems.js";
import type { Wire } from "./wire.js";

/** A decoded body. */
export interface DecodedBody<B> {
  readonly value: B;
  readonly apart: Apart;
}

/** The list that the body's shape sets apart, as received: it must reach the engine unchanged. */
export interface Apart {
  readonly text: string;
  readonly count: number;
}
const nothingApart: Apart = { text: "", count: 0 };

/** Text: what stands in the brackets of the plain 400. */
export type BodyFault = string | RequestFailure;
export type Decoded<B> = Result<DecodedBody<B>, BodyFault>;

export interface Body<B> extends Wire<B> {
  readonly contentType: "application/json" | "application/octet-stream" | undefined;
  /** It may be left out. */
  readonly isOptional?: true;
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

/** Of a body with texts in base64 that may be long, by their names. */
export const withBase64 = (...names: readonly string[]): BodyParts => ({
  shape: { members: new Map(names.map((name) => [name, { base64: true }])) },
  element: noElement,
});

/** Of a body with such integers, by their names. */
export const withInt64 = (...names: readonly string[]): BodyParts => ({
  shape: { members: new Map(names.map((name) => [name, { int64: true }])) },
  element: noElement,
});

/** How to check a body: the same twice, as one finds all faults and takes its time, and one throws at the first. */
interface Check<B> extends BodyParts {
  readonly glance: Glancer;
  readonly validate: Validate<B>;
  readonly assert: Assert<B>;
}

/** Any content type is read as JSON. What is opaque in it is null in what is checked and handed on. */
export const jsonBody = <B>(validate: Validate<B>, assert: Assert<B>, parts: BodyParts = noParts): Body<B> => {
  const check = { validate, assert, glance: glancerFor(parts.shape), ...parts };
  return { contentType: "application/json", decode: (bytes, turns) => decodeJson(bytes, check, turns) };
};

/** Left out it is null. */
export const optionalBody = <B>(body: Body<B>): Body<B | null> => ({
  ...body,
  isOptional: true,
  decode: (bytes, turns) => (bytes.length === 0 ? ok({ value: null, apart: nothingApart }) : body.decode(bytes, turns)),
});

/** What came belongs to its request: a long one is taken out of that, where it has memory of its own; else it is copied. */
export const octetBody = (): Body<Uint8Array> => ({
  contentType: "application/octet-stream",
  decode: (bytes, turns) => {
    if (bytes.length <= limits.shortBodyBytesMax) return ok({ value: bytes.slice(), apart: nothingApart });
    const { buffer } = bytes;
    return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
      ? ok({ value: new Uint8Array(structuredClone(buffer, { transfer: [buffer] })), apart: nothingApart })
      : inTurns(copied(bytes), turns);
  },
});

export const noBody = (): Body<undefined> => ({
  contentType: undefined,
  decode: () => ok({ value: undefined, apart: nothingApart }),
});

const bounds: JsonBounds = {
  depthMax: limits.jsonDepthMax,
  numberCharsMax: limits.jsonNumberCharsMax,
  textBytesMax: limits.jsonTextBytesMax,
  textsBytesMax: limits.jsonTextsBytesMax,
  elementsMax: limits.requestElementsMax,
  valuesMax: limits.requestValuesMax,
  apartElementsMax: limits.transactionNodesMax,
  apartValuesMax: limits.faultsSearchedValuesMax,
  windowBytes: limits.textPieceBytes,
  cutFromBytes: limits.shortBodyBytesMax,
};
const notUtf8 = "the body is not UTF-8",
  noText = "exhausted input: a JSON body is expected";
/** Tokens of JSON between two looks at the time. */
const walkedTokens = 2_048;

/** A long one begins in a turn of its own: to receive it took long enough. */
function decodeJson<B>(bytes: Uint8Array, check: Check<B>, turns: Turns): Decoded<B> | Promise<Decoded<B>> {
  if (bytes.length > limits.shortBodyBytesMax) return inTurns(decodedLong(bytes, check), turns);
  return glanced<B>(bytes, check) ?? walked(bytes, check);
}

/** Undefined where anything is wrong: what it is the walk tells. */
function glanced<B>(bytes: Uint8Array, { glance, validate, element }: Check<B>): Decoded<B> | undefined {
  const seen = glance(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (seen === undefined || !validate(seen.value).success) return undefined;
  const { value, apart } = seen;
  if (apart?.elements.every((item) => element(item).success) === false) return undefined;
  return ok({ value: value as B, apart: apart === undefined ? nothingApart : { text: apart.text, count: apart.elements.length } });
}

function walked<B>(bytes: Uint8Array, check: Check<B>): Decoded<B> {
  if (!isUtf8(bytes)) return fail(notUtf8);
  const walk = new JsonWalk(bytes, bounds, check.shape);
  while (!walk.goOn(walkedTokens));
  const fault = faultOf(walk);
  if (fault !== undefined) return fail(fault);
  const { apart } = walk,
    value = parsedAtOnce(walk, walk.whole),
    problems = problemsOf(value, walk, check);
  if (apart === undefined) return decoded(value, problems, nothingApart);
  for (const [index, piece] of apart.elements.entries()) {
    if (problems.length > problemsShown) break;
    problems.push(...elementProblems(parsedAtOnce(walk, piece), index, apart, check));
  }
  return decoded(value, problems, { text: walk.utf8.between(apart.from, apart.to), count: apart.elements.length });
}

/** The same in steps, and texts that may be very long are not checked with the rest. */
function* decodedLong<B>(bytes: Uint8Array, check: Check<B>): Steps<Decoded<B>> {
  if (!isUtf8(bytes)) return fail(notUtf8);
  const walk = new JsonWalk(bytes, bounds, check.shape);
  while (!walk.goOn(walkedTokens)) yield;
  const fault = faultOf(walk);
  if (fault !== undefined) return fail(fault);
  const value = yield* parsed(walk, walk.whole),
    texts = yield* longTexts(walk, value);
  yield;
  const { apart } = walk,
    problems = problemsOf(value, walk, check);
  for (const [index, piece] of (apart?.elements ?? []).entries()) {
    if (problems.length > problemsShown) break;
    yield;
    problems.push(...elementProblems(yield* parsed(walk, piece), index, apart!, check));
  }
  for (const text of texts) text.fill();
  yield; // what is done with it may be long, too
  return decoded(
    value,
    problems,
    apart === undefined ? nothingApart : { text: yield* walk.utf8.longBetween(apart.from, apart.to), count: apart.elements.length },
  );
}

const decoded = <B>(value: unknown, problems: readonly Problem[], apart: Apart): Decoded<B> =>
  problems.length === 0 ? ok({ value: value as B, apart }) : fail(problemsText(problems));

function* copied(bytes: Uint8Array): Steps<Decoded<Uint8Array>> {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += limits.textPieceBytes) {
    copy.set(bytes.subarray(at, at + limits.textPieceBytes), at);
    yield;
  }
  return ok({ value: copy, apart: nothingApart });
}

function problemsOf<B>(value: unknown, { values }: JsonWalk, { validate, assert }: Check<B>): Problem[] {
  const valid = values > limits.faultsSearchedValuesMax ? untilFirstProblem(value, assert) : validate(value);
  return valid.success ? [] : [...valid.errors];
}

function elementProblems(value: unknown, index: number, { path }: ApartList, { element }: BodyParts): Problem[] {
  const valid = element(value);
  return valid.success ? [] : valid.errors.map((error) => ({ ...error, path: error.path.replace("$input", `$input.${path}[${index}]`) }));
}

function faultOf({ fault, isBlank }: JsonWalk): BodyFault | undefined {
  if (fault === undefined) return undefined;
  if (fault.kind === "tooMany") return invalidField(fault.path, fault.message);
  return isBlank ? noText : fault.message;
}

async function inTurns<T>(steps: Steps<T>, turns: Turns): Promise<T> {
  await turns.next();
  return turns.through(steps);
}
