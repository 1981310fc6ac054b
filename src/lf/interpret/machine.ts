/** Runs updates: the engine's side of `Machine`. One object per run. */
import { assert } from "../../base/assert.js";
import { type DefinitionId, showId } from "../ast.js";
import { fatal } from "../errors.js";
import { type CompiledChoice, type CompiledPackages, DamlException, type Machine, type UpdateValue } from "../runtime/index.js";
import type { TimeBoundaries } from "../transaction/index.js";
import { type Allowance, toLedgerValue } from "../conversion/index.js";
import {
  type Int64,
  type LedgerValue,
  type AnyValue,
  Cons,
  type ContractId,
  InterfaceValue,
  type List,
  nil,
  none,
  type Optional,
  type RecordValue,
  Some,
  type Value,
} from "../value/index.js";
import { computeContractInfo } from "./contract-info.js";
import type { ContractState } from "./contract-state.js";
import type { Contracts } from "./contracts.js";
import type { Definitions, TemplateDefinition } from "./definitions.js";
import { uncatchable } from "./exceptions.js";
import { type KeyQuery, type QueriedKey, queryByKey } from "./key-query.js";
import type { FetchedContract } from "./ledger-contract.js";
import { unconstrainedTime } from "./metadata.js";
import { partiesOfList } from "./parties.js";
import type { PartialTransaction } from "./partial-transaction.js";

export interface RunState {
  readonly compiled: CompiledPackages;
  readonly definitions: Definitions;
  readonly state: ContractState;
  readonly contracts: Contracts;
  readonly transaction: PartialTransaction;
  readonly ledgerTime: bigint;
  /** For the values of all nodes together. */
  readonly allowance: Allowance;
}

interface ChoiceRun {
  readonly choice: CompiledChoice;
  /** The payload as the choice sees it: through its interface for an interface choice. */
  readonly self: Value;
  readonly contract: FetchedContract;
  readonly contractId: ContractId;
  readonly argument: Value;
  readonly interfaceId: DefinitionId | undefined;
  readonly byKey: boolean;
}

export class UpdateMachine implements Machine {
  readonly onLedger = true;
  readonly #run: RunState;
  #timeBoundaries: TimeBoundaries = unconstrainedTime;

  constructor(run: RunState) {
    this.#run = run;
  }

  get timeBoundaries(): TimeBoundaries {
    return this.#timeBoundaries;
  }

  create(templateId: DefinitionId, argument: RecordValue): ContractId {
    const template = this.#template(templateId);
    const info = computeContractInfo(template, argument, this.#run);
    if (info.key?.maintainers.length === 0) throw emptyMaintainers(templateId, { arg: info.argument, key: info.key.key });
    const contractId = this.#run.transaction.create(info);
    this.#run.contracts.addLocal(contractId, template, argument, info);
    return contractId;
  }

  createInterface(_interface: DefinitionId, argument: Value): ContractId {
    assert(argument instanceof InterfaceValue, "create by interface takes an interface value");
    return this.create(argument.template, argument.payload);
  }

  fetch(templateId: DefinitionId, contractId: ContractId): RecordValue {
    const { payload, info } = this.#run.contracts.fetch(this.#template(templateId), contractId.hex);
    this.#run.transaction.fetch(contractId.hex, info, { byKey: false, interfaceId: undefined });
    return payload;
  }

  fetchInterface(interfaceId: DefinitionId, contractId: ContractId): Value {
    const { template, payload, info } = this.#run.contracts.fetchInterface(interfaceId, contractId.hex);
    this.#run.transaction.fetch(contractId.hex, info, { byKey: false, interfaceId });
    return new InterfaceValue(template.id, payload);
  }

  exercise(templateId: DefinitionId, choice: string, contractId: ContractId, argument: Value): Value {
    return this.#exerciseTemplate(templateId, choice, contractId, argument, false);
  }

  exerciseByKey(templateId: DefinitionId, choice: string, key: Value, argument: Value): Value {
    return this.#exerciseTemplate(templateId, choice, this.#firstWithKey(templateId, key), argument, true);
  }

  #exerciseTemplate(templateId: DefinitionId, choiceName: string, contractId: ContractId, argument: Value, byKey: boolean): Value {
    const template = this.#template(templateId);
    const choice = template.compiled.choice(choiceName);
    if (choice === undefined) assert(false, `choice ${choiceName} of ${showId(templateId)}`);
    const contract = this.#run.contracts.fetch(template, contractId.hex);
    return this.#runChoice({ choice, self: contract.payload, contract, contractId, argument, interfaceId: undefined, byKey });
  }

  exerciseInterface(
    interfaceId: DefinitionId,
    choiceName: string,
    contractId: ContractId,
    argument: Value,
    guard?: (payload: Value) => boolean,
  ): Value {
    const choice = this.#run.definitions.interface(interfaceId)?.choice(choiceName);
    if (choice === undefined) assert(false, `choice ${choiceName} of ${showId(interfaceId)}`);
    const contract = this.#run.contracts.fetchInterface(interfaceId, contractId.hex);
    const self = new InterfaceValue(contract.template.id, contract.payload);
    if (guard !== undefined && !passes(guard, self)) throw guardFailed(contractId, contract, choiceName, interfaceId);
    return this.#runChoice({ choice, self, contract, contractId, argument, interfaceId, byKey: false });
  }

