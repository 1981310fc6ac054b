/** Interface values at run time: dispatch by the payload's own template, and the coercions. */
import { type DefinitionId, showId } from "../ast.js";
import { fatal } from "../errors.js";
import {
  type ContractId,
  type InterfaceValue,
  type List,
  none,
  type Optional,
  type RecordValue,
  Some,
  TypeRep,
  type Value,
} from "../value/index.js";
import type { CompiledInstance, CompiledTemplate } from "./machine.js";

/** Re-types a payload for another version of its template; raises the upgrade error when it does not fit. */
export type Retype = (template: DefinitionId, from: DefinitionId, payload: RecordValue) => RecordValue;

/** Throws where a view is no value that a ledger takes. */
export type ViewCheck = (interface_: DefinitionId, view: Value) => void;

export interface InterfaceContext {
  template(id: DefinitionId): CompiledTemplate | undefined;
  packageName(packageId: string): string | undefined;
  readonly retype: Retype;
  readonly checkView: ViewCheck;
}

const sameId = (a: DefinitionId, b: DefinitionId): boolean =>
  a === b || (a.packageId === b.packageId && a.name === b.name && a.module === b.module);

export const interfaceFunctions = (context: InterfaceContext) => {
  const templateOf = (value: InterfaceValue): CompiledTemplate => {
    const template = context.template(value.template);
    if (template === undefined) throw fatal("Internal", `the template ${showId(value.template)} of an interface value is not known`);
    return template;
  };
  const instanceOf = (interface_: DefinitionId, value: InterfaceValue): CompiledInstance => {
    const instance = templateOf(value).instance(interface_);
    if (instance === undefined) throw fatal("Internal", `${showId(value.template)} does not implement ${showId(interface_)}`);
    return instance;
  };
  const isOtherVersion = (a: DefinitionId, b: DefinitionId): boolean =>
    a.name === b.name && a.module === b.module && context.packageName(a.packageId) === context.packageName(b.packageId);
  const implementsInterface = (interface_: DefinitionId, value: InterfaceValue): boolean =>
    templateOf(value).instance(interface_) !== undefined;

  return {
    callInterface: (interface_: DefinitionId, method: string, value: InterfaceValue): Value => {
      const compiled = instanceOf(interface_, value).method(method);
      if (compiled === undefined) throw fatal("Internal", `${showId(value.template)} lacks the method ${method} of ${showId(interface_)}`);
      return compiled(value.payload);
    },
    viewInterface: (interface_: DefinitionId, value: InterfaceValue): Value => {
      const view = instanceOf(interface_, value).view(value.payload);
      context.checkView(interface_, view);
      return view;
    },
    signatoryInterface: (value: InterfaceValue): List => templateOf(value).signatories(value.payload),
    observerInterface: (value: InterfaceValue): List => templateOf(value).observers(value.payload),
    interfaceTemplateTypeRep: (value: InterfaceValue): TypeRep => new TypeRep({ kind: "con", id: value.template }),
    /** Another version of the template counts, and its payload is brought to this one; another template gives None. */
    fromInterface: (template: DefinitionId, value: InterfaceValue): Optional => {
      if (sameId(template, value.template)) return new Some(value.payload);
      return isOtherVersion(template, value.template) ? new Some(context.retype(template, value.template, value.payload)) : none;
    },
    unsafeFromInterface: (template: DefinitionId, id: ContractId, value: InterfaceValue): RecordValue => {
      if (sameId(template, value.template)) return value.payload;
      throw fatal("WronglyTypedContract", `The contract ${id.hex} is of type ${showId(value.template)}, not ${showId(template)}.`, {
        coid: id.hex,
        expected: showId(template),
        actual: showId(value.template),
      });
    },
    fromRequiredInterface: (requiring: DefinitionId, value: InterfaceValue): Optional =>
      implementsInterface(requiring, value) ? new Some(value) : none,
    unsafeFromRequiredInterface: (
      required: DefinitionId,
      requiring: DefinitionId,
      id: ContractId,
      value: InterfaceValue,
    ): InterfaceValue => {
      if (implementsInterface(requiring, value)) return value;
      throw fatal(
        "ContractDoesNotImplementRequiringInterface",
        `The contract ${id.hex} of type ${showId(value.template)} does not implement ${showId(requiring)}.`,
        {
          requiringInterfaceId: showId(requiring),
          requiredInterfaceId: showId(required),
          coid: id.hex,
          templateId: showId(value.template),
        },
      );
    },
  };
};
