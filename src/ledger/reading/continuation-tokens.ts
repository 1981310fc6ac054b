/** Tokens in the elements of a stream of active contracts: where it can go on, for the same request only. */
import { fail, isFailure, ok } from "../../base/result.js";
import { Scratch } from "../../base/scratch.js";
import { limits } from "../../config.js";
import { offsetBytes, placeBytes, placeKey, type EventPlace } from "../../store/index.js";
import {
  blockBytes,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  ListTokens,
  type Outcome,
  type TokenFault,
  type TokenKey,
  tokenSealBytes,
} from "../model/index.js";

const tokenBytes = placeBytes + tokenSealBytes;
/** Base64 goes by three bytes, and a token is some of them. */
export const tokenChars = (tokenBytes / 3) * 4;

const scratch = new Scratch(limits.streamBatchElements * tokenBytes);

export class ContinuationTokens {
  readonly #tokens: ListTokens;

  /** `request`: everything that has to be the same where the token is used. */
  constructor(key: TokenKey, request: readonly unknown[]) {
    this.#tokens = new ListTokens(key, "streamed active contracts", request);
  }

  /**
   * The tokens of many elements in base64, one behind the other, as a token has no padding: every element has one, and a native call for
   * each costs more.
   */
  texts(places: readonly EventPlace[]): Buffer {
    const seals = this.#tokens.seals(places),
      tokens = scratch.of(places.length * tokenBytes),
      from = new DataView(seals.buffer, seals.byteOffset, seals.byteLength),
      to = new DataView(tokens.buffer, tokens.byteOffset, tokens.byteLength);
    for (let index = 0, at = 0; index < places.length; index++, at += tokenBytes) {
      const { offset, nodeId } = places[index]!;
      // As `placeKey` writes a place, and a seal of two words; a byte at a time takes longer.
      to.setUint16(at, Math.floor(offset / 2 ** 32));
      to.setUint32(at + 2, offset >>> 0);
      to.setUint32(at + offsetBytes, nodeId);
      to.setUint32(at + placeBytes, from.getUint32(index * blockBytes));
      to.setUint32(at + placeBytes + 4, from.getUint32(index * blockBytes + 4));
    }
    return Buffer.from(tokens.toString("base64"), "latin1");
  }

  read(token: Uint8Array): Outcome<EventPlace> {
    const place = this.#tokens.place(token, placeBytes);
    return isFailure(place) ? fail(refusal(place.error)) : ok(placeKey.readKey(place.ok, 0, placeBytes));
  }
}

function refusal(fault: TokenFault): LedgerErrorData {
  if (fault === "undecodable") return invalidField("stream_continuation_token", "it is no token of this node");
  return ledgerError("INVALID_CONTINUATION_TOKEN", "The continuation token was given for another request.");
}
