import { isFailure, ok } from "../../base/result.js";
import { authenticated, participantAdmin } from "../../auth/index.js";
import {
  instantText,
  type Ledger,
  type PackageReference,
  type VettedPackage as VettedPackageData,
  type VettingChange,
  type VettingListing,
  type VettingState,
  type VettingUpdate,
} from "../../ledger/index.js";
import { base64 } from "../base64.js";
import { jsonBody } from "../body.js";
import { json, operation } from "../operation.js";
import { toPageToken, toMicroseconds, toOptionalInt32 } from "./decoding.js";
import type { Timestamp } from "./types/scalars.js";
import type {
  ListVettedPackagesRequest,
  ListVettedPackagesResponse,
  TopologySerial,
  UpdateVettedPackagesRequest,
  UpdateVettedPackagesResponse,
  VettedPackage,
  VettedPackages,
  VettedPackagesChange,
  VettedPackagesRef,
  VettingForceFlag,
} from "./types/vetting.js";

const listBody = jsonBody(typia.createValidate<ListVettedPackagesRequest>(), typia.createAssert<ListVettedPackagesRequest>());
const updateBody = jsonBody(typia.createValidate<UpdateVettedPackagesRequest>(), typia.createAssert<UpdateVettedPackagesRequest>());

export const vettingOperations = {
  listVettedPackages: operation({
    route: "POST /v2/package-vetting/list",
    summary: "Which packages are vetted where, in pages.",
    claims: () => authenticated,
    body: listBody,
    reply: json<ListVettedPackagesResponse>(),
    handle: ({ ledger }, { body }) => list(ledger, body),
  }),

  updateVettedPackages: operation({
    route: "POST /v2/package-vetting/update",
    summary: "Vets and unvets packages.",
    claims: () => participantAdmin,
    body: updateBody,
    reply: json<UpdateVettedPackagesResponse>(),
    handle: ({ ledger }, { body }) => update(ledger, body),
  }),

  listVettedPackagesByGet: operation({
    route: "GET /v2/package-vetting",
    summary: "Which packages are vetted where, asked for with a body on GET.",
    deprecated: true,
    claims: () => authenticated,
    body: listBody,
    reply: json<ListVettedPackagesResponse>(),
    handle: ({ ledger }, { body }) => list(ledger, body),
  }),

  updateVettedPackagesByPost: operation({
    route: "POST /v2/package-vetting",
    summary: "Vets and unvets packages, under its older path.",
    deprecated: true,
    claims: () => participantAdmin,
    body: updateBody,
    reply: json<UpdateVettedPackagesResponse>(),
    handle: ({ ledger }, { body }) => update(ledger, body),
  }),
};

function list(ledger: Ledger, body: ListVettedPackagesRequest) {
  const page = ledger.listVettedPackages(listingOf(body));
  return isFailure(page) ? page : ok({ vettedPackages: page.ok.states.map(statePublished), nextPageToken: base64(page.ok.nextPageToken) });
}

async function update(ledger: Ledger, body: UpdateVettedPackagesRequest) {
  const updated = await ledger.updateVettedPackages(updateOf(body));
  if (isFailure(updated)) return updated;
  const { past, next } = updated.ok;
  return ok({ pastVettedPackages: past === undefined ? null : statePublished(past), newVettedPackages: statePublished(next) });
}

const listingOf = ({ packageMetadataFilter, topologyStateFilter, pageSize, pageToken }: ListVettedPackagesRequest): VettingListing => ({
  packageIds: packageMetadataFilter?.packageIds ?? [],
  namePrefixes: packageMetadataFilter?.packageNamePrefixes ?? [],
  participantIds: topologyStateFilter?.participantIds ?? [],
  synchronizerIds: topologyStateFilter?.synchronizerIds ?? [],
  pageSize: toOptionalInt32(pageSize) ?? 0,
  pageToken: toPageToken(pageToken ?? ""),
});

const updateOf = (body: UpdateVettedPackagesRequest): VettingUpdate => ({
  changes: (body.changes ?? []).map(changeOf),
  dryRun: body.dryRun ?? false,
  synchronizerId: body.synchronizerId ?? "",
  expectedSerial: serialOf(body.expectedTopologySerial?.serial),
  allowIncompatibleUpgrades: hasFlag(body, "UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES"),
});

const hasFlag = ({ updateVettedPackagesForceFlags = [] }: UpdateVettedPackagesRequest, flag: VettingForceFlag): boolean =>
  updateVettedPackagesForceFlags.includes(flag);

function changeOf({ operation: change }: VettedPackagesChange): VettingChange | undefined {
  if (change === undefined || "Empty" in change) return undefined;
  if ("Unvet" in change) return { kind: "unvet", packages: (change.Unvet.value.packages ?? []).map(referenceOf) };
  const { packages, newValidFromInclusive, newValidUntilExclusive } = change.Vet.value;
  return {
    kind: "vet",
    packages: (packages ?? []).map(referenceOf),
    validFrom: boundOf(newValidFromInclusive),
    validUntil: boundOf(newValidUntilExclusive),
  };
}

const boundOf = (time: Timestamp | null | undefined): bigint | undefined => (time == null ? undefined : toMicroseconds(time));

const referenceOf = ({ packageId = "", packageName = "", packageVersion = "" }: VettedPackagesRef): PackageReference => ({
  packageId,
  name: packageName,
  version: packageVersion,
});

function serialOf(serial: TopologySerial | undefined): VettingUpdate["expectedSerial"] {
  if (serial === undefined || "Empty" in serial) return "any";
  return "NoPrior" in serial ? "none" : Number(serial.Prior.value ?? 0);
}

const statePublished = (state: VettingState): VettedPackages => ({
  packages: state.packages.map(packagePublished),
  participantId: state.participantId,
  synchronizerId: state.synchronizerId,
  topologySerial: state.serial,
});

const packagePublished = ({ packageId, name, version, vetting }: VettedPackageData): VettedPackage => ({
  packageId,
  validFromInclusive: vetting.validFrom === undefined ? null : instantText(vetting.validFrom),
  validUntilExclusive: vetting.validUntil === undefined ? null : instantText(vetting.validUntil),
  packageName: name,
  packageVersion: version,
});
