/** Why a read of this room cannot be answered, as its callers are told. */
import { fail } from "../base/result.js";

export type RefusalKind = "invalid" | "notFound" | "conflict" | "unavailable" | "internal" | "unimplemented";

export interface Refusal { readonly kind: RefusalKind; readonly message: string }

export const refuse = (kind: RefusalKind, message: string): { readonly error: Refusal } => fail({ kind, message });
export const invalid = (message: string): { readonly error: Refusal } => refuse("invalid", message);
export const notFound = (message: string): { readonly error: Refusal } => refuse("notFound", message);
