import { bool, int64, protoFile, string } from "../fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.admin", "participant_pruning_service.proto", ["ParticipantPruningService"]);
export const participantPruningServiceFile = file;

message("PruneRequest", { prune_up_to: int64(1), submission_id: string(2), prune_all_divulged_contracts: bool(3) });

message("PruneResponse", {});
