import type { Duration, Empty } from "./common.js";
import type { DeduplicationPeriod } from "./deduplication.js";
import type { TransactionFormat } from "./formats.js";
import type { Base64, DamlValue, Identifier, Timestamp, Int32Input, Int64 } from "./scalars.js";
import type { JsTransaction, JsTransactionTree } from "./updates.js";

export interface JsCommands {
  readonly commands: readonly Command[];
  readonly commandId: string;
  readonly actAs: readonly string[];
  readonly userId?: string | null;
  readonly readAs?: readonly string[] | null;
  readonly workflowId?: string | null;
  readonly deduplicationPeriod?: DeduplicationPeriod | null;
  readonly minLedgerTimeAbs?: Timestamp | null;
  readonly minLedgerTimeRel?: Duration | null;
  readonly submissionId?: string | null;
  readonly disclosedContracts?: readonly DisclosedContract[] | null;
  readonly synchronizerId?: string | null;
  readonly packageIdSelectionPreference?: readonly string[] | null;
  readonly prefetchContractKeys?: readonly PrefetchContractKey[] | null;
  readonly tapsMaxPasses?: Int32Input | null;
}

export interface CreateAndExerciseCommandCase {
  readonly CreateAndExerciseCommand: CreateAndExerciseCommand;
}
export interface CreateCommandCase {
  readonly CreateCommand: CreateCommand;
}
export interface ExerciseByKeyCommandCase {
  readonly ExerciseByKeyCommand: ExerciseByKeyCommand;
}
export interface ExerciseCommandCase {
  readonly ExerciseCommand: ExerciseCommand;
}
export type Command = CreateAndExerciseCommandCase | CreateCommandCase | ExerciseByKeyCommandCase | ExerciseCommandCase;

export interface CreateCommand {
  readonly templateId: Identifier;
  readonly createArguments: DamlValue;
}

export interface ExerciseCommand {
  readonly templateId: Identifier;
  readonly contractId: string;
  readonly choice: string;
  readonly choiceArgument: DamlValue;
}

export interface ExerciseByKeyCommand {
  readonly templateId: Identifier;
  readonly contractKey: DamlValue;
  readonly choice: string;
  readonly choiceArgument: DamlValue;
}

export interface CreateAndExerciseCommand {
  readonly templateId: Identifier;
  readonly createArguments: DamlValue;
  readonly choice: string;
  readonly choiceArgument: DamlValue;
}

export interface DisclosedContract {
  readonly templateId?: Identifier | null;
  readonly contractId?: string;
  readonly createdEventBlob?: Base64;
  readonly synchronizerId?: string;
}

export interface PrefetchContractKey {
  readonly templateId: Identifier;
  readonly contractKey: DamlValue;
  readonly limit?: Int32Input | null;
}

export interface JsSubmitAndWaitForTransactionRequest {
  readonly commands: JsCommands;
  readonly transactionFormat?: TransactionFormat | null;
}

export interface JsSubmitAndWaitForTransactionResponse {
  readonly transaction: JsTransaction;
}

export interface JsSubmitAndWaitForTransactionTreeResponse {
  readonly transactionTree?: JsTransactionTree | null;
}

export interface SubmitAndWaitResponse {
  readonly updateId: string;
  readonly completionOffset: Int64;
}

export type SubmitResponse = Empty;
