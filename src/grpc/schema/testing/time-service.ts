import { protoFile, timestamp } from "../fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.testing", "time_service.proto", ["TimeService"]);
export const timeServiceFile = file;

message("GetTimeRequest", {});

message("GetTimeResponse", { current_time: timestamp(1) });

message("SetTimeRequest", { current_time: timestamp(1), new_time: timestamp(2) });
