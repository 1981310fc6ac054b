/** Page tokens: where the next page starts, sealed for the listing that gave it. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Result } from "../../base/result.js";
import { fail, ok } from "../../base/result.js";
import { invalidArgument } from "../errors.js";
import type { LedgerErrorData } from "../model.js";

const sealBytes = 16;

export class PageTokens {
  readonly #key: Uint8Array;

  /** The key outlives restarts, so that a client's walk does too. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** `listing` names the list and its filters; `last` is the last key of the page. */
  next(listing: string, last: string): string {
    return Buffer.concat([this.#seal(listing, last), Buffer.from(last)]).toString("base64url");
  }

  /** The key behind which the page starts; "" for the first page. */
  after(listing: string, token: string): Result<string, LedgerErrorData> {
    if (token === "") return ok("");
    const bytes = Buffer.from(token, "base64url");
    const last = bytes.toString("utf8", sealBytes);
    const known = bytes.length > sealBytes && bytes.toString("base64url") === token && timingSafeEqual(bytes.subarray(0, sealBytes), this.#seal(listing, last));
    return known ? ok(last) : fail(invalidArgument("Invalid page token"));
  }

  #seal(listing: string, last: string): Buffer {
    return createHmac("sha256", this.#key).update(JSON.stringify([listing, last])).digest().subarray(0, sealBytes);
  }
}
