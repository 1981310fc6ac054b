import { ok } from "../../base/result.js";
import type { ContractWithState, DsoInfo, RoundFees } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { json } from "../operation.js";
import { int32, int64, required, text, texts, wholeInt64 } from "../query.js";
import { answered, answeredAs } from "../splice/errors.js";
import { declare } from "./services.js";
import type {
  FeatureSupportResponse,
  GetActivePhysicalSynchronizerSerialResponse,
  GetAmuletRulesRequest,
  GetAmuletRulesResponse,
  GetAnsRulesRequest,
  GetAnsRulesResponse,
  GetClosedRoundsResponse,
  GetDsoPartyIdResponse,
  GetExternalPartyAmuletRulesRequest,
  GetExternalPartyAmuletRulesResponse,
  GetLsuResponse,
  GetMemberTrafficStatusResponse,
  GetOpenAndIssuingMiningRoundsRequest,
  GetOpenAndIssuingMiningRoundsResponse,
  GetPartyToParticipantResponse,
  GetPartyToParticipantResponseV1,
  GetRollForwardLsuResponse,
  GetSpliceInstanceNamesResponse,
  GetValidatorFaucetsByValidatorResponse,
  ListDsoScansResponse,
  ListDsoSequencersResponse,
  ListEntriesResponse,
  ListFeaturedAppRightsResponse,
  ListSvBftSequencersResponse,
  ListUnclaimedDevelopmentFundCouponsResponse,
  ListValidatorLicensesResponse,
  LookupEntryResponse,
  LookupFeaturedAppRightResponse,
  LookupTransferCommandCounterByPartyResponse,
  LookupTransferCommandStatusResponse,
  LookupTransferPreapprovalByPartyResponse,
  MaybeCachedContractWithState,
  MigrationSchedule,
} from "./types.js";

/** Without the contract where the caller has it. */
const unlessCached = ({ contract, ...state }: ContractWithState, cached: string | null | undefined): MaybeCachedContractWithState =>
  contract.contract_id === cached ? state : { contract, ...state };

const byContractId = (
  contracts: readonly ContractWithState[],
  cached: readonly string[],
): Readonly<Record<string, MaybeCachedContractWithState>> =>
  Object.fromEntries(
    contracts.map((each) => [
      each.contract.contract_id,
      unlessCached(
        each,
        cached.find((id) => id === each.contract.contract_id),
      ),
    ]),
  );

