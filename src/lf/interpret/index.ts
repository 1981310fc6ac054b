/** Runs commands: the engine. */
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
} from "./engine.js";
export { findContractId } from "./contract-info.js";
export { unconstrainedTime } from "./metadata.js";
