import type { Empty, EmptyCase } from "./common.js";
import type { Timestamp, Int32, Int32Input } from "./scalars.js";

export type VettingForceFlag =
  | "UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED"
  | "UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES"
  | "UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES";

export interface ListVettedPackagesRequest {
  readonly packageMetadataFilter?: PackageMetadataFilter | null;
  readonly topologyStateFilter?: TopologyStateFilter | null;
  readonly pageToken?: string;
  readonly pageSize?: Int32Input;
}

export interface PackageMetadataFilter {
  readonly packageIds?: readonly string[];
  readonly packageNamePrefixes?: readonly string[];
}

export interface TopologyStateFilter {
  readonly participantIds?: readonly string[];
  readonly synchronizerIds?: readonly string[];
}

export interface ListVettedPackagesResponse {
  readonly vettedPackages?: readonly VettedPackages[];
  readonly nextPageToken?: string | null;
}

export interface VettedPackages {
  readonly packages: readonly VettedPackage[];
  readonly participantId: string;
  readonly synchronizerId: string;
  readonly topologySerial: Int32;
}

export interface VettedPackage {
  readonly packageId: string;
  readonly validFromInclusive?: string | null;
  readonly validUntilExclusive?: string | null;
  readonly packageName?: string;
  readonly packageVersion?: string;
}

export interface UpdateVettedPackagesRequest {
  readonly changes?: readonly VettedPackagesChange[];
  readonly dryRun?: boolean;
  readonly synchronizerId?: string;
  readonly expectedTopologySerial?: PriorTopologySerial | null;
  readonly updateVettedPackagesForceFlags?: readonly VettingForceFlag[];
}

export interface VettedPackagesChange {
  readonly operation?: VettingOperation;
}

export interface UnvetCase {
  readonly Unvet: Unvet;
}
export interface VetCase {
  readonly Vet: Vet;
}
export type VettingOperation = EmptyCase | UnvetCase | VetCase;

export interface Vet {
  readonly value: VetValue;
}

export interface VetValue {
  readonly packages?: readonly VettedPackagesRef[];
  readonly newValidFromInclusive?: Timestamp | null;
  readonly newValidUntilExclusive?: Timestamp | null;
}

export interface Unvet {
  readonly value: UnvetValue;
}

export interface UnvetValue {
  readonly packages?: readonly VettedPackagesRef[];
}

export interface VettedPackagesRef {
  readonly packageId?: string;
  readonly packageName?: string;
  readonly packageVersion?: string;
}

export interface PriorTopologySerial {
  readonly serial?: TopologySerial;
}

export interface NoPriorCase {
  readonly NoPrior: NoPrior;
}
export interface PriorCase {
  readonly Prior: Prior;
}
export type TopologySerial = EmptyCase | NoPriorCase | PriorCase;

export type NoPrior = Empty | null;

export interface Prior {
  readonly value?: Int32Input;
}

export interface UpdateVettedPackagesResponse {
  readonly pastVettedPackages?: VettedPackages | null;
  readonly newVettedPackages: VettedPackages;
}
