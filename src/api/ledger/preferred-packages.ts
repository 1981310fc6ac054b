import { isFailure, ok } from "../../base/result.js";
import { authenticated } from "../../auth/index.js";
import type { PackageSummary } from "../../ledger/index.js";
import { jsonBody, noBody } from "../body.js";
import { json, operation } from "../operation.js";
import { instant, required, text, texts } from "../query.js";
import { readMicroseconds, toMicroseconds } from "./decoding.js";
import type { PackageReference } from "./types/packages.js";
import type {
  GetPreferredPackagesRequest,
  GetPreferredPackagesResponse,
  GetPreferredPackageVersionResponse,
} from "./types/preferred-packages.js";

export const preferredPackageOperations = {
  preferredPackages: operation({
    route: "POST /v2/interactive-submission/preferred-packages",
    summary: "The best package versions that all named parties can use.",
    claims: () => authenticated,
    body: jsonBody(typia.createValidate<GetPreferredPackagesRequest>(), typia.createAssert<GetPreferredPackagesRequest>()),
    reply: json<GetPreferredPackagesResponse>(),
    handle: ({ ledger }, { body }) => {
      const vettingValidAt = body.vettingValidAt == null ? undefined : toMicroseconds(body.vettingValidAt);
      const requirements = (body.packageVettingRequirements ?? []).map(({ parties = [], packageName = "" }) => ({ parties, packageName }));
      const preference = ledger.preferredPackages({ requirements, synchronizerId: body.synchronizerId ?? "", vettingValidAt });
      return isFailure(preference)
        ? preference
        : ok({ packageReferences: preference.ok.packages.map(referenceOf), synchronizerId: preference.ok.synchronizerId });
    },
  }),

  preferredPackageVersion: operation({
    route: "GET /v2/interactive-submission/preferred-package-version",
    summary: "The best version of one package that all named parties can use.",
    deprecated: true,
    query: { parties: texts(), "package-name": required(text()), vetting_valid_at: instant(readMicroseconds), "synchronizer-id": text() },
    claims: () => authenticated,
    body: noBody(),
    reply: json<GetPreferredPackageVersionResponse>(),
    handle: ({ ledger }, { query }) => {
      const preference = ledger.preferredPackageVersion({
        requirements: [{ parties: query.parties ?? [], packageName: query["package-name"] }],
        synchronizerId: query["synchronizer-id"] ?? "",
        vettingValidAt: query["vetting_valid_at"],
      });
      if (isFailure(preference)) return preference;
      const [best] = preference.ok?.packages ?? [];
      return ok({
        packagePreference:
          best === undefined || preference.ok === undefined
            ? null
            : { packageReference: referenceOf(best), synchronizerId: preference.ok.synchronizerId },
      });
    },
  }),
};

const referenceOf = ({ packageId, name, version }: PackageSummary): PackageReference => ({
  packageId,
  packageName: name,
  packageVersion: version,
});
