import { nested, protoFile, repeated, string } from "./fields.js";
import { CreatedEvent } from "./event.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "contract_service.proto", ["ContractService"]);
export const contractServiceFile = file;

message("GetContractRequest", { contract_id: string(1), querying_parties: repeated(string(2)) });

message("GetContractResponse", { created_event: nested(1, () => CreatedEvent) });
