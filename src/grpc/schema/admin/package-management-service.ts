import { bool, enumeration, nested, octets, oneOf, protoFile, repeated, string, timestamp, uint64 } from "../fields.js";
import { PriorTopologySerial, VettedPackages } from "../package-reference.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2.admin", "package_management_service.proto", [
  "PackageManagementService",
]);
export const packageManagementServiceFile = file;

const VettingChange = enumOf("UploadDarFileRequest.VettingChange", {
  VETTING_CHANGE_UNSPECIFIED: 0,
  VETTING_CHANGE_VET_ALL_PACKAGES: 1,
  VETTING_CHANGE_DONT_VET_ANY_PACKAGES: 2,
});

const UpdateVettedPackagesForceFlag = enumOf("UpdateVettedPackagesForceFlag", {
  UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED: 0,
  UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES: 2,
  UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES: 3,
});

message("ListKnownPackagesRequest", {});

message("ListKnownPackagesResponse", { package_details: repeated(nested(1, () => PackageDetails)) });

const PackageDetails = message("PackageDetails", {
  package_id: string(1),
  package_size: uint64(2),
  known_since: timestamp(3),
  name: string(4),
  version: string(5),
});

message("UploadDarFileRequest", {
  dar_file: octets(1),
  submission_id: string(2),
  vetting_change: enumeration(3, VettingChange),
  synchronizer_id: string(4),
});

message("UploadDarFileResponse", {});

message("ValidateDarFileRequest", { dar_file: octets(1), submission_id: string(2), synchronizer_id: string(4) });

message("ValidateDarFileResponse", {});

const VettedPackagesChange = message("VettedPackagesChange", {
  operation: oneOf({ vet: nested(1, () => Vet), unvet: nested(2, () => Unvet) }, { json: "operation", isWrapped: true, none: "Empty" }),
});

const Unvet = message("VettedPackagesChange.Unvet", { packages: repeated(nested(1, () => VettedPackagesRef)) });

const Vet = message("VettedPackagesChange.Vet", {
  packages: repeated(nested(1, () => VettedPackagesRef)),
  new_valid_from_inclusive: timestamp(2),
  new_valid_until_exclusive: timestamp(3),
});

const VettedPackagesRef = message("VettedPackagesRef", { package_id: string(1), package_name: string(2), package_version: string(3) });

message("UpdateVettedPackagesRequest", {
  changes: repeated(nested(1, () => VettedPackagesChange)),
  dry_run: bool(2),
  synchronizer_id: string(3),
  expected_topology_serial: nested(4, () => PriorTopologySerial),
  update_vetted_packages_force_flags: repeated(enumeration(5, UpdateVettedPackagesForceFlag)),
});

message("UpdateVettedPackagesResponse", {
  past_vetted_packages: nested(1, () => VettedPackages),
  new_vetted_packages: nested(2, () => VettedPackages),
});
