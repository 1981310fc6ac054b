/** Request bodies: JSON with its guards and its typia check, raw octets, or none. */
import { isUtf8 } from "node:buffer";
import type { IValidation } from "typia";
import { limits } from "../config.js";
import type { Result } from "../base/result.js";
import { fail, ok } from "../base/result.js";
import { syntaxFault } from "./json-syntax.js";
import { boundsExceeded } from "./json-text.js";
import { loneSurrogate } from "./lone-surrogates.js";
import { problemsText } from "./problems.js";
import type { Wire } from "./wire.js";

/** A decoded body; `text` is the JSON as received, for parts that must reach the engine unchanged. */
export interface DecodedBody<B> {
  readonly value: B;
  readonly text: string;
}

export interface Body<B> extends Wire<B> {
  readonly contentType: "application/json" | "application/octet-stream" | undefined;
  /** The error is what stands in the brackets of the plain 400. */
  decode(bytes: Uint8Array): Result<DecodedBody<B>, string>;
}

export type Validate<B> = (input: unknown) => IValidation<B>;

/** Any content type is read as JSON. */
export const jsonBody = <B>(validate: Validate<B>): Body<B> => ({
  contentType: "application/json",
  decode: bytes => decodeJson(bytes, validate),
});

export const octetBody = (): Body<Uint8Array> => ({
  contentType: "application/octet-stream",
  decode: bytes => ok({ value: bytes, text: "" }),
});

export const noBody = (): Body<undefined> => ({
  contentType: undefined,
  decode: () => ok({ value: undefined, text: "" }),
});

function decodeJson<B>(bytes: Uint8Array, validate: Validate<B>): Result<DecodedBody<B>, string> {
  if (!isUtf8(bytes)) return fail("the body is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const exceeded = boundsExceeded(text, { depthMax: limits.jsonDepthMax, numberCharsMax: limits.jsonNumberCharsMax });
  if (exceeded !== undefined) return fail(exceeded);
  const parsed = parse(text);
  if (parsed.error !== undefined) return parsed;
  const broken = loneSurrogate(text, parsed.ok.value);
  if (broken !== undefined) return fail(broken);
  const checked = validate(parsed.ok.value);
  return checked.success ? ok({ value: checked.data, text }) : fail(problemsText(checked.errors));
}

function parse(text: string): Result<{ readonly value: unknown }, string> {
  if (text.trim() === "") return fail("exhausted input: a JSON body is expected");
  try {
    return ok({ value: JSON.parse(text) as unknown });
  } catch (error) {
    const fault = text.length > limits.jsonFaultCharsMax ? undefined : syntaxFault(text);
    return fail(fault ?? (error as SyntaxError).message);
  }
}
