import type { Empty } from "./common.js";

export type PackageStatus = "PACKAGE_STATUS_UNSPECIFIED" | "PACKAGE_STATUS_REGISTERED";

export type UploadDarFileResponse = Empty;

export interface ListPackagesResponse {
  readonly packageIds: readonly string[];
}

export interface GetPackageStatusResponse {
  readonly packageStatus: PackageStatus;
}

export interface PackageReference {
  readonly packageId: string;
  readonly packageName: string;
  readonly packageVersion: string;
}
