/** What clients of Scan send and get; names are Splice's. */
import type {
  ActiveContract,
  AnsEntry,
  ContractWithState,
  DescribedContract,
  EventItem,
  OwnerSummary,
  OwnerSummaryWithFees,
  ReassignmentItem,
  ReceivedFaucets,
  TransferCommandWithStatus,
  UpdateItem,
  UpdateItemWithOffset,
} from "../../splice/index.js";
import type { Instant, Int32Input, Int64, Int64Input } from "../ledger/types/scalars.js";

export type { Version } from "../splice/health.js";

export type DamlValueEncoding = "compact_json" | "protobuf_json";

export interface UpdateHistoryRequestAfter {
  readonly after_migration_id: Int64Input;
  readonly after_record_time: string;
}

export interface UpdateHistoryRequest {
  readonly after?: UpdateHistoryRequestAfter | null;
  readonly page_size: Int32Input;
  readonly daml_value_encoding?: DamlValueEncoding | null;
}
/** Of the first release: `lossless` is the other encoding. */
export interface LosslessUpdateHistoryRequest {
  readonly after?: UpdateHistoryRequestAfter | null;
  readonly page_size: Int32Input;
  readonly lossless?: boolean | null;
}
/** The encoding goes by two names; the first wins. */
export interface EventHistoryRequest extends UpdateHistoryRequest {
  readonly contract_value_encoding?: DamlValueEncoding | null;
}

export type UpdateHistoryItemV2 = UpdateItem | ReassignmentItem;
export type UpdateHistoryItem = UpdateItemWithOffset | ReassignmentItem;

export interface EventHistoryResponse {
  readonly events: readonly EventItem[];
}
export interface UpdateHistoryResponse {
  readonly transactions: readonly UpdateHistoryItemV2[];
}
export interface UpdateHistoryResponseWithOffsets {
  readonly transactions: readonly UpdateHistoryItem[];
}

export interface UpdatesBeforeRequest {
  readonly migration_id: Int64Input;
  readonly synchronizer_id: string;
  readonly before: Instant;
  readonly at_or_after?: Instant | null;
  readonly count: Int32Input;
}
export interface ImportUpdatesRequest {
  readonly migration_id: Int64Input;
  readonly after_update_id: string;
  readonly limit: Int32Input;
}
export interface MigrationInfoRequest {
  readonly migration_id: Int64Input;
}

interface SnapshotRequest {
  readonly migration_id: Int64Input;
  readonly record_time: Instant;
  readonly record_time_match?: "exact" | "at_or_before" | null;
}
export interface HoldingsStateRequest extends SnapshotRequest {
  readonly after?: Int64Input | null;
  readonly page_size: Int32Input;
  readonly owner_party_ids: readonly string[];
}
export interface AcsRequest extends SnapshotRequest {
  readonly after?: Int64Input | null;
  readonly page_size: Int32Input;
  readonly party_ids?: readonly string[] | null;
  readonly templates?: readonly string[] | null;
}
export interface HoldingsSummaryRequestV1 extends SnapshotRequest {
  readonly owner_party_ids: readonly string[];
}
export interface HoldingsSummaryRequest extends HoldingsSummaryRequestV1 {
  readonly as_of_round?: Int64Input | null;
}

export interface AcsSnapshotTimestampResponse {
  readonly record_time: string;
}
export interface ForceAcsSnapshotResponse {
  readonly record_time: string;
  readonly migration_id: Int64;
}

interface AcsPage<E> {
  readonly record_time: string;
  readonly migration_id: Int64;
  readonly created_events: readonly E[];
  /** Null where there is none, as Splice's servers have it and their clients compare; its document leaves it out. */
  readonly next_page_token: Int64 | null;
}
export type AcsResponseV1 = AcsPage<ActiveContract>;
/** An active contract as the event that created it. */
export interface CreatedEvent extends Omit<ActiveContract, "created_in_update_id"> {
  readonly event_type: "created_event";
  readonly event_id: string;
}
export type AcsResponse = AcsPage<CreatedEvent>;

interface SummaryHead {
  readonly record_time: string;
  readonly migration_id: Int64;
}
export interface HoldingsSummaryResponseV1 extends SummaryHead {
  readonly summaries: readonly OwnerSummary[];
}
export interface HoldingsSummaryResponse extends SummaryHead {
  readonly computed_as_of_round: Int64;
  readonly summaries: readonly OwnerSummaryWithFees[];
}

export interface CountVoteResultsRequest {
  readonly actionName?: string | null;
  readonly accepted?: boolean | null;
  readonly requester?: string | null;
  readonly effectiveFrom?: string | null;
  readonly effectiveTo?: string | null;
}
export interface ListVoteResultsRequest extends CountVoteResultsRequest {
  readonly limit: Int64Input;
  readonly pageToken?: Int64Input | null;
}
export interface ListDsoRulesVoteResultsResponse {
  readonly dso_rules_vote_results: readonly object[];
  readonly next_page_token: Int64 | null;
}
export interface PreviousSvRewardWeightRequest {
  readonly svParty: string;
  readonly effectiveBefore?: string | null;
}
export interface PreviousSvRewardWeightResponse {
  readonly rewardWeight?: string;
}
export interface CountVoteResultsResponse {
  readonly count: Int64;
}

