/** Packages of a participant, and which of them it has vetted. */
import { Exclusive } from "../../base/exclusive.js";
import type { Ledger } from "../ledger.js";
import {
  describePackage,
  listPackageSizes,
  listPackageSummaries,
  listVettedPackages,
  type PackagesContext,
  preferredPackages,
  preferredPackageVersion,
  readPackage,
  ReadDars,
  updateVettedPackages,
  uploadDar,
  validateDar,
} from "../packages/index.js";
import type { Opening } from "./member.js";

export interface Packages {
  readonly context: PackagesContext;
  readonly ledger: Pick<
    Ledger,
    | "listDar"
    | "validateDar"
    | "uploadDar"
    | "listPackages"
    | "readPackage"
    | "isPackageKnown"
    | "packageSummary"
    | "describeTypes"
    | "listPackageSizes"
    | "listPackageSummaries"
    | "describePackage"
    | "listVettedPackages"
    | "updateVettedPackages"
    | "preferredPackages"
    | "preferredPackageVersion"
  >;
}

export function openPackages({ member, network, others, tokenKey }: Opening): Packages {
  const { tables, packages, committer, interpreter, synchronizers, parties, checkUpgrade } = member,
    { participantId } = member.identity,
    { clock, turns } = network;
  const context = {
    tables,
    packages,
    committer,
    interpreter,
    clock,
    synchronizers,
    checkUpgrade,
    vettingChanges: new Exclusive(),
    readDars: new ReadDars(),
  };
  const vettingContext = { ...context, participantId, parties, tokenKey, others },
    preferenceContext = { packages, parties, clock, synchronizers, others };
  return {
    context,
    ledger: {
      listDar: (bytes) => interpreter.listDar(bytes),
      validateDar: (bytes, { synchronizerId: id }) => validateDar(bytes, id, context),
      uploadDar: (bytes, upload) => uploadDar(bytes, upload, context),
      listPackages: () => packages.ids(),
      readPackage: (packageId) => readPackage(packageId, context),
      isPackageKnown: (packageId) => packages.get(packageId) !== undefined,
      packageSummary: (packageId) => packages.get(packageId)?.summary,
      describeTypes: (positions) => interpreter.describeTypes(positions),
      listPackageSizes: () => listPackageSizes(context, turns),
      listPackageSummaries: (request) => listPackageSummaries(request, packages),
      describePackage: (packageId) => describePackage(packageId, context),
      listVettedPackages: (request) => listVettedPackages(request, vettingContext),
      updateVettedPackages: (request) => updateVettedPackages(request, vettingContext),
      preferredPackages: (request) => preferredPackages(request, preferenceContext),
      preferredPackageVersion: (request) => preferredPackageVersion(request, preferenceContext),
    },
  };
}
