import { fail, ok } from "../../base/result.js";
import { malformedPackageId } from "../../ledger/index.js";
import type { Asked, JsonRequest } from "../method.js";
import { get, nothing, post, posting } from "./requests.js";
import { serviceOf } from "./service.js";

interface OfPackage {
  readonly packageId: string;
}
interface Upload {
  readonly darFile: Uint8Array;
  readonly vettingChange: string;
  readonly synchronizerId: string;
}

function ofPackage(packageId: string, below = ""): Asked<JsonRequest> {
  const malformed = malformedPackageId(packageId);
  return malformed === undefined ? ok(get(`/v2/packages/${encodeURIComponent(packageId)}${below}`)) : fail(malformed);
}

const packages = serviceOf("com.daml.ledger.api.v2.PackageService"),
  management = serviceOf("com.daml.ledger.api.v2.admin.PackageManagementService");

export const packageMethods = [
  packages.unary("ListPackages", { ask: () => ok(get("/v2/packages")) }),
  packages.unary<OfPackage>("GetPackage", {
    ask: ({ packageId }) => ofPackage(packageId),
    // what a package hashes to is its id
    answer: (bytes, { packageId }) => ({ hashFunction: "HASH_FUNCTION_SHA256", archivePayload: bytes, hash: packageId }),
  }),
  packages.unary<OfPackage>("GetPackageStatus", { ask: ({ packageId }) => ofPackage(packageId, "/status") }),
  packages.unary("ListVettedPackages", { ask: posting("/v2/package-vetting/list") }),

  management.unary("ListKnownPackages", { ask: () => ok(get("/admin/known-packages")) }),
  management.unary<Upload>("UploadDarFile", {
    ask: ({ darFile, vettingChange, synchronizerId }) => {
      const vetAllPackages = vettingChange === "VETTING_CHANGE_DONT_VET_ANY_PACKAGES" ? "false" : "true";
      return ok(post("/v2/dars", darFile, { vetAllPackages, synchronizerId }));
    },
  }),
  management.unary<Omit<Upload, "vettingChange">>("ValidateDarFile", {
    ask: ({ darFile, synchronizerId }) => ok(post("/v2/dars/validate", darFile, { synchronizerId })),
    answer: nothing,
  }),
  management.unary("UpdateVettedPackages", { ask: posting("/v2/package-vetting/update") }),
];
