/** Scan as a validator's users see it: the same answers in slightly other forms, with a token. */
import { authenticated } from "../../auth/index.js";
import { fail, isFailure } from "../../base/result.js";
import { type AnyOperation, type RouteText, json, methodOf, pathOf } from "../operation.js";
import { jsonBody, noBody } from "../body.js";
import { holdingsSummaryOperations, sharedNetworkOperations, type GetAnsRulesRequest, type GetAnsRulesResponse } from "../scan/index.js";
import { answering } from "../splice/answering.js";
import { answeredAs, refused } from "../splice/errors.js";
import { requiring } from "../splice/requiring.js";
import { claims, declare } from "./services.js";
import type { GetAmuletRulesProxyResponse, GetOpenAndIssuingMiningRoundsProxyResponse } from "./types.js";

/** `/v0/dso` stands at `/v0/scan-proxy/dso`. */
const proxied = <O extends Readonly<Record<string, AnyOperation>>>(operations: O): O =>
  Object.fromEntries(
    Object.entries(requiring(operations, authenticated)).map(([name, operation]) => [
      name,
      { ...operation, route: proxyRoute(operation.route) },
    ]),
  ) as O;

const proxyRoute = (route: RouteText): RouteText =>
  `${methodOf(route)} ${pathOf(route).replace(/^(\/v\d+)\//, "$1/scan-proxy/")}` as RouteText;

/** What Scan does not find is told in the proxy's words, which may name what was asked for. */
const missingAs = <O extends Readonly<Record<string, AnyOperation>>>(
  operations: O,
  words: { readonly [K in keyof O]?: (params: Readonly<Record<string, string>>) => string },
): O =>
  answering(operations, (name, handle) => {
    const message = words[name];
    return (
      message
      && (async (services, call) => {
        const answer = await handle(services, call);
        return isFailure(answer) && answer.error.httpStatus === 404
          ? fail(refused({ kind: "notFound", message: message(call.params as Readonly<Record<string, string>>) }))
          : answer;
      })
    );
  });

const noSummary = (): string => "Summary not found for given parameters";

const ownOperations = {
  /** Unlike Scan it tells them to who has them, too. */
  ansRules: declare({
    route: "POST /v0/scan-proxy/ans-rules",
    summary: "The rules of the name service.",
    claims,
    body: jsonBody(typia.createValidate<GetAnsRulesRequest>(), typia.createAssert<GetAnsRulesRequest>()),
    reply: json<GetAnsRulesResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.ansRules(), (rules) => ({ ans_rules_update: rules })),
  }),
  amuletRules: declare({
    route: "GET /v0/scan-proxy/amulet-rules",
    summary: "The rules of Amulet.",
    claims,
    body: noBody(),
    reply: json<GetAmuletRulesProxyResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.amuletRules(), (rules) => ({ amulet_rules: rules })),
  }),
  miningRounds: declare({
    route: "GET /v0/scan-proxy/open-and-issuing-mining-rounds",
    summary: "Rounds that are open or issue rewards.",
    claims,
    body: noBody(),
    reply: json<GetOpenAndIssuingMiningRoundsProxyResponse>(),
    handle: async ({ splice }) =>
      answeredAs(await splice.network.miningRounds(), ({ open, issuing }) => ({
        open_mining_rounds: open,
        issuing_mining_rounds: issuing,
      })),
  }),
};

export const scanProxyOperations = {
  ...missingAs(proxied(sharedNetworkOperations), {
    ansEntryByParty: ({ party }) => `Party ${party} does not have any ANSEntry.`,
    ansEntryByName: ({ name }) => `Did not find a AnsEntry with name ${name}`,
  }),
  ...missingAs(proxied(holdingsSummaryOperations), { holdingsSummary: noSummary, holdingsSummaryV1: noSummary }),
  ...ownOperations,
};
