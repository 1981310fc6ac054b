import { bytes, identifier, nested, protoFile, repeated, string, value } from "../fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.interactive", "interactive_submission_common_data.proto");
export const interactiveSubmissionCommonDataFile = file;

export const GlobalKey = message("GlobalKey", {
  template_id: identifier(1),
  package_name: string(2),
  key: value(3, undefined),
  hash: bytes(4),
});

export const GlobalKeyWithMaintainers = message("GlobalKeyWithMaintainers", {
  key: nested(1, () => GlobalKey),
  maintainers: repeated(string(2)),
});
