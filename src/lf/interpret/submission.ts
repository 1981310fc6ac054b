/** What goes into the engine and what comes out. */
import type { DefinitionId, PackageId } from "../ast.js";
import type { EngineError } from "../errors.js";
import type { Result } from "../../base/result.js";
import type { ContractInstance, BlindingInfo, Party, Transaction, TransactionMetadata } from "../transaction/index.js";
import type { LedgerValue } from "../value/index.js";
import type { KeyInput } from "./contract-state.js";
import type { LedgerContract } from "./ledger-contract.js";

/** Template or interface reference of a command: a package id, or a package name to be resolved by the preference. */
export interface TemplateReference {
  readonly package: { readonly id: PackageId } | { readonly name: string };
  readonly module: string;
  readonly name: string;
}

/** A command argument: JSON of the Ledger API (decoded by the type of template or choice), or an untyped ledger value. */
export type CommandArgument = { readonly json: unknown } | { readonly value: LedgerValue };

export type Command =
  | { readonly kind: "create"; readonly template: TemplateReference; readonly argument: CommandArgument }
  | {
      readonly kind: "exercise";
      readonly template: TemplateReference;
      readonly contractId: string;
      readonly choice: string;
      readonly argument: CommandArgument;
    }
  | {
      readonly kind: "exerciseByKey";
      readonly template: TemplateReference;
      readonly key: CommandArgument;
      readonly choice: string;
      readonly argument: CommandArgument;
    }
  | {
      readonly kind: "createAndExercise";
      readonly template: TemplateReference;
      readonly createArgument: CommandArgument;
      readonly choice: string;
      readonly argument: CommandArgument;
    };

/** As it is written: nobody has looked yet whether there is such a template, and whether it has keys. */
export interface TemplateKey {
  readonly template: TemplateReference;
  readonly key: CommandArgument;
}

export interface Submission {
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly commands: readonly Command[];
  readonly disclosed: readonly ContractInstance[];
  readonly ledgerTime: bigint; // microseconds
  readonly preparationTime: bigint;
  readonly submissionSeed: Uint8Array; // 32 bytes
  readonly participantId: string; // part of the transaction seed
  /** Seeds of the root actions, where a transaction is to come out as it did before; else they come from the submission seed. */
  readonly rootSeeds?: readonly Uint8Array[];
  /** One package id for each package name that the run may resolve. */
  readonly packagePreference: ReadonlyMap<string, PackageId>;
  readonly mode: "NUCK" | "NoKey";
}

/** What the engine may ask of the ledger, at one snapshot. It must apply visibility: not visible is not found. */
export interface LedgerReader {
  readContract(contractId: string): LedgerContract | undefined;
  /** Active contracts with this key hash, newest first. */
  readKey(keyHash: string): Iterable<LedgerContract>;
}

/** How local ids get their suffix: the salt of a contract from its discriminator (32 bytes), given by the host. */
export type ContractSalt = (discriminator: Uint8Array) => Uint8Array;

export interface CreatedContract {
  readonly nodeId: number;
  readonly instance: ContractInstance;
  /** The protobuf bytes of `createdEventBlob`. */
  readonly blob: Uint8Array;
}

export interface Interpretation {
  readonly nodeCount: number;
  readonly transaction: Transaction;
  readonly metadata: TransactionMetadata;
  readonly blinding: BlindingInfo;
  /** In pre-order, rolled-back ones left out. */
  readonly created: readonly CreatedContract[];
  /** Contracts of the store that the run used and that must still be active when it is committed (disclosed ones included). */
  readonly inputs: readonly string[];
  /** What key queries found on the ledger; a commit must find the same. */
  readonly keyInputs: readonly KeyInput[];
  /** The packages of the templates and interfaces in its nodes; `metadata.usedPackages` has all that these need. */
  readonly usedPackages: readonly PackageId[];
}

export interface InterpretOptions {
  readonly salt: ContractSalt;
  readonly reader: LedgerReader;
  /** Given what the commands had done when one of them failed; open exercises have no result. */
  readonly onFailure?: (soFar: Transaction) => void;
}

export interface EngineLimits {
  readonly stepsMax: number;
  readonly allocationMax: number;
  readonly transactionNodesMax: number;
  readonly transactionBytesMax: number;
  readonly textBytesMax: number;
  readonly collectionEntriesMax: number;
  readonly recursionDepthMax: number;
  /** Of one definition; a larger one is refused by name when it is first used. */
  readonly definitionNodesMax: number;
  /** Open choices that the trace of a failure names. */
  readonly exerciseTraceChoicesMax: number;
}

export type InterpretResult = Result<Interpretation, EngineError>;

export interface ViewResult {
  readonly template: DefinitionId;
  readonly view: LedgerValue;
}
