/** What administration keeps, and the port to where it is kept: `stored-tables.ts` on disk, a Map in tests. */
import type { Answer } from "../model/index.js";
import type { Right } from "./rights.js";

export interface UserRecord {
  readonly id: string;
  readonly identityProviderId: string;
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly primaryPartyAuthentication: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: number;
}

export interface IdentityProviderRecord {
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audience: string;
}

export interface AdministrationRecords {
  /** By user id. */
  users: UserRecord;
  /** By user id; absent = none. Apart from the users, so that listing users does not read up to 1,000 rights of each. */
  rights: readonly Right[];
  /** By `userIndexKey`: the users of one identity provider in order. */
  userIndex: true;
  /** By id. */
  identityProviders: IdentityProviderRecord;
  /** Facts about the tables themselves. */
  marks: true;
}

export type TableName = keyof AdministrationRecords;

export interface KeyRange {
  readonly prefix: string;
  /** Only keys behind it; "" = from the first. */
  readonly after: string;
  readonly limit: number;
}

/** `value` undefined removes. */
export type Change = {
  readonly [N in TableName]: { readonly table: N; readonly key: string; readonly value: AdministrationRecords[N] | undefined };
}[TableName];

export interface AdministrationTables {
  get<N extends TableName>(table: N, key: string): AdministrationRecords[N] | undefined;
  /** In byte order of their UTF-8. */
  keys(table: TableName, range: KeyRange): readonly string[];
  /** All or nothing; resolves when durable, and then reads see it. Or the storage refused it. `removes`: it goes on a full disk, too. */
  write(changes: readonly Change[], options: { readonly removes: boolean }): Answer<void>;
}

/** Neither ids of providers nor of users can hold the separator. */
export const userIndexPrefix = (identityProviderId: string): string => `${identityProviderId}\0`;
export const userIndexKey = (identityProviderId: string, userId: string): string => `${userIndexPrefix(identityProviderId)}${userId}`;
