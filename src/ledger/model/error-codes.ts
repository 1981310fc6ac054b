/**
 * The closed table of error codes. The category fixes gRPC code, HTTP status, retry advice and redaction;
 * `definite` is what `context.definite_answer` shows, absent where a code shows none.
 */

/** Names of the categories, for readers of the table below. */
const transient = 1,
  contention = 2,
  internal = 4,
  securityAlert = 5,
  argument = 8,
  state = 9,
  exists = 10,
  missing = 11,
  seekAfterEnd = 12;

export interface ErrorCode {
  readonly category: number;
  readonly explanation: string;
  readonly resolution: string;
  readonly definite: boolean | undefined;
  /** Where it is not the category's. */
  readonly http?: number;
  /** Told as it is, though its category hides causes: it says nothing about the ledger but what became of the caller's own request. */
  readonly shown?: true;
}

const code = (category: number, explanation: string, resolution: string, definite: boolean | "unsaid" = false): ErrorCode => ({
  category,
  explanation,
  resolution,
  definite: definite === "unsaid" ? undefined : definite,
});

const correctRequest = "Correct the request and send it again.";
const correctCommand = "Correct the command, or the model that it runs.";
const useKnown = "Use an identifier that this node knows.";
const resubmit = "Read the state again and submit again if the command still makes sense.";
const resubmitLater = "Submit again after a short while.";
const correctOffset = "Use an offset between the pruning offset and the ledger end.";