export interface GetDsoPartyIdResponse {
  readonly dso_party_id: string;
}
export interface GetSpliceInstanceNamesResponse {
  readonly network_name: string;
  readonly network_favicon_url: string;
  readonly amulet_name: string;
  readonly amulet_name_acronym: string;
  readonly name_service_name: string;
  readonly name_service_name_acronym: string;
}
/** The contract is left out where the caller has it. */
export interface MaybeCachedContractWithState {
  readonly contract?: DescribedContract;
  readonly domain_id?: string;
}
export interface GetAmuletRulesRequest {
  readonly cached_amulet_rules_contract_id?: string | null;
  readonly cached_amulet_rules_domain_id?: string | null;
}
export interface GetAmuletRulesResponse {
  readonly amulet_rules_update: MaybeCachedContractWithState;
}
export interface GetExternalPartyAmuletRulesRequest {
  readonly cached_external_party_amulet_rules_contract_id?: string | null;
  readonly cached_external_party_amulet_rules_domain_id?: string | null;
}
export interface GetExternalPartyAmuletRulesResponse {
  readonly external_party_amulet_rules_update: MaybeCachedContractWithState;
}
export interface GetAnsRulesRequest {
  readonly cached_ans_rules_contract_id?: string | null;
  readonly cached_ans_rules_domain_id?: string | null;
}
export interface GetAnsRulesResponse {
  readonly ans_rules_update: MaybeCachedContractWithState;
}
export interface GetOpenAndIssuingMiningRoundsRequest {
  readonly cached_open_mining_round_contract_ids: readonly string[];
  readonly cached_issuing_round_contract_ids: readonly string[];
}
export interface GetOpenAndIssuingMiningRoundsResponse {
  readonly time_to_live_in_microseconds: Int64;
  readonly open_mining_rounds: Readonly<Record<string, MaybeCachedContractWithState>>;
  readonly issuing_mining_rounds: Readonly<Record<string, MaybeCachedContractWithState>>;
}
export interface GetClosedRoundsResponse {
  readonly rounds: readonly DescribedContract[];
}
export interface ListFeaturedAppRightsResponse {
  readonly featured_apps: readonly DescribedContract[];
}
export interface LookupFeaturedAppRightResponse {
  /** Null where there is none, as above. */
  readonly featured_app_right: DescribedContract | null;
}
export interface LookupTransferPreapprovalByPartyResponse {
  readonly transfer_preapproval: ContractWithState;
}
export interface LookupTransferCommandCounterByPartyResponse {
  readonly transfer_command_counter: ContractWithState;
}
export interface ListEntriesResponse {
  readonly entries: readonly AnsEntry[];
}
export interface LookupEntryResponse {
  readonly entry: AnsEntry;
}
export interface GetMigrationIdResponse {
  readonly migration_id: Int64;
}
export interface GetMemberTrafficStatusResponse {
  readonly traffic_status: {
    readonly actual: { readonly total_consumed: Int64; readonly total_limit: Int64 };
    readonly target: { readonly total_purchased: Int64 };
  };
}
export interface GetPartyToParticipantResponse {
  readonly participant_id: string;
}
export interface GetPartyToParticipantResponseV1 {
  readonly participant_ids: readonly string[];
}
export interface GetBackfillingStatusResponse {
  readonly complete: boolean;
}
export interface BatchListVotesByVoteRequestsRequest {
  readonly vote_request_contract_ids: readonly string[];
}
export interface ListVoteRequestByTrackingCidResponse {
  readonly vote_requests: readonly DescribedContract[];
}
export interface LookupDsoRulesVoteRequestResponse {
  readonly dso_rules_vote_request: DescribedContract;
}
export interface ListDsoRulesVoteRequestsResponse {
  readonly dso_rules_vote_requests: readonly DescribedContract[];
}
export interface ListAmuletPriceVotesResponse {
  readonly amulet_price_votes: readonly DescribedContract[];
}
export interface FeatureSupportResponse {
  readonly dummy?: boolean;
}
export interface ListDsoScansResponse {
  readonly scans: readonly {
    readonly domainId: string;
    readonly scans: readonly { readonly publicUrl: string; readonly svName: string }[];
  }[];
}
export interface MigrationSchedule {
  readonly time: string;
  readonly migration_id: Int64;
}
export interface ListDsoSequencersResponse {
  readonly domainSequencers: readonly {
    readonly domainId: string;
    readonly sequencers: readonly {
      readonly migrationId: Int64;
      readonly synchronizerSerial?: Int64;
      readonly id: string;
      readonly url: string;
      readonly svName: string;
      readonly availableAfter: string;
    }[];
  }[];
}
export interface ListUnclaimedDevelopmentFundCouponsResponse {
  readonly "unclaimed-development-fund-coupons": readonly ContractWithState[];
}
export interface ListValidatorLicensesResponse {
  readonly validator_licenses: readonly DescribedContract[];
  readonly next_page_token: Int64 | null;
}
export interface GetValidatorFaucetsByValidatorResponse {
  readonly validatorsReceivedFaucets: readonly ReceivedFaucets[];
}
export interface LookupTransferCommandStatusResponse {
  readonly transfer_commands_by_contract_id: Readonly<Record<string, TransferCommandWithStatus>>;
}
export interface GetLsuResponse {
  readonly lsu?: { readonly topologyFreezeTime: string; readonly upgradeTime: string; readonly successorPhysicalSynchronizerId: string };
}
export interface GetRollForwardLsuResponse {
  readonly rollForwardLsu?: {
    readonly upgradeTime: string;
    readonly currentPhysicalSynchronizerId: string;
    readonly successorPhysicalSynchronizerId: string;
  };
}
export interface GetActivePhysicalSynchronizerSerialResponse {
  readonly serial: Int64;
}
export interface ListSvBftSequencersResponse {
  readonly bftSequencers: readonly { readonly serialId: Int64; readonly id: string; readonly p2pUrl: string }[];
}
