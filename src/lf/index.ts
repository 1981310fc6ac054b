/** Daml-LF: packages, values, transactions and the engine that runs commands. Pure: no clock, no I/O, nothing asynchronous. */
export { Engine, type EngineOptions } from "./interpret/engine.js";
export type { CompiledDefinition, CompiledMode } from "./compile/index.js";
export type {
  Command, CommandArgument, ContractSalt, CreatedContract, EngineLimits, GlobalKey, Interpretation, InterpretOptions, InterpretResult, KeyInput, LedgerReader,
  Submission, TemplateReference, ViewResult,
} from "./interpret/engine.js";
export type { ArchiveError, EngineError, InterpretationError, LookupError, PreprocessingError, ValidationError } from "./errors.js";
export { type DefinitionId, type LfVersion, type Package, type PackageId, showId, type TemplateChoice, type Type } from "./ast.js";
export { PackageInterface, type PackageReader } from "./package-interface.js";
export {
  checkPackage, decodePackage, encodeDar, encodePackage, isStablePackageId, isUtilityPackage, loadDar, openPackage, packageIdOf, readArchive, readDar, readSources, selfPackageId, stablePackages,
  summarizePackage, type Archive, type Dar, type LoadedDar, type LoadedPackage, type PackageSummary,
} from "./archive/index.js";
export { describePackage } from "./package-description.js";
export { comparePackages, comparePackageVersions } from "./package-version.js";
export { checkUpgrade } from "./upgrade.js";
export {
  computeBlinding, decodeContractInstance, encodeContractInstance, encodeTransaction, parseContractId, type ContractInstance, type DecodeError,
} from "./transaction/index.js";
export type {
  BlindingInfo, CreateNode, ExerciseNode, FetchNode, KeyWithMaintainers, NodeId, Party, QueryByKeyNode, RollbackNode, SerializationVersion, TimeBoundaries,
  Transaction, TransactionMetadata, TransactionNode,
} from "./transaction/node.js";
export { decodeValue, describeType, encodeValue, fromJson, toJson, ValueTypes, type DescribedType, type TypeDescription, type ValueType } from "./value/index.js";
export type { LedgerValue } from "./value/ledger-value.js";
export {
  disclosedContracts, encodePrepared, hashPrepared, inputContracts, inputPackages, packagesByName, reachableNodes, readMetadata, readSubmitter, readTransaction, rootCommand, seededTransaction, splitPrepared, timeBounds,
  type HashingScheme, type NodeTypes, type PreparedFailure, type PreparedMetadata, type PreparedTransaction, type SeededTransaction,
} from "./interactive/index.js";
