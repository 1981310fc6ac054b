import { bool, identifier, int32, nested, oneOf, protoFile, record, repeated, sfixed64, sint64, string, value } from "./fields.js";
import { Empty } from "./google.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "value.proto");
export const valueFile = file;

message("Value", {
  sum: oneOf({
    unit: nested(1, () => Empty),
    bool: bool(2),
    int64: sint64(3),
    date: int32(4),
    timestamp: sfixed64(5),
    numeric: string(6),
    party: string(7),
    text: string(8),
    contract_id: string(9),
    optional: nested(10, () => Optional),
    list: nested(11, () => List),
    text_map: nested(12, () => TextMap),
    gen_map: nested(13, () => GenMap),
    record: record(14, undefined),
    variant: nested(15, () => Variant),
    enum: nested(16, () => Enum),
  }),
});

message("Record", { record_id: identifier(1), fields: repeated(nested(2, () => RecordField)) });

const RecordField = message("RecordField", { label: string(1), value: value(2, undefined) });

message("Identifier", { package_id: string(1), module_name: string(2), entity_name: string(3) });

const Variant = message("Variant", { variant_id: identifier(1), constructor: string(2), value: value(3, undefined) });

const Enum = message("Enum", { enum_id: identifier(1), constructor: string(2) });

const List = message("List", { elements: repeated(value(1, undefined)) });

const Optional = message("Optional", { value: value(1, undefined) });

const TextMap = message("TextMap", { entries: repeated(nested(1, () => TextMapEntry)) });

const TextMapEntry = message("TextMap.Entry", { key: string(1), value: value(2, undefined) });

const GenMap = message("GenMap", { entries: repeated(nested(1, () => GenMapEntry)) });

const GenMapEntry = message("GenMap.Entry", { key: value(1, undefined), value: value(2, undefined) });
