import { bytes, identifier, int64, nested, oneOf, protoFile, record, repeated, string, timestamp, uint32, value } from "./fields.js";
import { Duration } from "./google.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "commands.proto");
export const commandsFile = file;

export const Command = message("Command", {
  command: oneOf(
    {
      create: nested(1, () => CreateCommand),
      exercise: nested(2, () => ExerciseCommand),
      exercise_by_key: nested(4, () => ExerciseByKeyCommand),
      create_and_exercise: nested(3, () => CreateAndExerciseCommand),
    },
    {
      json: "",
      cases: {
        create: "CreateCommand",
        exercise: "ExerciseCommand",
        exercise_by_key: "ExerciseByKeyCommand",
        create_and_exercise: "CreateAndExerciseCommand",
      },
    },
  ),
});

const CreateCommand = message("CreateCommand", { template_id: identifier(1), create_arguments: record(2, undefined) });

const ExerciseCommand = message("ExerciseCommand", {
  template_id: identifier(1),
  contract_id: string(2),
  choice: string(3),
  choice_argument: value(4, undefined),
});

const ExerciseByKeyCommand = message("ExerciseByKeyCommand", {
  template_id: identifier(1),
  contract_key: value(2, undefined),
  choice: string(3),
  choice_argument: value(4, undefined),
});

const CreateAndExerciseCommand = message("CreateAndExerciseCommand", {
  template_id: identifier(1),
  create_arguments: record(2, undefined),
  choice: string(3),
  choice_argument: value(4, undefined),
});

export const DisclosedContract = message("DisclosedContract", {
  template_id: identifier(1),
  contract_id: string(2),
  created_event_blob: bytes(3),
  synchronizer_id: string(4),
});

export const Commands = message("Commands", {
  workflow_id: string(1),
  user_id: string(2),
  command_id: string(3),
  commands: repeated(nested(4, () => Command)),
  deduplication_period: oneOf(
    { deduplication_duration: nested(5, () => Duration), deduplication_offset: int64(6) },
    { json: "deduplicationPeriod", isWrapped: true, none: "Empty" },
  ),
  min_ledger_time_abs: timestamp(7),
  min_ledger_time_rel: nested(8, () => Duration),
  act_as: repeated(string(9)),
  read_as: repeated(string(10)),
  submission_id: string(11),
  disclosed_contracts: repeated(nested(12, () => DisclosedContract)),
  synchronizer_id: string(13),
  package_id_selection_preference: repeated(string(14)),
  prefetch_contract_keys: repeated(nested(15, () => PrefetchContractKey)),
  taps_max_passes: uint32(16, { isOptional: true }),
});

export const PrefetchContractKey = message("PrefetchContractKey", {
  template_id: identifier(1),
  contract_key: value(2, undefined),
  limit: uint32(3, { isOptional: true }),
});
