import {
  bool,
  bytes,
  enumeration,
  int32,
  int64,
  type Members,
  messageBytes,
  nested,
  oneOf,
  protoFile,
  repeated,
  string,
  timestamp,
  uint32,
  uint64,
  value,
} from "../fields.js";
import { Command, DisclosedContract, PrefetchContractKey } from "../commands.js";
import { Signature, SigningAlgorithmSpec } from "../crypto.js";
import { Duration } from "../google.js";
import { PackageReference } from "../package-reference.js";
import { TransactionFormat } from "../transaction-filter.js";
import { Transaction } from "../transaction.js";
import { GlobalKey } from "./interactive-submission-common-data.js";
import { Create, Node } from "./interactive-submission-data.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2.interactive", "interactive_submission_service.proto", [
  "InteractiveSubmissionService",
]);
export const interactiveSubmissionServiceFile = file;

const HashingSchemeVersion = enumOf("HashingSchemeVersion", {
  HASHING_SCHEME_VERSION_UNSPECIFIED: 0,
  HASHING_SCHEME_VERSION_V2: 2,
  HASHING_SCHEME_VERSION_V3: 3,
});

const CostEstimationHints = message("CostEstimationHints", {
  disabled: bool(1),
  expected_signatures: repeated(enumeration(2, SigningAlgorithmSpec)),
});

const CostEstimation = message("CostEstimation", {
  estimation_timestamp: timestamp(1),
  confirmation_request_traffic_cost_estimation: uint64(2),
  confirmation_response_traffic_cost_estimation: uint64(3),
  total_traffic_cost_estimation: uint64(4),
});

message("PrepareSubmissionRequest", {
  user_id: string(1),
  command_id: string(2),
  commands: repeated(nested(3, () => Command)),
  min_ledger_time: nested(4, () => MinLedgerTime),
  max_record_time: timestamp(11, { isOptional: true }),
  act_as: repeated(string(5)),
  read_as: repeated(string(6)),
  disclosed_contracts: repeated(nested(7, () => DisclosedContract)),
  synchronizer_id: string(8),
  package_id_selection_preference: repeated(string(9)),
  verbose_hashing: bool(10),
  prefetch_contract_keys: repeated(nested(15, () => PrefetchContractKey)),
  estimate_traffic_cost: nested(16, () => CostEstimationHints, { isOptional: true }),
  hashing_scheme_version: enumeration(17, HashingSchemeVersion, { isOptional: true }),
  taps_max_passes: uint32(18, { isOptional: true }),
});

message("PrepareSubmissionResponse", {
  prepared_transaction: messageBytes(1, "com.daml.ledger.api.v2.interactive.PreparedTransaction"),
  prepared_transaction_hash: bytes(2),
  hashing_scheme_version: enumeration(3, HashingSchemeVersion),
  hashing_details: string(4, { isOptional: true }),
  cost_estimation: nested(5, () => CostEstimation, { isOptional: true }),
});

const SinglePartySignatures = message("SinglePartySignatures", { party: string(1), signatures: repeated(nested(2, () => Signature)) });

const PartySignatures = message("PartySignatures", { signatures: repeated(nested(1, () => SinglePartySignatures)) });

/** What all three requests to execute have. */
const execution: Members = {
  prepared_transaction: messageBytes(1, "com.daml.ledger.api.v2.interactive.PreparedTransaction"),
  party_signatures: nested(2, () => PartySignatures),
  deduplication_period: oneOf(
    { deduplication_duration: nested(3, () => Duration), deduplication_offset: int64(4) },
    { json: "deduplicationPeriod", isWrapped: true, none: "Empty" },
  ),
  submission_id: string(5),
  user_id: string(6),
  hashing_scheme_version: enumeration(7, HashingSchemeVersion),
  min_ledger_time: nested(8, () => MinLedgerTime),
};

message("ExecuteSubmissionRequest", execution);

message("ExecuteSubmissionResponse", {});

message("ExecuteSubmissionAndWaitRequest", execution);

message("ExecuteSubmissionAndWaitResponse", { update_id: string(1), completion_offset: int64(2) });

message("ExecuteSubmissionAndWaitForTransactionRequest", {
  ...execution,
  transaction_format: nested(9, () => TransactionFormat),
});

message("ExecuteSubmissionAndWaitForTransactionResponse", { transaction: nested(1, () => Transaction) });

const MinLedgerTime = message("MinLedgerTime", {
  time: oneOf(
    { min_ledger_time_abs: timestamp(1), min_ledger_time_rel: nested(2, () => Duration) },
    { json: "time", isWrapped: true, none: "Empty" },
  ),
});

message("PreparedTransaction", { transaction: nested(1, () => DamlTransaction), metadata: nested(2, () => Metadata) });

const Metadata = message("Metadata", {
  submitter_info: nested(2, () => SubmitterInfo),
  synchronizer_id: string(3),
  mediator_group: uint32(4),
  transaction_uuid: string(5),
  preparation_time: uint64(6),
  input_contracts: repeated(nested(7, () => InputContract)),
  min_ledger_effective_time: uint64(9, { isOptional: true }),
  max_ledger_effective_time: uint64(10, { isOptional: true }),
  max_record_time: uint64(11, { isOptional: true }),
  global_key_mapping: repeated(nested(8, () => GlobalKeyMappingEntry)),
});

const SubmitterInfo = message("Metadata.SubmitterInfo", { act_as: repeated(string(1)), command_id: string(2) });

const GlobalKeyMappingEntry = message("Metadata.GlobalKeyMappingEntry", {
  key: nested(1, () => GlobalKey),
  value: value(2, undefined, { isOptional: true }),
});

const InputContract = message("Metadata.InputContract", {
  contract: oneOf({ v1: nested(1, () => Create) }),
  created_at: uint64(1000),
  event_blob: bytes(1002),
});

const DamlTransaction = message("DamlTransaction", {
  version: string(1),
  roots: repeated(string(2)),
  nodes: repeated(nested(3, () => DamlTransactionNode)),
  node_seeds: repeated(nested(4, () => NodeSeed)),
});

const NodeSeed = message("DamlTransaction.NodeSeed", { node_id: int32(1), seed: bytes(2) });

const DamlTransactionNode = message("DamlTransaction.Node", {
  node_id: string(1),
  versioned_node: oneOf({ v1: nested(1000, () => Node) }),
});

message("GetPreferredPackageVersionRequest", {
  parties: repeated(string(1)),
  package_name: string(2),
  synchronizer_id: string(3),
  vetting_valid_at: timestamp(4),
});

message("GetPreferredPackageVersionResponse", { package_preference: nested(1, () => PackagePreference) });

const PackagePreference = message("PackagePreference", {
  package_reference: nested(1, () => PackageReference),
  synchronizer_id: string(2),
});

const PackageVettingRequirement = message("PackageVettingRequirement", { parties: repeated(string(1)), package_name: string(2) });

message("GetPreferredPackagesRequest", {
  package_vetting_requirements: repeated(nested(1, () => PackageVettingRequirement)),
  synchronizer_id: string(2),
  vetting_valid_at: timestamp(3),
});

message("GetPreferredPackagesResponse", { package_references: repeated(nested(1, () => PackageReference)), synchronizer_id: string(2) });
