/** Everything that a module defines: first that it is well typed, then that what is stored can be. */
import type { DefinitionId, Module, Package } from "../ast.js";
import type { PackageInterface } from "../package-interface.js";
import type { Budget } from "./budget.js";
import { checkDataType, checkException, checkSynonym, checkValue } from "./data-types.js";
import { Expressions } from "./expressions.js";
import { checkInterface } from "./interfaces.js";
import { Scope } from "./scope.js";
import {
  checkSerializableData,
  checkSerializableException,
  checkSerializableInterface,
  checkSerializableTemplate,
} from "./serializability.js";
import { checkTemplate } from "./templates.js";
import { TypeMemo } from "./type-memo.js";

export class ModuleChecker {
  readonly #package: Package;
  readonly #packages: PackageInterface;
  readonly #memo: TypeMemo;

  constructor(package_: Package, packages: PackageInterface, budget: Budget) {
    this.#package = package_;
    this.#packages = packages;
    this.#memo = new TypeMemo(budget);
  }

  check(module: Module): void {
    this.#checkTypes(module);
    this.#checkSerializability(module);
  }

  #checkTypes(module: Module): void {
    const { name } = module;
    const idOf = (definition: { readonly name: string }): DefinitionId => ({
      packageId: this.#package.id,
      module: name,
      name: definition.name,
    });
    const at = (what: string, definition: { readonly name: string }): Expressions =>
      this.#expressions(`${what} ${name}:${definition.name}`);
    const elsewhere = (where: string): Expressions => this.#expressions(where);
    for (const each of module.synonyms.values()) checkSynonym(at("type synonym", each), each);
    for (const each of module.dataTypes.values()) checkDataType(at("data type", each), idOf(each), each);
    for (const each of module.values.values()) checkValue(at("value", each), each);
    for (const each of module.templates.values()) checkTemplate(at("template", each), elsewhere, idOf(each), each);
    for (const each of module.exceptions.values()) checkException(at("exception", each), idOf(each), each);
    for (const each of module.interfaces.values()) checkInterface(at("interface", each), elsewhere, idOf(each), each);
  }

  #checkSerializability(module: Module): void {
    const { name } = module;
    const idOf = (definition: { readonly name: string }): DefinitionId => ({
      packageId: this.#package.id,
      module: name,
      name: definition.name,
    });
    const at = (what: string, definition: { readonly name: string }): Scope => this.#scope(`${what} ${name}:${definition.name}`);
    for (const each of module.dataTypes.values()) checkSerializableData(at("data type", each), idOf(each), each);
    for (const each of module.templates.values()) checkSerializableTemplate(at("template", each), idOf(each), each);
    for (const each of module.exceptions.values()) checkSerializableException(at("exception", each), idOf(each));
    for (const each of module.interfaces.values()) checkSerializableInterface(at("interface", each), each);
  }

  #scope(where: string): Scope {
    return new Scope({ packages: this.#packages, lfVersion: this.#package.lfVersion, memo: this.#memo, where });
  }
  #expressions(where: string): Expressions {
    return new Expressions(this.#scope(where));
  }
}
