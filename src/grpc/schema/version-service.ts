import { bool, int32, nested, protoFile, string } from "./fields.js";
import { ExperimentalFeatures } from "./experimental-features.js";
import { Duration } from "./google.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "version_service.proto", ["VersionService"]);
export const versionServiceFile = file;

message("GetLedgerApiVersionRequest", {});

message("GetLedgerApiVersionResponse", { version: string(1), features: nested(2, () => FeaturesDescriptor) });

const FeaturesDescriptor = message("FeaturesDescriptor", {
  experimental: nested(1, () => ExperimentalFeatures),
  user_management: nested(2, () => UserManagementFeature),
  party_management: nested(3, () => PartyManagementFeature),
  offset_checkpoint: nested(4, () => OffsetCheckpointFeature),
  package_feature: nested(5, () => PackageFeature),
});

const UserManagementFeature = message("UserManagementFeature", {
  supported: bool(1),
  max_rights_per_user: int32(2),
  max_users_page_size: int32(3),
});

const PartyManagementFeature = message("PartyManagementFeature", { max_parties_page_size: int32(1) });

const PackageFeature = message("PackageFeature", { max_vetted_packages_page_size: int32(1) });

const OffsetCheckpointFeature = message("OffsetCheckpointFeature", { max_offset_checkpoint_emission_delay: nested(1, () => Duration) });
