/** Versions of Daml-LF 2 and what each of them allows in an archive (LanguageFeatureGen of Canton 3.5). */
import type { LfVersion, PackageId } from "../ast.js";
import type { ArchiveError } from "../errors.js";
import { isOlderVersion } from "../language-version.js";
import { disallowedVersion, parsing, unsupportedMinor } from "./failure.js";

export const stableVersions: ReadonlySet<LfVersion> = new Set(["2.1", "2.2", "2.3"]);

/** Feature -> the versions that have it, first and last. */
const features = {
  "Flat Archive": ["2.2", "2.dev"],
  "Explicit package imports": ["2.2", "2.dev"],
  UnsafeFromInterface: ["2.1", "2.1"],
  "Contract Keys": ["2.3", "2.dev"],
  "Extended crypto primitives": ["2.3", "2.dev"],
  "Lookup by key": ["2.dev", "2.dev"],
  "BigNumeric type": ["2.dev", "2.dev"],
  "Guards in interfaces": ["2.dev", "2.dev"],
  "Unstable, experimental features": ["2.dev", "2.dev"],
} as const satisfies Record<string, readonly [LfVersion, LfVersion]>;

export type Feature = keyof typeof features;

export function supports(version: LfVersion, feature: Feature): boolean {
  const [first, last] = features[feature];
  return !isOlderVersion(version, first) && !isOlderVersion(last, version);
}

export function requireFeature(version: LfVersion, feature: Feature): void {
  if (!supports(version, feature)) throw parsing(`${feature} is not supported by Daml-LF ${version}`);
}

const minors: Readonly<Record<string, LfVersion>> = { "1": "2.1", "2": "2.2", "3": "2.3", dev: "2.dev" };
const withdrawnMinors: ReadonlySet<string> = new Set(["3-rc1", "3-rc2"]);

export function versionOfMinor(minor: string): LfVersion {
  if (withdrawnMinors.has(minor)) throw unsupportedMinor(`Daml-LF 2.${minor} was a release candidate and is discontinued`);
  const version = Object.hasOwn(minors, minor) ? minors[minor] : undefined;
  if (version === undefined)
    throw unsupportedMinor(`"${minor}" is not a minor version of Daml-LF 2; known are ${Object.keys(minors).join(", ")}`);
  return version;
}

/** In the reference's words. */
export function disallowed(packageId: PackageId, version: string, allowed: ReadonlySet<string>): Pick<ArchiveError, "message" | "details"> {
  const allowedLanguageVersions = `List(${[...allowed].join(", ")})`;
  return {
    message: `Disallowed language version in package ${packageId}: Expected version range is ${allowedLanguageVersions} but got ${version}`,
    details: { packageId, languageVersion: version, allowedLanguageVersions },
  };
}

export const refuseMajor1 = (packageId: PackageId, minor: string) => disallowedVersion(disallowed(packageId, `1.${minor}`, stableVersions));
