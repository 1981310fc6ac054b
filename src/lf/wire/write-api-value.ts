/** Writes message `Value` of the Ledger API: values with labels and type ids. */
import type { LedgerValue } from "../value/index.js";
import { type ProtoWriter, writeText } from "./proto-writer.js";
import { scalarSum, writeScalar } from "./write-scalar.js";

/** Numbers of the fields of `Value.sum`. */
export const apiSum = {
  ...scalarSum,
  contractId: 9,
  optional: 10,
  list: 11,
  textMap: 12,
  genMap: 13,
  record: 14,
  variant: 15,
  enum: 16,
} as const;

/** Writes the fields of a `Value`; the caller puts length and tag before them. */
export function writeApiValue(out: ProtoWriter, value: LedgerValue): void {
  switch (value.kind) {
    case "contractId":
      out.textField(apiSum.contractId, value.hex);
      break;
    case "optional":
    case "list":
    case "textMap":
    case "genMap":
    case "record":
    case "variant":
    case "enum":
      message(out, apiSum[value.kind], () => writeContainer(out, value));
      break;
    default:
      writeScalar(out, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum" }>;

function writeContainer(out: ProtoWriter, value: Container): void {
  switch (value.kind) {
    case "optional":
      if (value.value !== undefined) writeNested(out, 1, value.value);
      break;
    case "list":
      repeated(value.elements, (element) => writeNested(out, 1, element));
      break;
    case "textMap":
      repeated(value.entries, ([key, entry]) =>
        message(out, 1, () => {
          writeNested(out, 2, entry);
          writeText(out, 1, key);
        }),
      );
      break;
    case "genMap":
      repeated(value.entries, ([key, entry]) =>
        message(out, 1, () => {
          writeNested(out, 2, entry);
          writeNested(out, 1, key);
        }),
      );
      break;
    case "record":
      repeated(value.fields, (field) =>
        message(out, 2, () => {
          writeNested(out, 2, field.value);
          writeText(out, 1, field.label ?? "");
        }),
      );
      writeTypeId(out, value.typeId);
      break;
    case "variant":
      writeNested(out, 3, value.value);
      writeText(out, 2, value.constructor_);
      writeTypeId(out, value.typeId);
      break;
    case "enum":
      writeText(out, 2, value.constructor_);
      writeTypeId(out, value.typeId);
      break;
  }
}

function repeated<T>(items: readonly T[], write: (item: T) => void): void {
  for (let i = items.length - 1; i >= 0; i--) write(items[i]!);
}

export function message(out: ProtoWriter, field: number, write: () => void): void {
  const mark = out.length;
  write();
  out.closeMessage(field, mark);
}

const writeNested = (out: ProtoWriter, field: number, value: LedgerValue): void => message(out, field, () => writeApiValue(out, value));

/** `typeId`: as `package:Module:Entity`. */
export function writeTypeId(out: ProtoWriter, typeId: string | undefined): void {
  if (typeId === undefined) return;
  const [packageId, module, name] = typeId.split(":") as [string, string, string];
  writeApiIdentifier(out, 1, { packageId, module, name });
}

export function writeApiIdentifier(
  out: ProtoWriter,
  field: number,
  id: { readonly packageId: string; readonly module: string; readonly name: string },
): void {
  message(out, field, () => {
    writeText(out, 3, id.name);
    writeText(out, 2, id.module);
    writeText(out, 1, id.packageId);
  });
}
