/** A number of a body as it was written: as a double it may be another. */
import type { Body, Decoded } from "./body.js";

/** `textOf`: of the member of a body that was decoded so. */
export interface WithNumberText<B> {
  readonly body: Body<B>;
  readonly textOf: (value: B) => string;
}

export function withNumberText<B extends object>(body: Body<B>, member: keyof B & string): WithNumberText<B> {
  const texts = new WeakMap<B, string>();
  const noted = (decoded: Decoded<B>, bytes: Uint8Array): Decoded<B> => {
    if (decoded.error === undefined) texts.set(decoded.ok.value, textIn(bytes, member));
    return decoded;
  };
  const decode: Body<B>["decode"] = (bytes, turns) => {
    const decoded = body.decode(bytes, turns);
    return decoded instanceof Promise ? decoded.then((later) => noted(later, bytes)) : noted(decoded, bytes);
  };
  return { body: { ...body, decode }, textOf: (value) => texts.get(value)! };
}

const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Of JSON that was read before, with its numbers as texts. */
function textIn(json: Uint8Array, member: string): string {
  const quoted = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
    .toString()
    .replace(textsAndNumbers, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return (JSON.parse(quoted) as Readonly<Record<string, string>>)[member]!;
}
