/**
 * The meeting point of compiled code and the engine.
 *
 * Compiled expressions are ordinary JavaScript; an Update is a JavaScript function `(machine) => value` that does its
 * effects through this interface. `compile/` and `runtime/` only see the interface; `interpret/` implements it.
 * Everything is synchronous: contracts come from a reader that answers at once.
 */
import type { DefinitionId, PackageId, Type } from "../ast.js";
import type { Int64, AnyValue, ContractId, LfMap, List, Optional, RecordValue, Value } from "../value/index.js";

export type UpdateValue = (machine: Machine) => Value;

export interface Machine {
  create(template: DefinitionId, argument: RecordValue): ContractId;
  /** `create_interface`: the template is the payload's own. */
  createInterface(interface_: DefinitionId, argument: Value): ContractId;
  fetch(template: DefinitionId, contractId: ContractId): RecordValue;
  /** Gives an `InterfaceValue`. */
  fetchInterface(interface_: DefinitionId, contractId: ContractId): Value;
  exercise(template: DefinitionId, choice: string, contractId: ContractId, argument: Value): Value;
  /** `guard` (LF 2.dev) is applied to the fetched interface value and must give True. */
  exerciseInterface(
    interface_: DefinitionId,
    choice: string,
    contractId: ContractId,
    argument: Value,
    guard?: (payload: Value) => boolean,
  ): Value;
  exerciseByKey(template: DefinitionId, choice: string, key: Value, argument: Value): Value;
  /** Gives the struct {contract, contractId} of the specification, or for LF 2.3 Tuple2 as the type demands. */
  fetchByKey(template: DefinitionId, key: Value): Value;
  lookupByKey(template: DefinitionId, key: Value): Optional;
  queryNByKey(template: DefinitionId, n: Int64, key: Value): Value;
  getTime(): bigint;
  ledgerTimeLt(time: bigint): boolean;
  /** Runs `body` in a try scope; a Daml exception (`DamlException`) goes to `handler`: None re-throws, Some carries the update to run. */
  tryCatch(body: () => Value, handler: (exception: AnyValue) => Optional): Value;
  /** True while an update runs on the ledger: CONTRACT_ID_TO_TEXT then gives None. */
  readonly onLedger: boolean;
}

/** A choice of a template or interface, ready to run. `self` is the payload (an `InterfaceValue` for interface choices). */
export interface CompiledChoice {
  readonly name: string;
  readonly consuming: boolean;
  readonly argumentType: Type;
  readonly returnType: Type;
  controllers(payload: Value, argument: Value): List;
  observers(payload: Value, argument: Value): List; // empty list when the choice declares none
  readonly authorizers: ((payload: Value, argument: Value) => List) | undefined;
  /** Runs the body: evaluates the update expression, then runs it on the machine. */
  run(machine: Machine, contractId: ContractId, payload: Value, argument: Value): Value;
}

export interface CompiledInstance {
  readonly interface: DefinitionId;
  view(payload: RecordValue): Value;
  method(name: string): ((payload: RecordValue) => Value) | undefined;
}

export interface CompiledTemplate {
  readonly id: DefinitionId;
  readonly packageName: string;
  readonly packageVersion: string;
  precondition(payload: RecordValue): boolean;
  signatories(payload: RecordValue): List;
  observers(payload: RecordValue): List;
  readonly key: { readonly type: Type; key(payload: RecordValue): Value; maintainers(key: Value): List } | undefined;
  choice(name: string): CompiledChoice | undefined;
  readonly choices: readonly string[];
  instance(interface_: DefinitionId): CompiledInstance | undefined;
  readonly interfaces: readonly DefinitionId[];
}

export interface CompiledInterface {
  readonly id: DefinitionId;
  readonly viewType: Type;
  readonly requires: readonly DefinitionId[];
  choice(name: string): CompiledChoice | undefined;
  readonly choices: readonly string[];
}

/** Made once per worker over all its packages; compiles lazily, a definition at a time, and keeps what it compiled. */
export interface CompiledPackages {
  template(id: DefinitionId): CompiledTemplate | undefined;
  interface(id: DefinitionId): CompiledInterface | undefined;
  /** A top-level value: constants are evaluated at first use, functions come as JavaScript functions. */
  value(id: DefinitionId): Value;
  /** The text of an exception, by its message function (`ANY_EXCEPTION_MESSAGE`). */
  exceptionMessage(exception: AnyValue): string;
  /** Packages whose code was compiled or run since the last call, for the used packages of a transaction. */
  packageName(id: PackageId): string | undefined;
}

/** A thrown Daml exception: the only thing that LF code can catch. `exception` is an AnyException. */
export class DamlException extends Error {
  override readonly name = "DamlException";
  constructor(readonly exception: AnyValue) {
    super("Daml exception");
  }
}

/**
 * The counters that compiled code decrements: one object, shared by all compiled code of a worker, set before each run.
 * At zero or below `runtime` raises a `LimitExceeded` interpretation error.
 */
export interface Budget {
  /** Function entries and loop edges left. */
  steps: number;
  /** Allocation units left: list cells, map entries, text bytes and record fields made. */
  allocation: number;
}

export type { LfMap, Value };
