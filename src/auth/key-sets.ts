/** Key sets of identity providers: fetched rarely, kept for a while also where their server gives none, and never at a caller's pace. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { assert } from "../base/assert.js";
import { messageOf } from "../base/error-text.js";
import { limits } from "../config.js";

export type KeySetSource = (url: string) => Promise<string>;

export interface KeySetOptions {
  readonly request: KeySetSource;
  /** Since some moment; nobody can set it, or sets would be of any age. */
  readonly elapsedMs: () => number;
}

/** Resolves a token's header to its key; rejects when the set has none or cannot be had. */
export type KeyResolver = JWTVerifyGetKey;

class KeySet {
  readonly #url: string;
  readonly #options: KeySetOptions;
  #keys: KeyResolver | undefined;
  #fetchedMs = -Infinity;
  #triedMs = -Infinity;
  #under: Promise<void> | undefined;
  #problem = "";

  constructor(url: string, options: KeySetOptions) {
    this.#url = url;
    this.#options = options;
  }

  /** A key that the set lacks may be new: the set is fetched again, but not more often than its interval. */
  readonly resolve: KeyResolver = async (header, token) => {
    const ageMs = this.#ageMs(),
      refreshed = ageMs > limits.keySetFreshMs ? this.#refresh() : undefined;
    if (ageMs > limits.keySetAgeMaxMs) await refreshed;
    try {
      return await this.#current()(header, token);
    } catch (error) {
      if (!(await this.#refresh())) throw error;
      return this.#current()(header, token);
    }
  };

  #ageMs(): number {
    return this.#options.elapsedMs() - this.#fetchedMs;
  }

  #current(): KeyResolver {
    if (this.#keys === undefined || this.#ageMs() > limits.keySetAgeUnansweredMaxMs)
      throw new Error(`no current key set of ${this.#url}: ${this.#problem}`);
    return this.#keys;
  }

  /** False when it was too early to ask again. */
  async #refresh(): Promise<boolean> {
    if (this.#under === undefined) {
      const now = this.#options.elapsedMs();
      if (now - this.#triedMs < limits.keySetIntervalMs) return false;
      this.#triedMs = now;
      this.#under = this.#fetch().finally(() => {
        this.#under = undefined;
      });
    }
    await this.#under;
    return true;
  }

  async #fetch(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(JSON.parse(await this.#options.request(this.#url)) as JSONWebKeySet);
      this.#fetchedMs = this.#options.elapsedMs();
    } catch (error) {
      this.#problem = messageOf(error);
    }
  }
}

/** One set per address, as many as identity providers can be; the one used longest ago makes room. */
export class KeySets {
  readonly #sets = new Map<string, KeySet>();
  readonly #options: KeySetOptions;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  resolver(url: string): KeyResolver {
    const set = this.#sets.get(url) ?? new KeySet(url, this.#options);
    this.#sets.delete(url);
    this.#sets.set(url, set);
    if (this.#sets.size > limits.keySetsMax) this.#sets.delete(this.#oldest());
    return set.resolve;
  }

  #oldest(): string {
    const [url] = this.#sets.keys();
    assert(url !== undefined, "a full map has a first key");
    return url;
  }
}
