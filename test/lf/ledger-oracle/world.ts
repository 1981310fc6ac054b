/** The sorts of values that random ledgers speak of: two templates, one with a key, an interface for both, and two exceptions. */
import { selfPackageId } from "../../../src/lf/archive/index.js";
import { stablePackageIds } from "../../../src/lf/stable-package-ids.js";
import type { DefDataType, DefinitionId, Type } from "../../../src/lf/ast.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { type } from "../../support/lf-builder.js";
import type { Outcome } from "../compile/oracle.js";

export const moduleName = "M";
export const packageName = "random";
export const id = (name: string): DefinitionId => ({ packageId: selfPackageId, module: moduleName, name });
export const tuple2: DefinitionId = { packageId: stablePackageIds["DA.Types"], module: "DA.Types", name: "Tuple2" };

export type Template = "Coin" | "Vault";
export type Sort =
  | "Int"
  | "Bool"
  | "Text"
  | "Party"
  | "Parties"
  | "Unit"
  | "OptInt"
  | "Key"
  | "Args"
  | "Coin"
  | "Vault"
  | "Asset"
  | "CidCoin"
  | "CidVault"
  | "CidAsset"
  | "AnyException"
  | "Oops"
  | "Found";

const con = (name: string): Type => type.con(id(name));

export const typeOf: Readonly<Record<Sort, Type>> = {
  Int: type.int64,
  Bool: type.bool,
  Text: type.text,
  Party: type.party,
  Parties: type.list(type.party),
  Unit: type.unit,
  OptInt: type.optional(type.int64),
  Key: con("Key"),
  Args: con("Args"),
  Coin: con("Coin"),
  Vault: con("Vault"),
  Asset: con("Asset"),
  Oops: con("Oops"),
  CidCoin: type.contractId(con("Coin")),
  CidVault: type.contractId(con("Vault")),
  CidAsset: type.contractId(con("Asset")),
  AnyException: { kind: "builtin", builtin: "ANY_EXCEPTION" },
  /** What a query by key gives of one contract. */
  Found: type.con(tuple2, type.contractId(con("Coin")), con("Coin")),
};

export const records: Readonly<Record<string, Readonly<Record<string, Sort>>>> = {
  Coin: { issuer: "Party", owner: "Party", watchers: "Parties", amount: "Int", spare: "OptInt" },
  Vault: { keeper: "Party", guests: "Parties", level: "Int" },
  Key: { maintainer: "Party", number: "Int" },
  Args: { party: "Party", n: "Int", coin: "CidCoin", vault: "CidVault", asset: "CidAsset" },
  View: { who: "Party", count: "Int" },
  Oops: { code: "Int", why: "Text" },
};

export const methods: Readonly<Record<string, Sort>> = { worth: "Int", holder: "Party" };

export const dataTypes: readonly DefDataType[] = [
  ...Object.entries(records).map(([name, fields]): DefDataType => ({
    name,
    params: [],
    serializable: true,
    cons: { kind: "record", fields: Object.entries(fields).map(([field, sort]) => ({ name: field, type: typeOf[sort] })) },
  })),
  { name: "Asset", params: [], serializable: false, cons: { kind: "interface" } },
];

const text = (outcome: Outcome): string => (outcome as { text: string }).text;

/** A value of a command. `hexOf` gives the id that the engine gave to a contract. */
export function toLedgerValue(sort: Sort, outcome: Outcome, hexOf: (id: string) => string): LedgerValue {
  switch (sort) {
    case "Int":
      return { kind: "int64", value: outcome as bigint };
    case "Bool":
      return { kind: "bool", value: outcome as boolean };
    case "Text":
      return { kind: "text", value: text(outcome) };
    case "Party":
      return { kind: "party", value: text(outcome) };
    case "Unit":
      return { kind: "unit" };
    case "Parties":
      return { kind: "list", elements: (outcome as readonly Outcome[]).map((each) => toLedgerValue("Party", each, hexOf)) };
    case "OptInt":
      return { kind: "optional", value: outcome === "none" ? undefined : toLedgerValue("Int", (outcome as { some: Outcome }).some, hexOf) };
    case "CidCoin":
    case "CidVault":
    case "CidAsset":
      return { kind: "contractId", hex: hexOf((outcome as { contractId: string }).contractId) };
    default: {
      const { record } = outcome as { record: readonly Outcome[] };
      return {
        kind: "record",
        fields: Object.entries(records[sort]!).map(([label, field], index) => ({
          label,
          value: toLedgerValue(field, record[index]!, hexOf),
        })),
      };
    }
  }
}

/** How a node spells what has a name here. */
export interface Spelling {
  readonly partyOf: (name: string) => string;
  readonly hexOf: (name: string) => string;
}

/** A value of a command in the JSON of the Ledger API. */
export function toJson(sort: Sort, outcome: Outcome, spelling: Spelling): unknown {
  switch (sort) {
    case "Int":
      return String(outcome as bigint);
    case "Bool":
      return outcome;
    case "Text":
      return text(outcome);
    case "Party":
      return spelling.partyOf(text(outcome));
    case "Unit":
      return {};
    case "Parties":
      return (outcome as readonly Outcome[]).map((each) => toJson("Party", each, spelling));
    case "OptInt":
      return outcome === "none" ? null : toJson("Int", (outcome as { some: Outcome }).some, spelling);
    case "CidCoin":
    case "CidVault":
    case "CidAsset":
      return spelling.hexOf((outcome as { contractId: string }).contractId);
    default: {
      const { record } = outcome as { record: readonly Outcome[] };
      return Object.fromEntries(
        Object.entries(records[sort]!).map(([label, field], index) => [label, toJson(field, record[index]!, spelling)]),
      );
    }
  }
}
