import type { Command, DisclosedContract, PrefetchContractKey } from "./commands.js";
import type { DeduplicationPeriod } from "./deduplication.js";
import type { Duration, Empty, EmptyCase } from "./common.js";
import type { WireSignature } from "./external-parties.js";
import type { TransactionFormat } from "./formats.js";
import type { Base64, Timestamp, Int32Input, Int64 } from "./scalars.js";
import type { JsTransaction } from "./updates.js";

export type SigningAlgorithmSpec =
  | "SIGNING_ALGORITHM_SPEC_UNSPECIFIED"
  | "SIGNING_ALGORITHM_SPEC_ED25519"
  | "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256"
  | "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384";

export type HashingSchemeVersion = "HASHING_SCHEME_VERSION_UNSPECIFIED" | "HASHING_SCHEME_VERSION_V2" | "HASHING_SCHEME_VERSION_V3";

export interface JsPrepareSubmissionRequest {
  readonly userId?: string | null;
  readonly commandId: string;
  readonly commands: readonly Command[];
  readonly minLedgerTime?: MinLedgerTime | null;
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[] | null;
  readonly disclosedContracts?: readonly DisclosedContract[] | null;
  readonly synchronizerId: string;
  readonly packageIdSelectionPreference: readonly string[];
  readonly verboseHashing?: boolean | null;
  readonly prefetchContractKeys?: readonly PrefetchContractKey[] | null;
  readonly maxRecordTime?: Timestamp | null;
  readonly estimateTrafficCost?: CostEstimationHints | null;
  readonly tapsMaxPasses?: Int32Input | null;
  readonly hashingSchemeVersion?: HashingSchemeVersion | null;
}

export interface JsPrepareSubmissionResponse {
  readonly preparedTransaction: string;
  readonly preparedTransactionHash: string;
  readonly hashingSchemeVersion: HashingSchemeVersion;
  readonly hashingDetails?: string | null;
  readonly costEstimation?: CostEstimation | null;
}

export interface MinLedgerTime {
  readonly time?: LedgerTimeBound;
}

export interface MinLedgerTimeAbsCase {
  readonly MinLedgerTimeAbs: MinLedgerTimeAbs;
}
export interface MinLedgerTimeRelCase {
  readonly MinLedgerTimeRel: MinLedgerTimeRel;
}
export type LedgerTimeBound = EmptyCase | MinLedgerTimeAbsCase | MinLedgerTimeRelCase;

export interface MinLedgerTimeAbs {
  readonly value: Timestamp;
}

export interface MinLedgerTimeRel {
  readonly value: Duration | null;
}

export interface CostEstimation {
  readonly estimationTimestamp: string;
  readonly confirmationRequestTrafficCostEstimation: Int64;
  readonly confirmationResponseTrafficCostEstimation: Int64;
  readonly totalTrafficCostEstimation: Int64;
}

export interface CostEstimationHints {
  readonly disabled?: boolean;
  readonly expectedSignatures?: readonly SigningAlgorithmSpec[];
}

export interface JsExecuteSubmissionRequest {
  readonly preparedTransaction: Base64;
  readonly partySignatures: PartySignatures;
  readonly deduplicationPeriod: DeduplicationPeriod;
  readonly submissionId: string;
  readonly userId?: string | null;
  readonly hashingSchemeVersion: HashingSchemeVersion;
  readonly minLedgerTime?: MinLedgerTime | null;
}

export type ExecuteSubmissionResponse = Empty;

export interface JsExecuteSubmissionAndWaitRequest {
  readonly preparedTransaction: Base64;
  readonly partySignatures: PartySignatures;
  readonly deduplicationPeriod: DeduplicationPeriod;
  readonly submissionId: string;
  readonly userId?: string | null;
  readonly hashingSchemeVersion: HashingSchemeVersion;
  readonly minLedgerTime?: MinLedgerTime | null;
}

export interface ExecuteSubmissionAndWaitResponse {
  readonly updateId: string;
  readonly completionOffset: Int64;
}

export interface JsExecuteSubmissionAndWaitForTransactionRequest {
  readonly preparedTransaction: Base64;
  readonly partySignatures: PartySignatures;
  readonly deduplicationPeriod: DeduplicationPeriod;
  readonly submissionId: string;
  readonly userId?: string | null;
  readonly hashingSchemeVersion: HashingSchemeVersion;
  readonly minLedgerTime?: MinLedgerTime | null;
  readonly transactionFormat?: TransactionFormat | null;
}

export interface JsExecuteSubmissionAndWaitForTransactionResponse {
  readonly transaction: JsTransaction;
}

export interface PartySignatures {
  readonly signatures?: readonly SinglePartySignatures[];
}

export interface SinglePartySignatures {
  readonly party?: string;
  readonly signatures?: readonly WireSignature[];
}
