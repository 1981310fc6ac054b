/** Packages: what is known and vetted, which version a name stands for, uploads and changes of vetting. */
export {
  decodePackage,
  decodeVettings,
  isVettedAt,
  onSynchronizer,
  type PackageRecord,
  PackageRegistry,
  unbounded,
  type VettablePackage,
  type Vetting,
} from "./package-registry.js";
export { checkPart, isKeyOfPart, readPayload } from "./package-payloads.js";
export { showVersion, type UpgradePair } from "./lineages.js";
export { type Selection, selectPackages, showPackage } from "./package-selection.js";
export { ReadDars } from "./read-dars.js";
export {
  describePackage,
  listPackageSizes,
  listPackageSummaries,
  malformedPackageId,
  type PackageListing,
  type PackagePage,
  type PackagesContext,
  readPackage,
  type SizedPackage,
  storePackages,
  type UpgradeCheck,
  uploadDar,
  validateDar,
} from "./packages.js";
export { type Preference, type PreferenceRequest, preferredPackages, preferredPackageVersion } from "./preferred-packages.js";
export { type PackageReference, updateVettedPackages, type VettingChange, type VettingOutcome, type VettingUpdate } from "./vetting.js";
export { listVettedPackages, type VettingListing, type VettingPage } from "./vetting-listing.js";
export type { VettedPackage, VettingState } from "./vetting-state.js";
