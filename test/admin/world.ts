/** An administration over given tables, with parties that live in a Map. */
import assert from "node:assert/strict";
import { fail, isFailure, ok, type Result } from "../../src/base/result.js";
import { invalidArgument } from "../../src/ledger/model/errors.js";
import {
  type Administration,
  type AdministrationTables,
  createAdministration,
  type KnownParty,
  type Parties,
  type RequestedRight,
  type Requester,
  type Right,
  type UserFields,
} from "../../src/ledger/admin/index.js";
import { TokenKey } from "../../src/ledger/model/list-tokens.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import { MemoryTables } from "./memory-tables.js";

export class MemoryParties implements Parties {
  readonly known = new Map<string, KnownParty>();

  get(party: string): KnownParty | undefined {
    return this.known.get(party);
  }

  hasPartyOf(identityProviderId: string): boolean {
    return [...this.known.values()].some((party) => party.identityProviderId === identityProviderId);
  }

  async allocate(request: Parameters<Parties["allocate"]>[0]): ReturnType<Parties["allocate"]> {
    await new Promise((resolve) => setImmediate(resolve));
    const party = `${request.hint}::1220ab`;
    if (this.known.has(party)) return fail(invalidArgument("Party already exists"));
    const details = { party, isLocal: true, identityProviderId: request.identityProviderId, annotations: request.annotations };
    this.known.set(party, { ...details, resourceVersion: 0 });
    return ok({ ...details, resourceVersion: "0" });
  }

  async update(party: string, change: Parameters<Parties["update"]>[1]): ReturnType<Parties["update"]> {
    const changed = change(this.known.get(party));
    if (!isFailure(changed)) this.known.set(party, changed.ok);
    return changed;
  }
}

export interface World<T extends AdministrationTables = MemoryTables> {
  readonly tables: T;
  readonly parties: MemoryParties;
  readonly administration: Administration;
}

export const tokenKey = new TokenKey(new Uint8Array(32).fill(7));

export async function world(options: { readonly selfAllocatedPartiesMax?: number } = {}): Promise<World> {
  return worldOver(new MemoryTables(), options);
}

export async function worldOver<T extends AdministrationTables>(
  tables: T,
  options: { readonly selfAllocatedPartiesMax?: number } = {},
): Promise<World<T>> {
  const parties = new MemoryParties();
  return { tables, parties, administration: await createAdministration({ tables, parties, tokenKey, ...options }) };
}

/** Who asks when there is no authentication. */
export const anybody: Requester = { userId: undefined, participantAdmin: true, admin: true };
export const asUser = (userId: string, kind: "participant admin" | "provider admin" | "user"): Requester => ({
  userId,
  participantAdmin: kind === "participant admin",
  admin: kind !== "user",
});

export const user = (id: string, fields: Partial<UserFields> = {}): UserFields => ({
  id,
  identityProviderId: "",
  primaryParty: "",
  isDeactivated: false,
  primaryPartyAuthentication: false,
  annotations: {},
  resourceVersion: "",
  ...fields,
});

export const createUser = (
  administration: Administration,
  id: string,
  fields: Partial<UserFields> = {},
  rights: readonly RequestedRight[] = [],
  requester = anybody,
) => administration.createUser({ user: user(id, fields), rights }, requester);

export async function withProvider(administration: Administration, id: string): Promise<void> {
  okOf(
    await administration.createIdentityProvider({
      identityProviderId: id,
      isDeactivated: false,
      issuer: `https://${id}.example`,
      jwksUrl: `https://${id}.example/jwks`,
      audience: "",
    }),
  );
}

export const may = (kind: "CanActAs" | "CanReadAs" | "CanExecuteAs", party: string): Right => ({ kind, party });

export function okOf<T>(result: Result<T, LedgerErrorData>): T {
  assert.ok(!isFailure(result), `unexpected ${JSON.stringify(result.error)}`);
  return result.ok;
}

export const codeOf = (result: Result<unknown, LedgerErrorData>): string => result.error?.code ?? "ok";
