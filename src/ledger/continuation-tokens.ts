/** Tokens in the elements of a stream of active contracts: where it can go on, for the same request only. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { placeBytes, placeKey, type EventPlace } from "../store/index.js";
import { invalidField, ledgerError } from "./errors.js";
import { ListTokens, tokenSealBytes } from "./list-tokens.js";
import type { LedgerErrorData } from "./model.js";

/** Base64 goes by three bytes, and a token is some of them: so those of a batch are encoded together. */
export const tokenChars = ((placeBytes + tokenSealBytes) / 3) * 4;

export class ContinuationTokens {
  readonly #tokens: ListTokens;
  /** Those of a batch, in base64. */
  #texts: Buffer = Buffer.alloc(0);

  /** `request`: everything that has to be the same where the token is used. */
  constructor(key: Uint8Array, request: readonly unknown[]) {
    this.#tokens = new ListTokens(key, "streamed active contracts", request);
  }

  /** Of the elements that are written next. */
  prepare(places: readonly EventPlace[]): void {
    this.#texts = Buffer.from(this.#tokens.tokens(places, placeKey, placeBytes).toString("base64"), "latin1");
  }

  /** The token of one of them. By hand, since every element has one and a native call costs more. */
  write(index: number, target: Buffer, at: number): void {
    const texts = this.#texts;
    for (let i = 0, from = index * tokenChars; i < tokenChars; i++) target[at + i] = texts[from + i]!;
  }

  read(token: Uint8Array): Result<EventPlace, LedgerErrorData> {
    const place = this.#tokens.place(token, placeBytes);
    if (isFailure(place)) return fail(place.error === "undecodable" ? invalidField("stream_continuation_token", "it is no token of this node") : ledgerError("INVALID_CONTINUATION_TOKEN", "The continuation token was given for another request."));
    return ok(placeKey.readKey(place.ok, 0, placeBytes));
  }
}
