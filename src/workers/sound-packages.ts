/**
 * Packages that a thread read and found sound, and that are not stored as far as it knows: an id is the hash of the bytes, so they need no
 * second look when the next DAR brings them along, or when the one that was listed is stored. The oldest go first.
 */
import { limits } from "../config.js";
import type { Package, PackageId, PackageSummary } from "../lf/index.js";

export interface SoundPackage {
  readonly package: Package;
  readonly summary: PackageSummary;
  readonly payload: Uint8Array;
}

export class SoundPackages {
  readonly #packages = new Map<PackageId, SoundPackage>();
  #bytes = 0;

  get(id: PackageId): SoundPackage | undefined {
    return this.#packages.get(id);
  }

  add(sound: SoundPackage): void {
    this.take(sound.package.id);
    this.#packages.set(sound.package.id, sound);
    this.#bytes += sound.payload.length;
    for (const oldest of this.#packages.keys()) {
      if (this.#bytes <= limits.soundPackageBytesMax) return;
      this.take(oldest);
    }
  }

  /** It is not kept here any longer. */
  take(id: PackageId): SoundPackage | undefined {
    const sound = this.#packages.get(id);
    this.#packages.delete(id);
    this.#bytes -= sound?.payload.length ?? 0;
    return sound;
  }

  clear(): void {
    this.#packages.clear();
    this.#bytes = 0;
  }
}
