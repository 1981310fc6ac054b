/** Tokens in the elements of a stream of active contracts: where it can go on, for the same request only. */
import { createHmac } from "node:crypto";
import { fail, ok, type Result } from "../base/result.js";
import type { EventPlace } from "../store/index.js";
import { invalidField, ledgerError } from "./errors.js";
import type { LedgerErrorData } from "./model.js";

/** Version, offset, node id, binding to the request. */
const version = 1, offsetAt = 1, nodeIdAt = offsetAt + 6, bindingAt = nodeIdAt + 4, bindingBytes = 10, tokenBytes = bindingAt + bindingBytes;
/** Base64 goes by three bytes; those from here on are the same in all tokens of a request. */
const changingBytes = 12;
export const tokenChars = Math.ceil(tokenBytes / 3) * 4;
const alphabet = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

export class ContinuationTokens {
  readonly #token = Buffer.alloc(tokenBytes);
  /** A token in base64, of no place. */
  readonly blank: string;

  /** `request`: everything that has to be the same where the token is used. */
  constructor(key: Buffer, request: readonly unknown[]) {
    const binding = createHmac("sha256", key).update(JSON.stringify(request)).digest().subarray(0, bindingBytes);
    this.#token[0] = version;
    this.#token.set(binding, bindingAt);
    this.blank = this.#token.toString("base64");
  }

  /** Makes the token that is at `at` that of a place. By hand, since every element has one and a native call costs more. */
  write(place: EventPlace, base64: Buffer, at: number): void {
    const token = this.#token;
    token.writeUIntBE(place.offset, offsetAt, 6);
    token.writeUInt32BE(place.nodeId, nodeIdAt);
    for (let from = 0, to = at; from < changingBytes; from += 3, to += 4) {
      const bits = (token[from]! << 16) | (token[from + 1]! << 8) | token[from + 2]!;
      base64[to] = alphabet[bits >>> 18]!;
      base64[to + 1] = alphabet[(bits >>> 12) & 63]!;
      base64[to + 2] = alphabet[(bits >>> 6) & 63]!;
      base64[to + 3] = alphabet[bits & 63]!;
    }
  }

  read(bytes: Uint8Array): Result<EventPlace, LedgerErrorData> {
    const token = Buffer.from(bytes);
    if (token.length !== tokenBytes || token[0] !== version) return fail(invalidField("stream_continuation_token", "it is no token of this node"));
    if (!token.subarray(bindingAt).equals(this.#token.subarray(bindingAt))) return fail(ledgerError("INVALID_CONTINUATION_TOKEN", "The continuation token was given for another request."));
    return ok({ offset: token.readUIntBE(offsetAt, 6), nodeId: token.readUInt32BE(nodeIdAt) });
  }
}
