/** Tokens in the elements of a stream of active contracts: where it can go on, for the same request only. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { placeBytes, placeKey, type EventPlace } from "../../store/index.js";
import {
  blockBytes,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  ListTokens,
  type TokenFault,
  type TokenKey,
  tokenSealBytes,
} from "../model/index.js";

/** Base64 goes by three bytes, and a token is some of them. */
export const tokenChars = ((placeBytes + tokenSealBytes) / 3) * 4;
const alphabet = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

export class ContinuationTokens {
  readonly #tokens: ListTokens;
  readonly #token = Buffer.alloc(placeBytes + tokenSealBytes);
  /** Of the batch that is written. */
  #places: readonly EventPlace[] = [];
  #seals: Buffer = Buffer.alloc(0);

  /** `request`: everything that has to be the same where the token is used. */
  constructor(key: TokenKey, request: readonly unknown[]) {
    this.#tokens = new ListTokens(key, "streamed active contracts", request);
  }

  /** Of the elements that are written next. */
  prepare(places: readonly EventPlace[]): void {
    this.#places = places;
    this.#seals = this.#tokens.seals(places, placeKey, placeBytes);
  }

  /** The token of one of them in base64. By hand, since every element has one and a native call costs more. */
  write(index: number, base64: Buffer, at: number): void {
    const token = this.#token,
      seals = this.#seals;
    placeKey.writeKey(this.#places[index]!, token, 0);
    for (let i = 0, from = index * blockBytes; i < tokenSealBytes; i++) token[placeBytes + i] = seals[from + i]!;
    for (let from = 0, to = at; from < token.length; from += 3, to += 4) {
      const bits = (token[from]! << 16) | (token[from + 1]! << 8) | token[from + 2]!;
      base64[to] = alphabet[bits >>> 18]!;
      base64[to + 1] = alphabet[(bits >>> 12) & 63]!;
      base64[to + 2] = alphabet[(bits >>> 6) & 63]!;
      base64[to + 3] = alphabet[bits & 63]!;
    }
  }

  read(token: Uint8Array): Result<EventPlace, LedgerErrorData> {
    const place = this.#tokens.place(token, placeBytes);
    return isFailure(place) ? fail(refusal(place.error)) : ok(placeKey.readKey(place.ok, 0, placeBytes));
  }
}

function refusal(fault: TokenFault): LedgerErrorData {
  if (fault === "undecodable") return invalidField("stream_continuation_token", "it is no token of this node");
  return ledgerError("INVALID_CONTINUATION_TOKEN", "The continuation token was given for another request.");
}
