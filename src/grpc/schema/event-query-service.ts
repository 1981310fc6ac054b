import { nested, protoFile, string } from "./fields.js";
import { ArchivedEvent, CreatedEvent } from "./event.js";
import { EventFormat } from "./transaction-filter.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "event_query_service.proto", ["EventQueryService"]);
export const eventQueryServiceFile = file;

message("GetEventsByContractIdRequest", { contract_id: string(1), event_format: nested(3, () => EventFormat) });

message("GetEventsByContractIdResponse", { created: nested(1, () => Created), archived: nested(2, () => Archived) });

const Created = message("Created", { created_event: nested(1, () => CreatedEvent), synchronizer_id: string(2) });

const Archived = message("Archived", { archived_event: nested(1, () => ArchivedEvent), synchronizer_id: string(2) });