/** These stand below Scan and, with a token, below its proxy. */
export const sharedNetworkOperations = {
  dsoParty: declare({
    route: "GET /v0/dso-party-id",
    summary: "The party of the network's operators.",
    claims: "none",
    body: noBody(),
    reply: json<GetDsoPartyIdResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.dsoParty(), (party) => ({ dso_party_id: party })),
  }),
  dso: declare({
    route: "GET /v0/dso",
    summary: "The rules of the network and its operators.",
    claims: "none",
    body: noBody(),
    reply: json<DsoInfo>(),
    handle: async ({ splice }) => answered(await splice.network.dso()),
  }),
  featuredApp: declare({
    route: "GET /v0/featured-apps/{provider_party_id}",
    summary: "The right of an app's provider to be featured, if there is one.",
    claims: "none",
    body: noBody(),
    reply: json<LookupFeaturedAppRightResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.featuredApps(params.provider_party_id), ([right]) => ({ featured_app_right: right ?? null })),
  }),
  transferPreapproval: declare({
    route: "GET /v0/transfer-preapprovals/by-party/{party}",
    summary: "Whether transfers to a party complete at once.",
    claims: "none",
    body: noBody(),
    reply: json<LookupTransferPreapprovalByPartyResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.transferPreapproval(params.party), (preapproval) => ({ transfer_preapproval: preapproval })),
  }),
  transferCommandCounter: declare({
    route: "GET /v0/transfer-command-counter/{party}",
    summary: "The counter of a party's transfer commands.",
    claims: "none",
    body: noBody(),
    reply: json<LookupTransferCommandCounterByPartyResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.transferCommandCounter(params.party), (counter) => ({ transfer_command_counter: counter })),
  }),
  transferCommandStatus: declare({
    route: "GET /v0/transfer-command/status",
    summary: "What became of a party's transfer commands of a number.",
    claims: "none",
    query: { sender: required(text()), nonce: required(wholeInt64()) },
    body: noBody(),
    reply: json<LookupTransferCommandStatusResponse>(),
    handle: async ({ splice }, { query }) =>
      answeredAs(await splice.transferCommands(query), (commands) => ({ transfer_commands_by_contract_id: commands })),
  }),
  ansEntries: declare({
    route: "GET /v0/ans-entries",
    summary: "Names of the name service.",
    claims: "none",
    query: { name_prefix: text(), page_size: required(int32()) },
    body: noBody(),
    reply: json<ListEntriesResponse>(),
    handle: async ({ splice }, { query }) =>
      answeredAs(await splice.entries.page(query.name_prefix ?? "", query.page_size), (entries) => ({ entries })),
  }),
  ansEntryByParty: declare({
    route: "GET /v0/ans-entries/by-party/{party}",
    summary: "The name of a party.",
    claims: "none",
    body: noBody(),
    reply: json<LookupEntryResponse>(),
    handle: async ({ splice }, { params }) => answeredAs(await splice.entries.ofParty(params.party), (entry) => ({ entry })),
  }),
  ansEntryByName: declare({
    route: "GET /v0/ans-entries/by-name/{name}",
    summary: "The party of a name.",
    claims: "none",
    body: noBody(),
    reply: json<LookupEntryResponse>(),
    handle: async ({ splice }, { params }) => answeredAs(await splice.entries.ofName(params.name), (entry) => ({ entry })),
  }),
  unclaimedDevelopmentFundCoupons: declare({
    route: "GET /v0/unclaimed-development-fund-coupons",
    summary: "What of the development fund nobody has claimed.",
    claims: "none",
    body: noBody(),
    reply: json<ListUnclaimedDevelopmentFundCouponsResponse>(),
    handle: async ({ splice }) =>
      answeredAs(await splice.network.unclaimedDevelopmentFundCoupons(), (coupons) => ({ "unclaimed-development-fund-coupons": coupons })),
  }),
};

/** These stand below Scan and, for admins, below an SV. */
export const licenseOperations = {
  validatorLicenses: declare({
    route: "GET /v0/admin/validator/licenses",
    summary: "Licenses of validators, the newest first.",
    claims: "none",
    query: { after: int64(), limit: int32() },
    body: noBody(),
    reply: json<ListValidatorLicensesResponse>(),
    handle: async ({ splice }, { query }) =>
      answeredAs(await splice.licenses(query), ({ licenses, nextPageToken }) => ({
        validator_licenses: licenses,
        next_page_token: nextPageToken ?? null,
      })),
  }),
};

