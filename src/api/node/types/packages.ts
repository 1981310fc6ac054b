/** What a node tells of its packages beside their bytes. */
import type { Int64 } from "../../ledger/types/scalars.js";

export interface ListPackageSummariesResponse {
  /** In the order of their ids. */
  readonly packages: readonly PackageSummaryEntry[];
  readonly nextPageToken?: string;
}

export interface PackageSummaryEntry {
  readonly packageId: string;
  readonly packageName: string;
  readonly packageVersion: string;
  readonly lfVersion: string;
  /** Nothing of it can be on a ledger. */
  readonly isUtility: boolean;
  /** Ids. */
  readonly dependencies: readonly string[];
  /** `Module:Entity` */
  readonly templates: readonly string[];
  readonly interfaces: readonly string[];
  /** `Module:Entity` of a template to the full ids of its interfaces. */
  readonly implements: Readonly<Record<string, readonly string[]>>;
}

/** After a message of the Ledger API's PackageManagementService, which has no JSON form. */
export interface ListKnownPackagesResponse {
  readonly packageDetails: readonly KnownPackage[];
}

export interface KnownPackage {
  readonly packageId: string;
  /** Bytes. */
  readonly packageSize: Int64;
  readonly name: string;
  readonly version: string;
}

export interface PackageDescription {
  readonly packageId: string;
  readonly packageName: string;
  readonly packageVersion: string;
  readonly lfVersion: string;
  readonly dependencies: readonly string[];
  readonly modules: readonly ModuleDescription[];
}

export interface ModuleDescription {
  readonly name: string;
  readonly templates: readonly TemplateDescription[];
  readonly interfaces: readonly InterfaceDescription[];
  /** Those whose values can be on a ledger; that of a template's arguments has its name. */
  readonly dataTypes: readonly DataTypeDescription[];
}

export interface TemplateDescription {
  readonly name: string;
  readonly key?: DamlType;
  readonly choices: readonly ChoiceDescription[];
  /** Full ids of interfaces. */
  readonly implements: readonly string[];
}

export interface InterfaceDescription {
  readonly name: string;
  readonly view: DamlType;
  readonly requires: readonly string[];
  readonly choices: readonly ChoiceDescription[];
}

export interface ChoiceDescription {
  readonly name: string;
  readonly consuming: boolean;
  readonly argument: DamlType;
  readonly result: DamlType;
}

/** One of the three; an interface's has none. */
export interface DataTypeDescription {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly record?: readonly FieldDescription[];
  readonly variant?: readonly FieldDescription[];
  readonly enum?: readonly string[];
}

export interface FieldDescription {
  readonly name: string;
  readonly type: DamlType;
}

/** One of the four heads, applied to what it has arguments for. */
export interface DamlType {
  /** As Daml calls it: `Int`, `Optional`, `[]`, `()`, .. */
  readonly builtin?: string;
  /** `Module:Entity` */
  readonly defined?: string;
  /** Of what is defined, where it is another one than that which is described. */
  readonly packageId?: string;
  readonly parameter?: string;
  /** The scale of a `Numeric`. */
  readonly number?: number;
  readonly arguments?: readonly DamlType[];
}
