import { bool, nested, protoFile } from "./fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "experimental_features.proto");
export const experimentalFeaturesFile = file;

export const ExperimentalFeatures = message("ExperimentalFeatures", {
  static_time: nested(1, () => ExperimentalStaticTime),
  command_inspection_service: nested(2, () => ExperimentalCommandInspectionService),
});

const ExperimentalStaticTime = message("ExperimentalStaticTime", { supported: bool(1) });

const ExperimentalCommandInspectionService = message("ExperimentalCommandInspectionService", { supported: bool(1) });

message("ExperimentalPartyTopologyEvents", { supported: bool(1) });
