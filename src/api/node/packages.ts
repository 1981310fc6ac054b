import { ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { authenticated, participantAdmin } from "../../auth/index.js";
import type { PackageSummary } from "../../ledger/index.js";
import { noBody } from "../body.js";
import { json, operation } from "../operation.js";
import { text } from "../query.js";
import { spliced } from "../wire.js";
import type { ListKnownPackagesResponse, ListPackageSummariesResponse, PackageDescription, PackageSummaryEntry } from "./types/packages.js";

const page = { elementsMax: limits.packagesPageElementsMax, namesMax: limits.packagesPageNamesMax };

/** The Ledger API gives ids and bytes of packages: what stands in them a client would have to decode. */
export const packageOperations = {
  listPackageSummaries: operation({
    route: "GET /packages",
    summary: "Names, versions, dependencies, templates and interfaces of all packages, in pages.",
    query: { pageToken: text() },
    claims: () => authenticated,
    body: noBody(),
    reply: json<ListPackageSummariesResponse>(),
    handle: ({ ledger }, { query }) => {
      const { packages, hasMore } = ledger.listPackageSummaries({ after: query.pageToken ?? "", ...page });
      return ok({ packages: packages.map(entryOf), ...(hasMore && { nextPageToken: packages.at(-1)!.packageId }) });
    },
  }),

  listKnownPackages: operation({
    route: "GET /known-packages",
    summary: "Names, versions and sizes of all packages.",
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<ListKnownPackagesResponse>(),
    handle: async ({ ledger }) => {
      const packages = await ledger.listPackageSizes();
      return ok({
        packageDetails: packages.map(({ summary, bytes }) => ({
          packageId: summary.packageId,
          packageSize: bytes,
          name: summary.name,
          version: summary.version,
        })),
      });
    },
  }),

  describePackage: operation({
    route: "GET /packages/{package-id}",
    summary: "What a package declares: modules, templates, choices, interfaces and types.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<PackageDescription>(),
    deadlineMs: limits.darDeadlineMs,
    handle: async ({ ledger }, { params }) => {
      const described = await ledger.describePackage(params["package-id"]);
      return described.error === undefined ? ok(spliced<PackageDescription>(described.ok)) : described;
    },
  }),
};

const entryOf = ({
  packageId,
  name,
  version,
  lfVersion,
  isUtility,
  dependencies,
  templates,
  interfaces,
  implements: implemented,
}: PackageSummary): PackageSummaryEntry => ({
  packageId,
  packageName: name,
  packageVersion: version,
  lfVersion,
  isUtility,
  dependencies,
  templates,
  interfaces,
  implements: implemented,
});
