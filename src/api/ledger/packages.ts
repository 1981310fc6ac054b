import { fail, ok } from "../../base/result.js";
import { authenticated, participantAdmin } from "../../auth/index.js";
import { type Ledger, malformedPackageId } from "../../ledger/index.js";
import { noBody, octetBody } from "../body.js";
import { json, nothing, octets, operation } from "../operation.js";
import { boolean, text } from "../query.js";
import type { GetPackageStatusResponse, ListPackagesResponse, UploadDarFileResponse } from "./types/packages.js";

const uploadQuery = { vetAllPackages: boolean(), synchronizerId: text() };

export const packageOperations = {
  uploadDar: operation({
    route: "POST /v2/dars",
    summary: "Checks, stores and vets the packages of a DAR.",
    query: uploadQuery,
    claims: () => participantAdmin,
    body: octetBody(),
    reply: json<UploadDarFileResponse>(),
    handle: ({ ledger }, { body, query }) => upload(ledger, body, query),
  }),

  uploadPackages: operation({
    route: "POST /v2/packages",
    summary: "The same under its older path.",
    query: uploadQuery,
    claims: () => participantAdmin,
    body: octetBody(),
    reply: json<UploadDarFileResponse>(),
    handle: ({ ledger }, { body, query }) => upload(ledger, body, query),
  }),

  validateDar: operation({
    route: "POST /v2/dars/validate",
    summary: "Checks a DAR as an upload would, and stores nothing.",
    query: { synchronizerId: text() },
    claims: () => participantAdmin,
    body: octetBody(),
    reply: nothing(),
    handle: async ({ ledger }, { body, query }) => {
      const valid = await ledger.validateDar(body, { synchronizerId: query.synchronizerId ?? "" });
      return valid.error === undefined ? ok(undefined) : fail(valid.error);
    },
  }),

  listPackages: operation({
    route: "GET /v2/packages",
    summary: "The ids of all stored packages.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<ListPackagesResponse>(),
    handle: ({ ledger }) => ok({ packageIds: ledger.listPackages() }),
  }),

  getPackage: operation({
    route: "GET /v2/packages/{package-id}",
    summary: "The bytes of a package, with their hash.",
    claims: () => authenticated,
    body: noBody(),
    reply: octets("Canton-Package-Hash"),
    handle: ({ ledger }, { params }) => packageBytes(ledger, params["package-id"]),
  }),

  packageStatus: operation({
    route: "GET /v2/packages/{package-id}/status",
    summary: "Whether a package is stored.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<GetPackageStatusResponse>(),
    handle: ({ ledger }, { params }) => {
      const packageId = params["package-id"],
        malformed = malformedPackageId(packageId);
      if (malformed !== undefined) return fail(malformed);
      const known = ledger.isPackageKnown(packageId);
      return ok({ packageStatus: known ? ("PACKAGE_STATUS_REGISTERED" as const) : ("PACKAGE_STATUS_UNSPECIFIED" as const) });
    },
  }),
};

interface UploadOptions {
  readonly vetAllPackages?: boolean | undefined;
  readonly synchronizerId?: string | undefined;
}

async function upload(ledger: Ledger, bytes: Uint8Array, { vetAllPackages = true, synchronizerId = "" }: UploadOptions) {
  const uploaded = await ledger.uploadDar(bytes, { vetAllPackages, synchronizerId });
  return uploaded.error === undefined ? ok({}) : fail(uploaded.error);
}

function packageBytes(ledger: Ledger, packageId: string) {
  const bytes = ledger.readPackage(packageId);
  if (bytes.error !== undefined) return bytes;
  // The payload hashes to the id itself. Clients of either name of the header are served.
  return ok({ bytes: bytes.ok, headers: { "Canton-Package-Hash": packageId, "Ledger-Package-Hash": packageId } });
}
