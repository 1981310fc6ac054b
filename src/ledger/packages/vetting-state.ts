/** What is vetted. Vetting is a topology state with a serial; a participant has one on each of its synchronizers. */
import { fail } from "../../base/result.js";
import { ledgerError, type LedgerErrorData, type Synchronizer } from "../model/index.js";
import type { VettablePackage, Vetting } from "./package-registry.js";

export interface VettedPackage {
  readonly packageId: string;
  readonly name: string;
  readonly version: string;
  readonly vetting: Vetting;
}

export interface VettingState {
  readonly packages: readonly VettedPackage[];
  readonly participantId: string;
  readonly synchronizerId: string;
  readonly serial: number;
}

export function stateOf(
  records: Iterable<VettablePackage>,
  serial: number,
  { id }: Synchronizer,
  { participantId }: { readonly participantId: string },
): VettingState {
  const packages = [...records].flatMap(({ summary, vetting }) =>
    vetting ? [{ packageId: summary.packageId, name: summary.name, version: summary.version, vetting }] : [],
  );
  return { packages, participantId, synchronizerId: id, serial };
}

/** `reason`: as the reference writes its `ProtoDeserializationError`. */
export const undecodable = (reason: string): { readonly error: LedgerErrorData } =>
  fail(ledgerError("PROTO_DESERIALIZATION_FAILURE", "Deserialization of protobuf message failed", { context: { reason } }));
export const unreadable = (field: string, why: string): { readonly error: LedgerErrorData } =>
  undecodable(`ValueConversionError(${field},${why})`);
export const unlawful = (field: string, why: string): { readonly error: LedgerErrorData } =>
  undecodable(`InvariantViolation(Some(${field}),${why})`);
