/**
 * Packages that a thread read and found sound, and that are not stored as far as it knows: an id is the hash of the bytes, so they need no
 * second look when the next DAR brings them along, or when the one that was listed is stored. The oldest go first.
 */
import { BoundedMap } from "../base/bounded-map.js";
import { limits } from "../config.js";
import type { Package, PackageId, PackageSummary } from "../lf/index.js";

export interface SoundPackage {
  readonly package: Package;
  readonly summary: PackageSummary;
  readonly payload: Uint8Array;
}

export class SoundPackages extends BoundedMap<PackageId, SoundPackage> {
  constructor() {
    super(limits.soundPackageBytesMax, ({ payload }) => payload.length);
  }

  add(sound: SoundPackage): void {
    this.set(sound.package.id, sound);
  }
}
