/**
 * A value as transactions carry it: untyped and normalised (no labels, no type ids, trailing None fields of records
 * dropped). The serialised form is `com.digitalasset.daml.lf.value.Value`; see the fact tables in `proto/value.proto`.
 */
export type LedgerValue =
  | { readonly kind: "unit" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int64"; readonly value: bigint }
  | { readonly kind: "date"; readonly days: number }
  | { readonly kind: "timestamp"; readonly micros: bigint }
  | { readonly kind: "numeric"; readonly unscaled: bigint; readonly scale: number }
  | { readonly kind: "party"; readonly value: string }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "contractId"; readonly hex: string }
  | { readonly kind: "optional"; readonly value: LedgerValue | undefined }
  | { readonly kind: "list"; readonly elements: readonly LedgerValue[] }
  | { readonly kind: "genMap"; readonly entries: readonly (readonly [LedgerValue, LedgerValue])[] }
  | { readonly kind: "textMap"; readonly entries: readonly (readonly [string, LedgerValue])[] }
  /** Labels and type id appear only in input that nobody typed yet. */
  | { readonly kind: "record"; readonly fields: readonly LedgerField[]; readonly typeId?: string }
  | { readonly kind: "variant"; readonly constructor_: string; readonly value: LedgerValue; readonly typeId?: string }
  | { readonly kind: "enum"; readonly constructor_: string; readonly typeId?: string };

export interface LedgerField {
  readonly label?: string;
  readonly value: LedgerValue;
}
