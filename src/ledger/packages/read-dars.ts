/**
 * DARs that were read before, by their hashes: those that are uploaded again and again, at every start of an application for instance,
 * are not sent to be read. Only ids are kept; who asks must know of each whether it still is a package of the ledger.
 */
import { webcrypto } from "node:crypto";
import { BoundedMap } from "../../base/bounded-map.js";
import { limits } from "../../config.js";

interface ReadDar {
  readonly mainPackageId: string;
  readonly packageIds: readonly string[];
}

export class ReadDars {
  /** The least recently used first. */
  readonly #known = new BoundedMap<string, ReadDar>(limits.readDarsKeptMax);

  /** Off this thread; undefined for a DAR that is too large for it. */
  static async hash(bytes: Uint8Array): Promise<string | undefined> {
    if (bytes.length > limits.readDarBytesMax) return undefined;
    return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
  }

  get(hash: string): ReadDar | undefined {
    const dar = this.#known.get(hash);
    if (dar !== undefined) this.set(hash, dar);
    return dar;
  }

  set(hash: string, dar: ReadDar): void {
    this.#known.set(hash, dar);
  }
}
