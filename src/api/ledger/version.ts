import { limits } from "../../config.js";
import { ok } from "../../base/result.js";
import { noBody } from "../body.js";
import { json, nothing, operation, plainText, type TextReply } from "../operation.js";
import type { Services } from "../services.js";
import type { GetLedgerApiVersionResponse } from "./types/version.js";

/** The version of the published Ledger API that this node speaks; its own version is on the command line and in the logs. */
export const ledgerApiVersion = "3.5.10-SNAPSHOT";

export const versionOperations = {
  version: operation({
    route: "GET /v2/version",
    summary: "The version of the Ledger API, and what of it is supported.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: json<GetLedgerApiVersionResponse>(),
    handle: (services) => ok({ version: ledgerApiVersion, features: featuresOf(services) }),
  }),

  livez: operation({
    route: "GET /livez",
    summary: "Answers while the process lives.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: nothing(),
    handle: () => ok(undefined),
  }),

  readyz: operation({
    route: "GET /readyz",
    summary: "Whether the node serves requests.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: plainText(),
    handle: ({ ready, ledger }) => ok(readiness(ready() ? ledger.impediment() : "The node is starting or stopping.")),
  }),
};

const readiness = (impediment: string | undefined): TextReply =>
  impediment === undefined
    ? { status: 200, text: "[+] ledger ok (SERVING)\nreadyz check passed\n" }
    : { status: 503, text: `[-] ledger failed (NOT_SERVING): ${impediment}\nreadyz check failed\n` };

const featuresOf = ({ staticTime }: Services): GetLedgerApiVersionResponse["features"] => ({
  experimental: { staticTime: { supported: staticTime }, commandInspectionService: { supported: true } },
  userManagement: { supported: true, maxRightsPerUser: limits.userRightsMax, maxUsersPageSize: limits.usersPageElementsMax },
  partyManagement: { maxPartiesPageSize: limits.partiesPageElementsMax },
  offsetCheckpoint: {
    maxOffsetCheckpointEmissionDelay: { seconds: limits.checkpointDelayMaxSeconds, nanos: 0, unknownFields: { fields: {} } },
  },
  packageFeature: { maxVettedPackagesPageSize: limits.vettedPackagesPageElementsMax },
});
