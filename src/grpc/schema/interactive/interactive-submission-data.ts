import { bool, identifier, nested, oneOf, protoFile, repeated, string, value } from "../fields.js";
import { GlobalKeyWithMaintainers } from "./interactive-submission-common-data.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.interactive.transaction.v1", "interactive_submission_data.proto");
export const interactiveSubmissionDataFile = file;

const Fetch = message("Fetch", {
  lf_version: string(1),
  contract_id: string(2),
  package_name: string(3),
  template_id: identifier(4),
  signatories: repeated(string(5)),
  stakeholders: repeated(string(6)),
  acting_parties: repeated(string(7)),
  interface_id: identifier(8),
  key: nested(9, () => GlobalKeyWithMaintainers, { isOptional: true }),
  by_key: bool(10),
});

const Exercise = message("Exercise", {
  lf_version: string(1),
  contract_id: string(2),
  package_name: string(3),
  template_id: identifier(4),
  signatories: repeated(string(5)),
  stakeholders: repeated(string(6)),
  acting_parties: repeated(string(7)),
  interface_id: identifier(8),
  choice_id: string(9),
  chosen_value: value(10, undefined),
  consuming: bool(11),
  children: repeated(string(12)),
  exercise_result: value(13, undefined),
  choice_observers: repeated(string(14)),
  key: nested(15, () => GlobalKeyWithMaintainers, { isOptional: true }),
  by_key: bool(16),
});

export const Create = message("Create", {
  lf_version: string(1),
  contract_id: string(2),
  package_name: string(3),
  template_id: identifier(4),
  argument: value(5, undefined),
  signatories: repeated(string(6)),
  stakeholders: repeated(string(7)),
  key: nested(8, () => GlobalKeyWithMaintainers, { isOptional: true }),
});

const Rollback = message("Rollback", { children: repeated(string(1)) });

const QueryByKey = message("QueryByKey", {
  lf_version: string(1),
  package_name: string(2),
  template_id: identifier(3),
  exhaustive: bool(4),
  key: nested(5, () => GlobalKeyWithMaintainers),
  result: repeated(string(6)),
});

export const Node = message("Node", {
  node_type: oneOf({
    create: nested(1, () => Create),
    fetch: nested(2, () => Fetch),
    exercise: nested(3, () => Exercise),
    rollback: nested(4, () => Rollback),
    query_by_key: nested(5, () => QueryByKey),
  }),
});
