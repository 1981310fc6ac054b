/** The Ledger API of release line 3.5 as it is served over gRPC: what its messages hold, and what stands for them in JSON. */
import { assert } from "../../base/assert.js";
import type { MessageType, ProtoFile } from "./fields.js";
import { commandInspectionServiceFile } from "./admin/command-inspection-service.js";
import { identityProviderConfigServiceFile } from "./admin/identity-provider-config-service.js";
import { objectMetaFile } from "./admin/object-meta.js";
import { packageManagementServiceFile } from "./admin/package-management-service.js";
import { participantPruningServiceFile } from "./admin/participant-pruning-service.js";
import { partyManagementServiceFile } from "./admin/party-management-service.js";
import { userManagementServiceFile } from "./admin/user-management-service.js";
import { commandCompletionServiceFile } from "./command-completion-service.js";
import { commandServiceFile } from "./command-service.js";
import { commandSubmissionServiceFile } from "./command-submission-service.js";
import { commandsFile } from "./commands.js";
import { completionFile } from "./completion.js";
import { contractServiceFile } from "./contract-service.js";
import { cryptoFile } from "./crypto.js";
import { eventQueryServiceFile } from "./event-query-service.js";
import { eventFile } from "./event.js";
import { experimentalFeaturesFile } from "./experimental-features.js";
import { googleFiles } from "./google.js";
import { interactiveSubmissionCommonDataFile } from "./interactive/interactive-submission-common-data.js";
import { interactiveSubmissionDataFile } from "./interactive/interactive-submission-data.js";
import { interactiveSubmissionServiceFile } from "./interactive/interactive-submission-service.js";
import { offsetCheckpointFile } from "./offset-checkpoint.js";
import { packageReferenceFile } from "./package-reference.js";
import { packageServiceFile } from "./package-service.js";
import { reassignmentCommandsFile } from "./reassignment-commands.js";
import { reassignmentFile } from "./reassignment.js";
import { stateServiceFile } from "./state-service.js";
import { timeServiceFile } from "./testing/time-service.js";
import { topologyTransactionFile } from "./topology-transaction.js";
import { traceContextFile } from "./trace-context.js";
import { transactionFilterFile } from "./transaction-filter.js";
import { transactionFile } from "./transaction.js";
import { updateServiceFile } from "./update-service.js";
import { valueFile } from "./value.js";
import { versionServiceFile } from "./version-service.js";

export type { EnumType, Field, FieldType, Members, MessageType, OneOf, ProtoFile, ValuePosition } from "./fields.js";

/** In no order. */
export const protoFiles: readonly ProtoFile[] = [
  ...googleFiles,
  commandInspectionServiceFile,
  identityProviderConfigServiceFile,
  objectMetaFile,
  packageManagementServiceFile,
  participantPruningServiceFile,
  partyManagementServiceFile,
  userManagementServiceFile,
  commandCompletionServiceFile,
  commandServiceFile,
  commandSubmissionServiceFile,
  commandsFile,
  completionFile,
  contractServiceFile,
  cryptoFile,
  eventFile,
  eventQueryServiceFile,
  experimentalFeaturesFile,
  interactiveSubmissionCommonDataFile,
  interactiveSubmissionServiceFile,
  interactiveSubmissionDataFile,
  offsetCheckpointFile,
  packageReferenceFile,
  packageServiceFile,
  reassignmentFile,
  reassignmentCommandsFile,
  stateServiceFile,
  timeServiceFile,
  topologyTransactionFile,
  traceContextFile,
  transactionFile,
  transactionFilterFile,
  updateServiceFile,
  valueFile,
  versionServiceFile,
];

const byName: ReadonlyMap<string, MessageType> = new Map(
  protoFiles.flatMap(({ messages }) => messages.map((message) => [message.name, message] as const)),
);

/** By its full name. */
export function messageNamed(name: string): MessageType {
  const message = byName.get(name);
  assert(message !== undefined, `there is no message ${name}`);
  return message;
}
