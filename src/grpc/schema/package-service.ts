import { enumeration, nested, octets, protoFile, repeated, string, uint32 } from "./fields.js";
import { VettedPackages } from "./package-reference.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2", "package_service.proto", ["PackageService"]);
export const packageServiceFile = file;

const PackageStatus = enumOf("PackageStatus", { PACKAGE_STATUS_UNSPECIFIED: 0, PACKAGE_STATUS_REGISTERED: 1 });

const HashFunction = enumOf("HashFunction", { HASH_FUNCTION_SHA256: 0 });

message("ListPackagesResponse", { package_ids: repeated(string(1)) });

message("GetPackageResponse", { hash_function: enumeration(1, HashFunction), archive_payload: octets(2), hash: string(3) });

message("GetPackageStatusResponse", { package_status: enumeration(1, PackageStatus) });

message("ListPackagesRequest", {});

message("GetPackageRequest", { package_id: string(1) });

message("GetPackageStatusRequest", { package_id: string(1) });

const PackageMetadataFilter = message("PackageMetadataFilter", {
  package_ids: repeated(string(1)),
  package_name_prefixes: repeated(string(2)),
});

const TopologyStateFilter = message("TopologyStateFilter", { participant_ids: repeated(string(1)), synchronizer_ids: repeated(string(2)) });

message("ListVettedPackagesRequest", {
  package_metadata_filter: nested(1, () => PackageMetadataFilter),
  topology_state_filter: nested(2, () => TopologyStateFilter),
  page_token: string(3),
  page_size: uint32(4),
});

message("ListVettedPackagesResponse", { vetted_packages: repeated(nested(1, () => VettedPackages)), next_page_token: string(2) });
