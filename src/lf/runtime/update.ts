/** Update values that carry arguments evaluated when they were built; running one needs the machine. */
import type { DefinitionId } from "../ast.js";
import type { Int64, ContractId, RecordValue, Value } from "../value/index.js";
import { apply1, type Fn } from "./function.js";
import type { Machine, UpdateValue } from "./machine.js";

export const pure =
  (value: Value): UpdateValue =>
  () =>
    value;

/** A block whose first update was already built. */
export const block =
  (first: UpdateValue, rest: (first: UpdateValue, machine: Machine) => Value): UpdateValue =>
  (machine) =>
    rest(first, machine);

export const create =
  (template: DefinitionId, argument: RecordValue): UpdateValue =>
  (machine) =>
    machine.create(template, argument);
export const fetch =
  (template: DefinitionId, id: ContractId): UpdateValue =>
  (machine) =>
    machine.fetch(template, id);
export const fetchInterface =
  (interface_: DefinitionId, id: ContractId): UpdateValue =>
  (machine) =>
    machine.fetchInterface(interface_, id);

export const exercise =
  (template: DefinitionId, choice: string, id: ContractId, argument: Value): UpdateValue =>
  (machine) =>
    machine.exercise(template, choice, id, argument);
export const exerciseInterface =
  (interface_: DefinitionId, choice: string, id: ContractId, argument: Value, guard?: Fn): UpdateValue =>
  (machine) =>
    machine.exerciseInterface(interface_, choice, id, argument, guardOf(guard));
export const exerciseByKey =
  (template: DefinitionId, choice: string, key: Value, argument: Value): UpdateValue =>
  (machine) =>
    machine.exerciseByKey(template, choice, key, argument);

export const fetchByKey =
  (template: DefinitionId, key: Value): UpdateValue =>
  (machine) =>
    machine.fetchByKey(template, key);
export const lookupByKey =
  (template: DefinitionId, key: Value): UpdateValue =>
  (machine) =>
    machine.lookupByKey(template, key);
export const queryNByKey =
  (template: DefinitionId, n: Int64, key: Value): UpdateValue =>
  (machine) =>
    machine.queryNByKey(template, n, key);

export const getTime: UpdateValue = (machine) => machine.getTime();
export const ledgerTimeLt =
  (time: bigint): UpdateValue =>
  (machine) =>
    machine.ledgerTimeLt(time);

const guardOf = (guard: Fn | undefined): ((payload: Value) => boolean) | undefined =>
  guard && ((payload) => apply1(guard, payload) === true);
