import type { PackageReference } from "./packages.js";
import type { Timestamp } from "./scalars.js";

export interface GetPreferredPackagesRequest {
  readonly packageVettingRequirements?: readonly PackageVettingRequirement[];
  readonly synchronizerId?: string;
  readonly vettingValidAt?: Timestamp | null;
}

export interface GetPreferredPackagesResponse {
  readonly packageReferences: readonly PackageReference[];
  readonly synchronizerId: string;
}

export interface PackageVettingRequirement {
  readonly parties?: readonly string[];
  readonly packageName?: string;
}

export interface PackagePreference {
  readonly packageReference: PackageReference;
  readonly synchronizerId: string;
}

export interface GetPreferredPackageVersionResponse {
  readonly packagePreference?: PackagePreference | null;
}