export const errorCodes = {
  // Requests and reading
  INVALID_ARGUMENT: code(argument, "A request has a value that is not allowed.", correctRequest),
  MISSING_FIELD: code(argument, "A mandatory field of a request is missing or empty.", correctRequest),
  INVALID_FIELD: code(argument, "A field of a request has a malformed value.", correctRequest),
  INVALID_TOKEN: code(argument, "The token names no user, or something that cannot be one.", "Use a token of a user."),
  NEGATIVE_OFFSET: code(argument, "An offset is negative.", correctOffset, "unsaid"),
  NON_POSITIVE_OFFSET: code(argument, "An offset that must be positive is not.", correctOffset, "unsaid"),
  DESCENDING_ORDER_MISSING_END: code(
    argument,
    "Updates in descending order were asked for without an end.",
    "Name the end offset.",
    "unsaid",
  ),
  OFFSET_AFTER_LEDGER_END: code(seekAfterEnd, "An offset lies behind the ledger end.", correctOffset),
  OFFSET_OUT_OF_RANGE: code(state, "The end of a range comes before its begin.", correctOffset),
  UNSAFE_TO_PRUNE: code(state, "Something before the offset is still needed.", "Prune up to an earlier offset, or later."),
  PARTICIPANT_PRUNED_DATA_ACCESSED: code(state, "The data asked for was pruned.", correctOffset),
  INVALID_UPDATES_PAGE_TOKEN: code(
    argument,
    "A page token belongs to another request.",
    "Use a page token only with the request that gave it.",
  ),
  INVALID_ACS_PAGE_TOKEN: code(
    argument,
    "A page token belongs to another request.",
    "Use a page token only with the request that gave it.",
  ),
  INVALID_CONTINUATION_TOKEN: code(
    argument,
    "A continuation token belongs to another request.",
    "Use a continuation token only with the request that gave it.",
  ),
  PROTO_DESERIALIZATION_FAILURE: code(argument, "A binary or textual field cannot be decoded.", correctRequest, "unsaid"),
  PACKAGE_NOT_FOUND: code(missing, "No such package on this node.", useKnown),
  PACKAGE_NAMES_NOT_FOUND: code(missing, "No package of this name on this node.", useKnown),
  TEMPLATES_OR_INTERFACES_NOT_FOUND: code(missing, "No such template or interface on this node.", useKnown),
  NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME: code(
    missing,
    "The package name is known, but none of its versions has this template.",
    useKnown,
  ),
  NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME: code(
    missing,
    "The package name is known, but none of its versions has this interface.",
    useKnown,
  ),
  UPDATE_NOT_FOUND: code(missing, "No such update, or none that the reader may see in this format.", useKnown),
  CONTRACT_EVENTS_NOT_FOUND: code(missing, "No such contract, or none that the reader may see.", useKnown),
  CONTRACT_PAYLOAD_NOT_FOUND: code(missing, "No such contract, or none that the reader may see.", useKnown),
  JSON_API_PACKAGE_SELECTION_FAILED: code(
    state,
    "No package fits a name together with the preference given.",
    "Vet a version of the package, or name other package ids.",
  ),
  // Submission
  DUPLICATE_COMMAND: code(
    exists,
    "A command with the same change id was accepted inside the deduplication period.",
    "Nothing to do: look at the completion of the first one.",
    true,
  ),
  SUBMISSION_ALREADY_IN_FLIGHT: code(contention, "A command with the same change id is being processed.", "Wait for its completion."),
  PARTICIPANT_BACKPRESSURE: code(contention, "Too many commands are being processed.", resubmitLater),
  INVALID_DEDUPLICATION_PERIOD: code(state, "The deduplication period cannot be honoured.", "Use a shorter period.", true),
  DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS: code(securityAlert, "One contract id is disclosed with different contents.", correctRequest),
  DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH: code(argument, "Disclosed contracts name different synchronizers.", correctRequest),
  PRESCRIBED_SYNCHRONIZER_ID_MISMATCH: code(argument, "A disclosed contract names another synchronizer than the command.", correctRequest),
  NO_SYNCHRONIZER_FOR_SUBMISSION: code(
    state,
    "The transaction uses packages that are not vetted.",
    "Vet the packages that the answer names, or name vetted versions.",
  ),
  INVALID_PRESCRIBED_SYNCHRONIZER_ID: code(
    state,
    "The command cannot run on the synchronizer that it names.",
    "Name a synchronizer that this node is connected to, or none.",
  ),
  INFORMEES_NOT_ACTIVE: code(
    state,
    "There is no synchronizer on which all parties are that would have to be told.",
    "Allocate the parties on a common synchronizer.",
  ),
  SUBMITTERS_NOT_ACTIVE: code(
    state,
    "There is no synchronizer on which all parties are that submit the command.",
    "Allocate the parties on a common synchronizer.",
  ),
  NO_COMMON_SYNCHRONIZER: code(
    state,
    "Where this node can submit for all who do, not all are who would have to be told.",
    "Allocate the parties on a common synchronizer.",
  ),
  UNKNOWN_CONTRACT_SYNCHRONIZERS: code(
    state,
    "A contract is on its way between synchronizers.",
    "Assign it, or wait until it is assigned.",
  ),
  AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED: code(
    state,
    "Contracts could not be brought to the synchronizer where the transaction has to be.",
    "Reassign them by commands, or name another synchronizer.",
  ),
  SUBMITTER_ALWAYS_STAKEHOLDER: code(
    state,
    "Contracts that may have to be moved are of nobody who acts or reads.",
    "Act or read as a stakeholder of each contract, or reassign them first.",
  ),
  REASSIGNMENT_VALIDATION_FAILED: code(
    missing,
    "A contract cannot be assigned by this party now.",
    "Let the party assign it that unassigned it, or wait until its exclusivity ends.",
  ),
  UNASSIGNMENT_ACTIVENESS_CHECK_FAILED: code(missing, "A contract was archived or moved while it was to be unassigned.", resubmit),
  ASSIGNMENT_ALREADY_COMPLETED: code(exists, "A reassignment was completed while it was to be assigned.", "Nothing to do."),
  UNKNOWN_INFORMEES: code(missing, "A party that would have to be told is not known.", "Allocate the party first."),
  UNKNOWN_SUBMITTERS: code(missing, "A submitting party is not known.", "Allocate the party first."),
  NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT: code(
    missing,
    "A submitting party may not submit through this node.",
    "Use a party that this node hosts, or external signing.",
  ),
  PACKAGE_SELECTION_FAILED: code(
    state,
    "What the transaction uses is not vetted, and no other version of a package that the command names does without.",
    "Vet the packages that the answer names.",
  ),
  UNRESOLVED_PACKAGE_NAME: code(missing, "A package name cannot be resolved to a package.", useKnown),
  LOCAL_VERDICT_LOCKED_CONTRACTS: code(contention, "A contract that the transaction uses is being used up by another one.", resubmit),
  LOCAL_VERDICT_INACTIVE_CONTRACTS: code(missing, "A contract that the transaction uses was archived meanwhile.", resubmit),
  LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND: code(
    contention,
    "The transaction's ledger time is too far from the time at which it was recorded.",
    resubmitLater,
  ),
  NOT_SEQUENCED_TIMEOUT: code(
    contention,
    "The transaction could not be recorded within the time for which it is good.",
    "Prepare and sign it again.",
  ),
  LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND: code(
    contention,
    "The transaction was prepared too long before it was to be recorded.",
    "Prepare and sign it again.",
  ),
  LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED: code(
    contention,
    "The transaction was to be recorded earlier.",
    "Prepare and sign it again, with a later bound.",
  ),
  LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK: code(
    securityAlert,
    "A signed transaction is not what the model makes of its command.",
    "Prepare and sign it again.",
  ),
  DUPLICATE_CONFIRMATION_REQUEST_UUID: {
    ...code(
      securityAlert,
      "What was signed came to be recorded already, also if it was rejected then.",
      "Prepare and sign it again, if it is to happen once more.",
      "unsaid",
    ),
    shown: true,
  },
  FAILED_TO_PREPARE_TRANSACTION: code(argument, "The command cannot be prepared for signing.", correctCommand),
  FAILED_TO_EXECUTE_TRANSACTION: code(argument, "A prepared transaction, or a signature on it, cannot be accepted.", correctRequest),
  MALFORMED_REQUEST: code(argument, "A prepared transaction cannot be submitted.", correctRequest),
  SYNCHRONIZER_WITHOUT_MEDIATOR: code(missing, "The synchronizer has no such mediator group.", correctRequest),
  // Interpretation
  CONTRACT_NOT_FOUND: code(missing, "No such active contract that the submitters may see.", resubmit),
  CONTRACT_NOT_ACTIVE: code(missing, "The contract was archived earlier in the same transaction.", correctCommand),
  CONTRACT_KEY_NOT_FOUND: code(missing, "No active contract with this key that the submitters may see.", resubmit),
  INCONSISTENT_CONTRACT_KEY: code(state, "A contract key changed while the command was processed.", resubmit),
  DAML_AUTHORIZATION_ERROR: code(
    argument,
    "A party whose authority is needed did not give it.",
    "Submit with all parties that have to authorise.",
  ),
  DAML_FAILURE: code(state, "The model refused the command.", correctCommand),
  UNHANDLED_EXCEPTION: code(state, "The model threw an exception that nothing caught.", correctCommand),
  INTERPRETATION_USER_ERROR: code(state, "The model refused the command.", correctCommand),
  TEMPLATE_PRECONDITION_VIOLATED: code(argument, "The precondition of a template does not hold.", correctCommand),
  DAML_INTERPRETATION_ERROR: code(state, "The command cannot be interpreted.", correctCommand),
  DAML_INTERPRETER_INVALID_ARGUMENT: code(argument, "The command cannot be interpreted.", correctCommand),
  COMMAND_PREPROCESSING_FAILED: code(argument, "A command does not fit the types of its template or choice.", correctRequest),
  WRONGLY_TYPED_CONTRACT: code(state, "A contract is of another template than the command says.", correctCommand),
  CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE: code(
    argument,
    "A contract does not implement the interface through which it is used.",
    correctCommand,
  ),
  CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE: code(
    argument,
    "A contract does not implement an interface that another one requires.",
    correctCommand,
  ),
  NON_COMPARABLE_VALUES: code(argument, "Values that have no order were compared.", correctCommand),
  CONTRACT_ID_IN_CONTRACT_KEY: code(argument, "A contract key holds a contract id.", correctCommand),
  CONTRACT_ID_COMPARABILITY: code(argument, "A contract id of this transaction was compared with an unfinished one.", correctCommand),
  VALUE_NESTING: code(argument, "A value is nested too deeply.", correctCommand),
  MALFORMED_TEXT: code(argument, "A text has characters that the ledger cannot hold.", correctCommand),
  CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS: code(argument, "A contract key has no maintainers.", correctCommand),
  FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS: code(argument, "A contract key has no maintainers.", correctCommand),
  DAML_EFFECTFUL_ROLLBACK_ERROR: code(argument, "A caught exception would undo effects that cannot be undone.", correctCommand),
  CONTRACT_HASHING_ERROR: code(argument, "A contract cannot be hashed.", correctCommand),
  DISCLOSED_CONTRACT_KEY_HASHING_ERROR: code(state, "The key of a disclosed contract cannot be hashed.", correctRequest),
  INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED: code(
    argument,
    "A contract does not fit the package version with which it is used.",
    correctCommand,
  ),
  INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED: code(
    argument,
    "A contract cannot be brought to the package version with which it is used.",
    correctCommand,
  ),
  INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED: code(argument, "A contract does not match its id.", correctRequest),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING: code(state, "A text is not a hexadecimal encoding.", correctCommand),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY: code(state, "A public key cannot be read.", correctCommand),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE: code(state, "A signature cannot be read.", correctCommand),
  INTERPRETATION_DEV_ERROR: code(state, "The command cannot be interpreted.", correctCommand),
  INTERPRETATION_TIME_EXCEEDED: code(contention, "The interpretation of the command used up its time or space.", correctCommand),
  // Packages, vetting, parties
  INVALID_DAR: code(argument, "An archive is not a DAR.", correctRequest, "unsaid"),
  INVALID_ZIP_ENTRY: code(argument, "An entry of an archive cannot be read.", correctRequest, "unsaid"),
  INVALID_LEGACY_DAR: code(argument, "An archive has a layout that is no longer supported.", correctRequest, "unsaid"),
  ZIP_BOMB: code(argument, "An archive is larger than allowed when unpacked.", correctRequest, "unsaid"),
  DAR_PARSE_ERROR: code(argument, "A package of an archive cannot be read.", correctRequest, "unsaid"),
  DAR_VALIDATION_ERROR: code(argument, "A package of an archive is not well-formed.", correctRequest, "unsaid"),
  DAR_DEPENDENCIES_NOT_VALID: code(argument, "An archive lacks packages that it refers to.", correctRequest, "unsaid"),
  ALLOWED_LANGUAGE_VERSIONS: code(
    argument,
    "A package is written in a language version that this node does not run.",
    correctRequest,
    "unsaid",
  ),
  NOT_VALID_UPGRADE_PACKAGE: code(argument, "A package is no valid upgrade of a vetted version.", correctRequest, "unsaid"),
  KNOWN_PACKAGE_VERSION: code(
    argument,
    "Another package of the same name and version is vetted.",
    "Give the package another version.",
    "unsaid",
  ),
  DAML_PRIM_NOT_UTILITY_PACKAGE: code(argument, "A package with a reserved name is not a utility package.", correctRequest, "unsaid"),
  PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER: code(
    state,
    "This node is not connected to the synchronizer.",
    "Name a synchronizer that this node is connected to, or none.",
    "unsaid",
  ),
  PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER: code(
    state,
    "The request does not say on which synchronizer packages are to be vetted.",
    "Name one of the connected synchronizers.",
    "unsaid",
  ),
  PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER: code(
    state,
    "The request does not say on which synchronizer the party is to be allocated.",
    "Name one of the connected synchronizers.",
    "unsaid",
  ),
  NOT_CONNECTED_TO_SYNCHRONIZER: code(
    state,
    "This node is not connected to the synchronizer.",
    "Name a synchronizer that this node is connected to, or none.",
  ),
  NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE: code(
    state,
    "No vetted package implements the interface for the contract.",
    "Vet a package that implements it.",
  ),
  USER_NOT_FOUND: code(missing, "No such user.", useKnown),
  PARTY_NOT_FOUND: code(missing, "No such party.", useKnown),
  UNRESOLVED_VETTING_REFERENCE: code(missing, "A reference to packages fits none on this node.", useKnown, "unsaid"),
  AMBIGUOUS_VETTING_REFERENCE: code(
    state,
    "A reference fits several packages, but only one can be vetted by it.",
    "Name the version or the package id.",
    "unsaid",
  ),
  TOPOLOGY_INVALID_MAPPING: code(
    argument,
    "A package would be vetted for a period that does not end later than it begins.",
    "Let the period end later than it begins.",
    "unsaid",
  ),
  TOPOLOGY_STORE_NOT_FOUND: code(
    missing,
    "Of a synchronizer that is asked for nothing is known.",
    "Name a synchronizer that this node is connected to, or none.",
    "unsaid",
  ),
  TOPOLOGY_SERIAL_MISMATCH: code(
    state,
    "The vetting state changed since it was read.",
    "Read the state again and repeat the change.",
    "unsaid",
  ),
  NO_PREFERRED_PACKAGES_FOUND: code(
    state,
    "No vetted package version fits the requirements.",
    "Vet a version that fits on all participants that host the parties.",
  ),
  // Users, identity providers, party details
  USER_ALREADY_EXISTS: code(exists, "A user of this id exists.", "Use another user id."),
  TOO_MANY_USER_RIGHTS: code(state, "The user would have more rights than a user may have.", "Revoke rights that are no longer needed."),
  INVALID_USER_UPDATE_REQUEST: code(argument, "A change of a user cannot be made as asked.", correctRequest, "unsaid"),
  MAX_USER_ANNOTATIONS_SIZE_EXCEEDED: code(
    state,
    "The annotations of the user would be too large.",
    "Remove annotations that are no longer needed.",
  ),
  CONCURRENT_USER_UPDATE_DETECTED: code(
    contention,
    "The user changed since it was read.",
    "Read the user again and repeat the change.",
    "unsaid",
  ),
  USER_DELETED_WHILE_UPDATING: code(contention, "The user was deleted meanwhile.", "Nothing to do.", "unsaid"),
  IDP_CONFIG_NOT_FOUND: code(missing, "No such identity provider.", useKnown),
  IDP_CONFIG_ALREADY_EXISTS: code(exists, "An identity provider of this id exists.", "Use another id."),
  IDP_CONFIG_ISSUER_ALREADY_EXISTS: code(exists, "An identity provider of this issuer exists.", "Use another issuer."),
  TOO_MANY_IDENTITY_PROVIDER_CONFIGS: code(
    state,
    "The node has as many identity providers as it may have.",
    "Remove one that is no longer needed.",
  ),
  INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST: code(
    argument,
    "A change of an identity provider cannot be made as asked.",
    correctRequest,
    "unsaid",
  ),
  INVALID_PARTY_DETAILS_UPDATE_REQUEST: code(argument, "A change of a party's details cannot be made as asked.", correctRequest, "unsaid"),
  MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED: code(
    state,
    "The annotations of the party would be too large.",
    "Remove annotations that are no longer needed.",
  ),
  CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED: code(
    contention,
    "The party's details changed since they were read.",
    "Read the details again and repeat the change.",
    "unsaid",
  ),
  UNKNOWN_RESOURCE: code(missing, "A resource that the request names is not known.", useKnown),
  // Authorisation
  PERMISSION_DENIED: code(7, "The caller lacks a right that this request needs.", "Use a token whose user has the right.", "unsaid"),
  ACCESS_TOKEN_EXPIRED: code(
    contention,
    "The token's life ended while a stream was running.",
    "Get a new token and open the stream again.",
  ),
  STALE_STREAM_AUTHORIZATION: code(contention, "The rights of the user changed while a stream was running.", "Open the stream again."),
  // The front door
  HOST_NOT_ALLOWED: {
    ...code(
      7,
      "The Host header names neither this machine nor a name that the node was given.",
      "Use a loopback address, or start the node with --allow-host.",
      "unsaid",
    ),
    shown: true,
  },
  ORIGIN_NOT_ALLOWED: {
    ...code(
      7,
      "The request comes from a web page that may not use this node.",
      "Start the node with --allow-origin and the page's origin.",
      "unsaid",
    ),
    shown: true,
  },
  CONTENT_TYPE_NOT_ALLOWED: {
    ...code(
      argument,
      "A web page sent a body of a type that any page may send.",
      "Send it as application/json, a DAR as application/octet-stream.",
      "unsaid",
    ),
    http: 415,
  },
  HEAP_MEMORY_OVER_LIMIT: {
    ...code(contention, "The bodies of all requests together take as much memory as they may.", resubmitLater),
    http: 503,
  },
  // Server
  SERVICE_NOT_RUNNING: code(transient, "The node cannot take the request now.", resubmitLater),
  LEDGER_API_INTERNAL_ERROR: code(internal, "The node failed.", "Report it with the trace id."),
} as const satisfies Readonly<Record<string, ErrorCode>>;

export type ErrorCodeId = keyof typeof errorCodes;
