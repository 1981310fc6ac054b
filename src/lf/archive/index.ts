/** Reading DARs and archives, and writing those that are built here. The face of `lf/archive`. */
export { readDar, readSources, type Dar } from "./dar.js";
export type { Archive } from "./archive.js";
export type { ZipLimits } from "./zip.js";
export { checkPackage, decodePackage, openPackage } from "./package.js";
export { packageIdOf } from "./package-id.js";
export { isStablePackageId, stablePackageIds } from "../stable-package-ids.js";
export { stableVersions } from "./version.js";
export { stablePackages } from "./stable-packages.js";
export { encodeDar, encodePackage, selfPackageId, type PackageToEncode } from "./encode.js";
export { checkDar, type CheckedDar } from "./dependencies.js";
export { KnownEntries } from "./known-entries.js";
export { loadArchives, loadDar, type LoadedDar, type LoadedPackage, type LoadOptions, type LoadResult } from "./load-dar.js";
export { isUtilityPackage, summarizePackage, type PackageSummary } from "./package-summary.js";