export const networkOperations = {
  ansRules: declare({
    route: "POST /v0/ans-rules",
    summary: "The rules of the name service.",
    claims: "none",
    body: jsonBody(typia.createValidate<GetAnsRulesRequest>(), typia.createAssert<GetAnsRulesRequest>()),
    reply: json<GetAnsRulesResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.ansRules(), (rules) => ({
        ans_rules_update: unlessCached(rules, body.cached_ans_rules_contract_id),
      })),
  }),
  amuletRules: declare({
    route: "POST /v0/amulet-rules",
    summary: "The rules of Amulet.",
    claims: "none",
    body: jsonBody(typia.createValidate<GetAmuletRulesRequest>(), typia.createAssert<GetAmuletRulesRequest>()),
    reply: json<GetAmuletRulesResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.amuletRules(), (rules) => ({
        amulet_rules_update: unlessCached(rules, body.cached_amulet_rules_contract_id),
      })),
  }),
  externalPartyAmuletRules: declare({
    route: "POST /v0/external-party-amulet-rules",
    summary: "The rules that external parties use.",
    claims: "none",
    body: jsonBody(typia.createValidate<GetExternalPartyAmuletRulesRequest>(), typia.createAssert<GetExternalPartyAmuletRulesRequest>()),
    reply: json<GetExternalPartyAmuletRulesResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.externalPartyAmuletRules(), (rules) => ({
        external_party_amulet_rules_update: unlessCached(rules, body.cached_external_party_amulet_rules_contract_id),
      })),
  }),
  miningRounds: declare({
    route: "POST /v0/open-and-issuing-mining-rounds",
    summary: "Rounds that are open or issue rewards, by contract id.",
    claims: "none",
    body: jsonBody(
      typia.createValidate<GetOpenAndIssuingMiningRoundsRequest>(),
      typia.createAssert<GetOpenAndIssuingMiningRoundsRequest>(),
    ),
    reply: json<GetOpenAndIssuingMiningRoundsResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.miningRounds(), ({ open, issuing, timeToLiveMicros }) => ({
        time_to_live_in_microseconds: timeToLiveMicros,
        open_mining_rounds: byContractId(open, body.cached_open_mining_round_contract_ids),
        issuing_mining_rounds: byContractId(issuing, body.cached_issuing_round_contract_ids),
      })),
  }),
  closedRounds: declare({
    route: "GET /v0/closed-rounds",
    summary: "Rounds that are closed and not archived yet.",
    claims: "none",
    body: noBody(),
    reply: json<GetClosedRoundsResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.closedRounds(), (rounds) => ({ rounds })),
  }),
  featuredApps: declare({
    route: "GET /v0/featured-apps",
    summary: "All rights to be featured.",
    claims: "none",
    body: noBody(),
    reply: json<ListFeaturedAppRightsResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.featuredApps(), (rights) => ({ featured_apps: rights })),
  }),
  featuredAppsByProvider: declare({
    route: "GET /v0/featured-apps/by-provider/{provider_party_id}",
    summary: "The rights of one provider to be featured.",
    claims: "none",
    body: noBody(),
    reply: json<ListFeaturedAppRightsResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.featuredApps(params.provider_party_id), (rights) => ({ featured_apps: rights })),
  }),
  instanceNames: declare({
    route: "GET /v0/splice-instance-names",
    summary: "What the network, its token and its name service are called.",
    claims: "none",
    body: noBody(),
    reply: json<GetSpliceInstanceNamesResponse>(),
    handle: ({ splice: { names } }) =>
      ok({
        network_name: names.networkName,
        network_favicon_url: names.networkFaviconUrl,
        amulet_name: names.amuletName,
        amulet_name_acronym: names.amuletNameAcronym,
        name_service_name: names.nameServiceName,
        name_service_name_acronym: names.nameServiceNameAcronym,
      }),
  }),
  memberTraffic: declare({
    route: "GET /v0/domains/{domain_id}/members/{member_id}/traffic-status",
    summary: "Traffic that was bought for a member; none is ever used up.",
    claims: "none",
    body: noBody(),
    reply: json<GetMemberTrafficStatusResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.purchasedTraffic({ member: params.member_id, synchronizer: params.domain_id }), (purchased) => ({
        traffic_status: { actual: { total_consumed: 0, total_limit: purchased }, target: { total_purchased: purchased } },
      })),
  }),
  featuredAppByContractId: declare({
    route: "GET /v0/featured-apps/by-contract-id/{contract_id}",
    summary: "One right to be featured, if it is there.",
    claims: "none",
    body: noBody(),
    reply: json<LookupFeaturedAppRightResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.featuredApp(params.contract_id), (right) => ({ featured_app_right: right ?? null })),
  }),
  dsoSequencers: declare({
    route: "GET /v0/dso-sequencers",
    summary: "Sequencers that the SVs published: none, unless somebody did.",
    claims: "none",
    body: noBody(),
    reply: json<ListDsoSequencersResponse>(),
    handle: async ({ splice }) =>
      ok({ domainSequencers: (await splice.network.sequencers()).map(({ domainId, nodes }) => ({ domainId, sequencers: nodes })) }),
  }),
  participantOfParty: declare({
    route: "GET /v0/domains/{domain_id}/parties/{party_id}/participant-id",
    summary: "The participant that hosts a party.",
    claims: "none",
    body: noBody(),
    reply: json<GetPartyToParticipantResponse>(),
    handle: ({ splice }, { params }) =>
      answeredAs(
        splice.network.participantOf({ party: params.party_id, synchronizer: params.domain_id, called: "domain" }),
        (participant) => ({ participant_id: participant }),
      ),
  }),
  participantsOfParty: declare({
    route: "GET /v1/domains/{domain_id}/parties/{party_id}/participant-id",
    summary: "The participants that host a party.",
    claims: "none",
    body: noBody(),
    reply: json<GetPartyToParticipantResponseV1>(),
    handle: ({ splice }, { params }) =>
      answeredAs(splice.network.participantsOf({ party: params.party_id, synchronizer: params.domain_id }), (participants) => ({
        participant_ids: participants,
      })),
  }),
  scans: declare({
    route: "GET /v0/scans",
    summary: "Scans that the SVs published: this one, where the node knows its address.",
    claims: "none",
    body: noBody(),
    reply: json<ListDsoScansResponse>(),
    handle: async ({ splice }) => ok({ scans: (await splice.network.scans()).map(({ domainId, nodes }) => ({ domainId, scans: nodes })) }),
  }),
  featureSupport: declare({
    route: "GET /v0/feature-support",
    summary: "Features that may be missing elsewhere.",
    claims: "none",
    body: noBody(),
    reply: json<FeatureSupportResponse>(),
    handle: () => ok({}),
  }),
  migrationSchedule: declare({
    route: "GET /v0/migrations/schedule",
    summary: "The next migration that the DSO agreed on, if there is one.",
    claims: "none",
    body: noBody(),
    reply: json<MigrationSchedule>(),
    handle: async ({ splice }) =>
      answeredAs(await splice.network.migrationSchedule(), ({ time, migrationId }) => ({ time, migration_id: migrationId })),
  }),
  validatorFaucets: declare({
    route: "GET /v0/validators/validator-faucets",
    summary: "What validators received for being there, in earlier releases.",
    claims: "none",
    query: { validator_ids: required(texts()) },
    body: noBody(),
    reply: json<GetValidatorFaucetsByValidatorResponse>(),
    handle: async ({ splice }, { query }) =>
      answeredAs(await splice.faucets(query.validator_ids), (received) => ({ validatorsReceivedFaucets: received })),
  }),
  amuletConfigForRound: declare({
    route: "GET /v0/amulet-config-for-round",
    summary: "What transfers cost in a round.",
    deprecated: true,
    claims: "none",
    query: { round: required(int64()) },
    body: noBody(),
    reply: json<RoundFees>(),
    handle: async ({ splice }, { query }) => answered(await splice.roundFees(query.round)),
  }),
  lsu: declare({
    route: "GET /v0/lsu",
    summary: "The next upgrade of the synchronizer: none is planned.",
    claims: "none",
    body: noBody(),
    reply: json<GetLsuResponse>(),
    handle: () => ok({}),
  }),
  rollForwardLsu: declare({
    route: "GET /v0/roll-forward-lsu",
    summary: "The same, of one that has to be made up for: none.",
    claims: "none",
    body: noBody(),
    reply: json<GetRollForwardLsuResponse>(),
    handle: () => ok({}),
  }),
  activeSynchronizerSerial: declare({
    route: "GET /v0/active-synchronizer-serial",
    summary: "How often the synchronizer was upgraded: never.",
    claims: "none",
    body: noBody(),
    reply: json<GetActivePhysicalSynchronizerSerialResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.synchronizerSerial(), (serial) => ({ serial })),
  }),
  svBftSequencers: declare({
    route: "GET /v0/sv-bft-sequencers",
    summary: "Sequencers that agree among each other: none.",
    claims: "none",
    body: noBody(),
    reply: json<ListSvBftSequencersResponse>(),
    handle: () => ok({ bftSequencers: [] }),
  }),
};