  /** A Daml exception leaves the exercise open: the try scope that catches it closes it without a result. */
  #runChoice({ choice, self, contract, contractId, argument, interfaceId, byKey }: ChoiceRun): Value {
    const {
      compiled,
      definitions: { types },
      transaction,
      allowance,
    } = this.#run;
    const { controllers, observers, authorizers } = choiceParties(compiled, { choice, self, argument });
    transaction.beginExercise({
      contractId: contractId.hex,
      info: contract.info,
      interfaceId,
      choice: choice.name,
      consuming: choice.consuming,
      controllers,
      observers,
      authorizers,
      argument: toLedgerValue(types.of(choice.argumentType), argument, allowance),
      byKey,
    });
    const result = choice.run(this, contractId, self, argument);
    transaction.endExercise(toLedgerValue(types.of(choice.returnType), result, allowance));
    return result;
  }

  fetchByKey(templateId: DefinitionId, key: Value): Value {
    const contractId = this.#firstWithKey(templateId, key);
    const { payload, info } = this.#run.contracts.fetch(this.#template(templateId), contractId.hex);
    this.#run.transaction.fetch(contractId.hex, info, { byKey: true, interfaceId: undefined });
    return [contractId, payload]; // Tuple2
  }

  lookupByKey(templateId: DefinitionId, key: Value): Optional {
    const queried = this.#queryKey({ template: this.#template(templateId), key, count: 1, recorded: true });
    const first = queried.contracts[0];
    return first === undefined ? none : new Some(first.contractId);
  }

  queryNByKey(templateId: DefinitionId, n: Int64, key: Value): Value {
    const queried = this.#queryKey({ template: this.#template(templateId), key, count: n, recorded: true });
    return new Some(queried.contracts.reduceRight<List>((tail, { contractId, payload }) => new Cons([contractId, payload], tail), nil));
  }

  #firstWithKey(templateId: DefinitionId, key: Value): ContractId {
    const queried = this.#queryKey({ template: this.#template(templateId), key, count: 1, recorded: false });
    const first = queried.contracts[0];
    if (first === undefined) throw queried.notFound();
    return first.contractId;
  }

  #queryKey(query: KeyQuery): QueriedKey {
    return queryByKey(this.#run, query);
  }

  getTime(): bigint {
    const { ledgerTime } = this.#run;
    this.#timeBoundaries = { min: ledgerTime, max: ledgerTime };
    return ledgerTime;
  }

  /** Narrows the boundaries to the times at which the answer is the same. */
  ledgerTimeLt(time: bigint): boolean {
    const { min, max } = this.#timeBoundaries;
    const isLess = this.#run.ledgerTime < time;
    this.#timeBoundaries = isLess ? { min, max: time - 1n < max ? time - 1n : max } : { min: time > min ? time : min, max };
    return isLess;
  }

  tryCatch(body: () => Value, handler: (exception: AnyValue) => Optional): Value {
    const { transaction } = this.#run;
    const scope = transaction.beginTry();
    let result: Value;
    try {
      result = body();
    } catch (error) {
      if (!(error instanceof DamlException)) throw error;
      transaction.rollbackTry(scope);
      const handled = handler(error.exception);
      if (!(handled instanceof Some)) throw error;
      return (handled.value as UpdateValue)(this);
    }
    transaction.endTry(scope);
    return result;
  }

  #template(id: DefinitionId): TemplateDefinition {
    const template = this.#run.definitions.template(id);
    if (template === undefined) assert(false, `template ${showId(id)} that code refers to`);
    return template;
  }
}

function choiceParties(compiled: CompiledPackages, { choice, self, argument }: Pick<ChoiceRun, "choice" | "self" | "argument">) {
  try {
    return {
      controllers: partiesOfList(choice.controllers(self, argument)),
      observers: partiesOfList(choice.observers(self, argument)),
      authorizers: choice.authorizers && partiesOfList(choice.authorizers(self, argument)),
    };
  } catch (error) {
    throw uncatchable(compiled, error);
  }
}

/** An exception in a guard counts as a guard that does not hold. */
function passes(guard: (payload: Value) => boolean, self: Value): boolean {
  try {
    return guard(self);
  } catch (error) {
    if (error instanceof DamlException) return false;
    throw error;
  }
}

const guardFailed = (contractId: ContractId, { template }: FetchedContract, choiceName: string, byInterface: DefinitionId) =>
  fatal("Dev.ChoiceGuardFailed", `the guard of choice ${choiceName} does not hold for contract ${contractId.hex}`, {
    error: {
      class: "ChoiceGuardFailed",
      coid: contractId.hex,
      templateId: showId(template.id),
      choiceName,
      byInterface: showId(byInterface),
    },
  });

const emptyMaintainers = (templateId: DefinitionId, detail: { readonly arg: LedgerValue; readonly key: LedgerValue }) =>
  fatal("CreateEmptyContractKeyMaintainers", `a contract key of ${showId(templateId)} has no maintainers`, {
    templateId: showId(templateId),
    ...detail,
  });
