import { map, protoFile, string } from "../fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.admin", "object_meta.proto");
export const objectMetaFile = file;

export const ObjectMeta = message("ObjectMeta", { resource_version: string(6), annotations: map(12, string(2)) });
