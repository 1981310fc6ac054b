import type { Duration } from "./common.js";
import type { Int32 } from "./scalars.js";

export interface GetLedgerApiVersionResponse {
  readonly version: string;
  readonly features: FeaturesDescriptor;
}

export interface FeaturesDescriptor {
  readonly experimental: ExperimentalFeatures;
  readonly userManagement: UserManagementFeature;
  readonly partyManagement: PartyManagementFeature;
  readonly offsetCheckpoint: OffsetCheckpointFeature;
  readonly packageFeature: PackageFeature;
}

export interface ExperimentalFeatures {
  readonly staticTime?: ExperimentalStaticTime;
  readonly commandInspectionService?: ExperimentalCommandInspectionService;
}

export interface ExperimentalStaticTime {
  readonly supported: boolean;
}

export interface ExperimentalCommandInspectionService {
  readonly supported: boolean;
}

export interface UserManagementFeature {
  readonly supported: boolean;
  readonly maxRightsPerUser: Int32;
  readonly maxUsersPageSize: Int32;
}

export interface PartyManagementFeature {
  readonly maxPartiesPageSize: Int32;
}

export interface OffsetCheckpointFeature {
  readonly maxOffsetCheckpointEmissionDelay: Duration;
}

export interface PackageFeature {
  readonly maxVettedPackagesPageSize: Int32;
}
