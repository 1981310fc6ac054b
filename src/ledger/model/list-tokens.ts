/**
 * The tokens of all lists: the place where a list goes on, and a seal. A token is good for the ledger that gave it, for the same
 * list and the same request, also after a restart; any other is refused.
 *
 * The seal is the CBC-MAC of AES-128 over length and place; each list and request has a secret vector of its own that it begins
 * with. In a stream every element has a token: its place is less than one block, so that those of many are sealed in one call
 * (`seals`), with a cipher that is made once.
 */
import { createCipheriv, timingSafeEqual, type Cipher } from "node:crypto";
import { HmacSha256 } from "../../base/sha256.js";
import { Scratch } from "../../base/scratch.js";
import { limits } from "../../config.js";
import { fail, ok, type Result } from "../../base/result.js";
import { type EventPlace, placeBytes } from "../../store/index.js";
import type { AskedOffset, Offset } from "./model.js";

export type ListName = "parties" | "users" | "vetted packages" | "updates" | "active contracts" | "streamed active contracts";

/** "undecodable": no token at all; "foreign": of another request, or changed. */
export type TokenFault = "undecodable" | "foreign";

export const tokenSealBytes = 8;
export const blockBytes = 16;
/** The length comes first, so that no message is the beginning of another. */
const lengthBytes = 2;
const noVector = null;

const scratch = new Scratch(limits.streamBatchElements * blockBytes);

/** A ledger's secret, made ready for all its tokens. */
export class TokenKey {
  readonly #hmac: HmacSha256;
  readonly #key: Uint8Array;
  readonly #blocks: Cipher;
  readonly #vectors = new Map<string, Uint8Array>();

  constructor(secret: Uint8Array) {
    this.#hmac = new HmacSha256(secret);
    this.#key = this.#hmac.digest(Buffer.from("seals of tokens")).subarray(0, blockBytes);
    this.#blocks = createCipheriv("aes-128-ecb", this.#key, noVector).setAutoPadding(false);
  }

  /** Secret as well, and another for every text. Who reads a list page by page asks for the same again and again. */
  vectorOf(text: string): Uint8Array {
    const known = this.#vectors.get(text);
    if (known !== undefined) return known;
    const vector = this.#hmac.digest(Buffer.from(text)).slice(0, blockBytes);
    if (text.length <= limits.tokenRequestCharsKeptMax) {
      if (this.#vectors.size >= limits.tokenRequestsKeptMax) this.#vectors.clear();
      this.#vectors.set(text, vector);
    }
    return vector;
  }

  /** Each block on its own. */
  encryptBlocks(blocks: Uint8Array): Buffer {
    return this.#blocks.update(blocks);
  }
  encryptChain(vector: Uint8Array, message: Uint8Array): Buffer {
    return createCipheriv("aes-128-cbc", this.#key, vector).setAutoPadding(false).update(message);
  }
}

/** Of an offset that is part of such a request: JSON has no bigints. */
export const inJson = (asked: AskedOffset | undefined): Offset | string | undefined => (typeof asked === "bigint" ? String(asked) : asked);

/** In which order a client names its parties may change from request to request, as in a map of Rust's or Go's. */
function inAnyOrder(name: string, value: unknown): unknown {
  if (name !== "filtersByParty" || typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return entries.length < 2 ? value : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export class ListTokens {
  readonly #key: TokenKey;
  readonly #vector: Uint8Array;

  /** `request`: everything that has to be the same where the token is used. */
  constructor(key: TokenKey, list: ListName, request: readonly unknown[]) {
    this.#key = key;
    this.#vector = key.vectorOf(JSON.stringify([list, ...request], inAnyOrder));
  }

  token(place: Uint8Array): Buffer {
    return Buffer.concat([place, this.#seal(place)]);
  }

  /** `placeBytes`: of lists whose places have one size. No bytes at all can be read, but are of no request. */
  place(token: Uint8Array, placeBytes = token.length - tokenSealBytes): Result<Buffer, TokenFault> {
    if (token.length === 0) return fail("foreign");
    if (placeBytes <= 0 || token.length !== placeBytes + tokenSealBytes) return fail("undecodable");
    const place = Buffer.from(token.subarray(0, placeBytes));
    return timingSafeEqual(this.#seal(place), token.subarray(placeBytes)) ? ok(place) : fail("foreign");
  }

  /** As text that needs no escape in a query. */
  text(place: string): string {
    return this.token(Buffer.from(place)).toString("base64url");
  }

  textPlace(text: string): Result<string, TokenFault> {
    const token = Buffer.from(text, "base64url");
    if (token.toString("base64url") !== text) return fail("undecodable");
    const place = this.place(token);
    return place.error === undefined ? ok(place.ok.toString()) : place;
  }

  /**
   * The seals of many places in updates, as `placeKey` writes them, in pieces of `blockBytes` that begin with them. Made of whole words, as
   * every element of a stream has one.
   */
  seals(places: readonly EventPlace[]): Buffer {
    const blocks = scratch.of(places.length * blockBytes),
      words = new DataView(blocks.buffer, blocks.byteOffset, blocks.length),
      vector = new DataView(this.#vector.buffer, this.#vector.byteOffset, blockBytes);
    // The vector is mixed into each, as a chain begins.
    const [a, b, c, d] = [0, 4, 8, 12].map((at) => vector.getInt32(at)) as [number, number, number, number];
    for (let index = 0, at = 0; index < places.length; index++, at += blockBytes) {
      const { offset, nodeId } = places[index]!;
      words.setInt32(at, a ^ ((placeBytes << 16) | Math.floor(offset / 2 ** 32)));
      words.setInt32(at + 4, b ^ (offset >>> 0));
      words.setInt32(at + 8, c ^ nodeId);
      words.setInt32(at + 12, d);
    }
    return this.#key.encryptBlocks(blocks);
  }

  #seal(place: Uint8Array): Buffer {
    const message = Buffer.alloc(Math.ceil((lengthBytes + place.length) / blockBytes) * blockBytes);
    message.writeUInt16BE(place.length);
    message.set(place, lengthBytes);
    return this.#key.encryptChain(this.#vector, message).subarray(-blockBytes).subarray(0, tokenSealBytes);
  }
}
