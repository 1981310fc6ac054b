/** Daml-LF: packages, values, transactions and the engine that runs commands. Pure: no clock, no I/O, nothing asynchronous. */
export {
  Engine,
  type Command,
  type CommandArgument,
  type ContractSalt,
  type CreatedContract,
  type EngineLimits,
  type EngineOptions,
  type GlobalKey,
  type Interpretation,
  type InterpretOptions,
  type InterpretResult,
  type KeyInput,
  LedgerContract,
  type LedgerReader,
  type Submission,
  type TemplateKey,
  type TemplateReference,
  type ViewResult,
} from "./interpret/index.js";
export type { CompiledDefinition, CompiledMode } from "./compile/index.js";
export {
  innerClass,
  interpretationError,
  isOfFamily,
  type ArchiveError,
  type EngineError,
  type InterpretationError,
  type InterpretationErrorOf,
  type LookupError,
  type PreprocessingError,
  type ValidationError,
  type ValidationFailed,
} from "./errors.js";
export { globalKeyText } from "./conversion/index.js";
export { interpretationText } from "./interpretation-text.js";
export {
  showId,
  type DefDataType,
  type DefinitionId,
  type DefTemplate,
  type Expr,
  type LfVersion,
  type Module,
  type Package,
  type PackageId,
  type TemplateChoice,
  type Type,
} from "./ast.js";
export { PackageInterface, type PackageReader } from "./package-interface.js";
export {
  checkPackage,
  decodePackage,
  encodeDar,
  encodePackage,
  isStablePackageId,
  isUtilityPackage,
  KnownEntries,
  loadArchives,
  loadDar,
  openPackage,
  packageIdOf,
  readDar,
  readSources,
  selfPackageId,
  stablePackageIds,
  stablePackages,
  summarizePackage,
  type Archive,
  type Dar,
  type LoadedDar,
  type LoadedPackage,
  type LoadResult,
  type PackageSummary,
} from "./archive/index.js";
export { isEarlyStandardLibrary } from "./early-standard-libraries.js";
export { describePackage } from "./package-description.js";
export { comparePackages, comparePackageVersions } from "./package-version.js";
export { checkUpgrade } from "./upgrade.js";
export {
  computeBlinding,
  decodeContractInstance,
  encodeContractInstance,
  parseContractId,
  type ContractInstance,
  type DecodeError,
} from "./transaction/index.js";
export type {
  BlindingInfo,
  CreateNode,
  ExerciseNode,
  FetchNode,
  KeyWithMaintainers,
  NodeId,
  Party,
  QueryByKeyNode,
  RollbackNode,
  SerializationVersion,
  TimeBoundaries,
  Transaction,
  TransactionMetadata,
  TransactionNode,
} from "./transaction/index.js";
export { decodeValue, encodeValue } from "./wire/index.js";
export {
  describeType,
  fromJson,
  toJson,
  ValueTypes,
  type DescribedType,
  type TypeDescription,
  type ValueType,
} from "./conversion/index.js";
export type { LedgerValue } from "./value/index.js";
export {
  disclosedContracts,
  encodePrepared,
  describeHash,
  hashPrepared,
  inputContracts,
  inputPackages,
  packagesByName,
  reachableNodes,
  readMetadata,
  readSubmitter,
  readTransaction,
  rootCommand,
  seededTransaction,
  splitPrepared,
  timeBounds,
  type HashingScheme,
  type NodeTypes,
  type PreparedFailure,
  type PreparedMetadata,
  type PreparedTransaction,
  type SeededTransaction,
} from "./interactive/index.js";
