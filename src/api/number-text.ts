/** Numbers of a body as they were written: as doubles they may be others. */
import { fail } from "../base/result.js";
import { limits } from "../config.js";
import type { Body, Decoded } from "./body.js";

/** For short bodies. `textOf`: of a member of a body that was decoded so; of one that is a text itself, that. */
export interface WithNumberTexts<B, M extends keyof B & string> {
  readonly body: Body<B>;
  readonly textOf: (value: B, member: M) => string;
}

export function withNumberTexts<B extends object, const M extends keyof B & string>(
  body: Body<B>,
  members: readonly M[],
): WithNumberTexts<B, M> {
  const texts = new WeakMap<B, Readonly<Record<M, string>>>();
  const noted = (decoded: Decoded<B>, bytes: Uint8Array): Decoded<B> => {
    if (decoded.error === undefined) texts.set(decoded.ok.value, textsIn(bytes, members));
    return decoded;
  };
  const decode: Body<B>["decode"] = (bytes, turns) => {
    if (bytes.length > limits.shortBodyBytesMax) return fail(`it has more than ${limits.shortBodyBytesMax} bytes`); // it is read in one turn
    const decoded = body.decode(bytes, turns);
    return decoded instanceof Promise ? decoded.then((later) => noted(later, bytes)) : noted(decoded, bytes);
  };
  return { body: { ...body, decode }, textOf: (value, member) => texts.get(value)![member] };
}

const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Of JSON that was read before, with its numbers as texts. */
function textsIn<M extends string>(json: Uint8Array, members: readonly M[]): Readonly<Record<M, string>> {
  const quoted = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
    .toString()
    .replace(textsAndNumbers, (token) => (token.startsWith('"') ? token : `"${token}"`));
  const written = JSON.parse(quoted) as Readonly<Record<M, string>>;
  return Object.fromEntries(members.map((member) => [member, written[member]])) as Record<M, string>;
}
