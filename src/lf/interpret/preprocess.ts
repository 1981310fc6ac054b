/** Commands as they were submitted -> commands ready to run: references resolved, arguments typed. */
import { isFailure, type Result } from "../../base/result.js";
import { type DefinitionId, type PackageId, showId, type Type } from "../ast.js";
import { type EngineError, FatalError, type LookupError, type PreprocessingError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import type { CompiledChoice } from "../runtime/index.js";
import {
  carriedBytes,
  checkCommandContractId,
  fromCommandValue,
  fromJson,
  malformedContractId,
  toLedgerValue,
  type ValueType,
} from "../conversion/index.js";
import { ContractId, type RecordValue, type Value } from "../value/index.js";
import { findContractId } from "./contract-info.js";
import type { Definitions, KeyDefinition, TemplateDefinition } from "./definitions.js";
import type { Command, CommandArgument, TemplateKey, TemplateReference } from "./submission.js";

export type ReadyCommand =
  | { readonly kind: "create"; readonly templateId: DefinitionId; readonly argument: RecordValue }
  | {
      readonly kind: "exercise";
      readonly templateId: DefinitionId;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: Value;
    }
  | {
      readonly kind: "exerciseInterface";
      readonly interfaceId: DefinitionId;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: Value;
    }
  | {
      readonly kind: "exerciseByKey";
      readonly templateId: DefinitionId;
      readonly key: Value;
      readonly choice: string;
      readonly argument: Value;
    }
  | {
      readonly kind: "createAndExercise";
      readonly templateId: DefinitionId;
      readonly createArgument: RecordValue;
      readonly choice: string;
      readonly argument: Value;
    };

/** Throws `FatalError` at the first command that does not fit. */
export class Preprocessor {
  readonly #definitions: Definitions;
  readonly #packages: PackageInterface;

  constructor(definitions: Definitions, packages: PackageInterface) {
    this.#definitions = definitions;
    this.#packages = packages;
  }

  prepare(commands: readonly Command[], packagePreference: ReadonlyMap<string, PackageId>): readonly ReadyCommand[] {
    try {
      return this.#prepareAll(commands, packagePreference);
    } catch (error) {
      if (error instanceof FatalError && error.error.phase === "lookup" && commands.some(isUntyped))
        throw new FatalError({ ...error.error, isUntyped: true });
      throw error;
    }
  }

  /** Every reference is resolved before the first argument is looked at. */
  #prepareAll(commands: readonly Command[], packagePreference: ReadonlyMap<string, PackageId>): readonly ReadyCommand[] {
    const ids: DefinitionId[] = [];
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!,
        { template } = command,
        isKnown = i > 0 && sameReference(template, commands[i - 1]!.template);
      ids.push(isKnown ? ids[i - 1]! : this.#resolve(template, packagePreference, soughtIn(command)));
    }
    return commands.map((command, i) => this.#prepare(command, ids[i]!));
  }

  checkKeys(keys: readonly TemplateKey[], packagePreference: ReadonlyMap<string, PackageId>): void {
    for (const { template: reference, key } of keys) this.#key(this.template(this.#resolve(reference, packagePreference)), key);
  }

  #key(template: TemplateDefinition, argument: CommandArgument): Value {
    return commandKey(template, keyOf(template), argument);
  }

  #prepare(command: Command, id: DefinitionId): ReadyCommand {
    switch (command.kind) {
      case "create": {
        const template = this.#definitions.template(id) ?? this.#notCreated(id, command);
        return { kind: "create", templateId: template.id, argument: typed(template.type, command.argument) as RecordValue };
      }
      case "exercise":
        return this.#prepareExercise(command, id);
      case "exerciseByKey":
        return this.#prepareExerciseByKey(command, id);
      case "createAndExercise": {
        const template = this.template(id);
        const createArgument = typed(template.type, command.createArgument) as RecordValue;
        return {
          kind: "createAndExercise",
          templateId: template.id,
          createArgument,
          ...this.#choice(id, template.compiled.choice(command.choice), command),
        };
      }
    }
  }

  /** What reads JSON for the reference's engine reads the argument of an interface as its view; the engine looks for a template first. */
  #notCreated(id: DefinitionId, command: Extract<Command, { kind: "create" }>): TemplateDefinition {
    const interface_ = this.#definitions.interface(id),
      { argument } = command;
    if (interface_ === undefined || "value" in argument || isUntyped(command)) return this.template(id);
    typed(this.#typeOf(interface_.viewType), argument);
    throw lookup("MissingDefinition", `${showId(id)} is an interface, not a template`, showId(id));
  }

  #prepareExercise(command: Extract<Command, { kind: "exercise" }>, id: DefinitionId): ReadyCommand {
    const template = this.#definitions.template(id);
    const interface_ = template === undefined ? this.#definitions.interface(id) : undefined;
    if (template === undefined && interface_ === undefined)
      throw lookup("MissingTemplateOrInterface", invalidChoice(id, command.choice), showId(id), { choice: command.choice });
    const choice = (template?.compiled ?? interface_)?.choice(command.choice);
    if (choice === undefined) throw missingChoice(command.choice, id);
    const prepared = this.#choice(id, choice, command),
      contractId = targetOf(command.contractId);
    return template === undefined
      ? { kind: "exerciseInterface", interfaceId: interface_!.id, contractId, ...prepared }
      : { kind: "exercise", templateId: template.id, contractId, ...prepared };
  }

  #prepareExerciseByKey(command: Extract<Command, { kind: "exerciseByKey" }>, id: DefinitionId): ReadyCommand {
    if (this.#definitions.interface(id)?.choice(command.choice) === undefined && this.#definitions.template(id) === undefined)
      throw missingChoice(command.choice, id);
    const template = this.template(id),
      choice = template.compiled.choice(command.choice);
    if (choice !== undefined) keyOf(template); // that there is none is told before its argument is looked at
    const prepared = this.#choice(id, choice, command);
    return { kind: "exerciseByKey", templateId: template.id, key: this.#key(template, command.key), ...prepared };
  }

  #choice(
    id: DefinitionId,
    choice: CompiledChoice | undefined,
    command: { readonly choice: string; readonly argument: CommandArgument },
  ): { readonly choice: string; readonly argument: Value } {
    if (choice === undefined) throw missingChoice(command.choice, id);
    return { choice: command.choice, argument: typed(this.#typeOf(choice.argumentType), command.argument) };
  }

  template(id: DefinitionId): TemplateDefinition {
    const template = this.#definitions.template(id);
    if (template !== undefined) return template;
    const isInterface = this.#definitions.interface(id) !== undefined;
    throw lookup(
      "MissingTemplate",
      isInterface ? `${showId(id)} is an interface, not a template` : `unknown template ${showId(id)}`,
      showId(id),
      isInterface ? { isInterface } : {},
    );
  }

  #typeOf(type: Type): ValueType {
    return this.#definitions.types.of(type);
  }

  #resolve(reference: TemplateReference, packagePreference: ReadonlyMap<string, PackageId>, forWhat: ForWhat = {}): DefinitionId {
    const { module, name } = reference;
    if ("id" in reference.package) {
      const { id } = reference.package;
      this.checkPackage(id, () => `${id}:${module}:${name}`, forWhat);
      return { packageId: id, module, name };
    }
    const packageName = reference.package.name,
      packageId = packagePreference.get(packageName),
      shown = (): string => `#${packageName}:${module}:${name}`;
    if (packageId === undefined) throw lookup("UnresolvedPackageName", `unresolved package name ${packageName} of ${shown()}`, shown());
    this.checkPackage(packageId, shown);
    return { packageId, module, name };
  }

  /** `reference`: what names it, as the failure tells it. */
  checkPackage(id: PackageId, reference: () => string, forWhat: ForWhat = {}): void {
    if (this.#packages.package(id) !== undefined) return;
    const hint = packageIdFormat.test(id) ? "" : `; a package name is written #${id}`,
      neededFor = reference();
    throw lookup("MissingPackage", `package ${id} is not known, needed for ${neededFor}${hint}`, id, { neededFor, ...forWhat });
  }
}

type ForWhat = Pick<LookupError, "choice">;

/** The reference looks for a choice where a contract is named; of what is created it looks for the template first. */
const soughtIn = (command: Command): ForWhat =>
  command.kind === "exercise" || command.kind === "exerciseByKey" ? { choice: command.choice } : {};

/** One whose values came with a message, not with JSON. */
function isUntyped(command: Command): boolean {
  const argument = command.kind === "createAndExercise" ? command.createArgument : command.argument;
  return "json" in argument && carriedBytes(argument.json) !== undefined;
}

function sameReference(left: TemplateReference, right: TemplateReference): boolean {
  return left.name === right.name && left.module === right.module && samePackage(left.package, right.package);
}

function samePackage(left: TemplateReference["package"], right: TemplateReference["package"]): boolean {
  return "id" in left ? "id" in right && left.id === right.id : "name" in right && left.name === right.name;
}

const packageIdFormat = /^[0-9a-f]{64}$/;

function typed(type: ValueType, argument: CommandArgument): Value {
  return unwrap("json" in argument ? fromJson(type, argument.json) : fromCommandValue(type, argument.value));
}

function keyOf({ id, key }: TemplateDefinition): KeyDefinition {
  if (key === undefined) throw missingKey(id);
  return key;
}

/** Keys without contract ids only: checked here, as the reference looks keys up before it runs anything. */
function commandKey(template: TemplateDefinition, key: KeyDefinition, argument: CommandArgument): Value {
  const value = typed(key.type, argument);
  if (findContractId(toLedgerValue(key.type, value)) !== undefined) {
    throw preprocessing("ContractIdInContractKey", `contract ids are not supported in contract keys (template ${showId(template.id)})`);
  }
  return value;
}

function targetOf(hex: string): ContractId {
  if (hex === "") throw preprocessing("IllegalContractId", "there is no contract id", { code: "MISSING_FIELD", field: "contract_id" });
  const malformed = malformedContractId(hex);
  if (malformed !== undefined) throw preprocessing("IllegalContractId", malformed, { code: "INVALID_FIELD", field: "contract_id" });
  const refused = checkCommandContractId(hex);
  if (refused !== undefined) throw preprocessing("IllegalContractId", refused);
  return new ContractId(hex);
}

export function unwrap<T, E extends EngineError>(result: Result<T, E>): T {
  if (isFailure(result)) throw new FatalError(result.error);
  return result.ok;
}

export const preprocessing = (class_: string, message: string, more: Pick<PreprocessingError, "code" | "field"> = {}): FatalError =>
  new FatalError({ phase: "preprocessing", class: class_, message, ...more } satisfies PreprocessingError);

export const lookup = (
  class_: LookupError["class"],
  message: string,
  reference: string,
  more: Pick<LookupError, "neededFor" | "isInterface" | "choice"> = {},
): FatalError => new FatalError({ phase: "lookup", class: class_, message, reference, ...more });

export const missingKey = (id: DefinitionId): FatalError => lookup("MissingKey", `template ${showId(id)} has no contract key`, showId(id));

/** The reference's words for an interface too, whichever of the two there is not. */
const invalidChoice = (id: DefinitionId, choice: string): string => `Invalid template:${showId(id)} or choice:${choice}`;
const missingChoice = (choice: string, id: DefinitionId): FatalError =>
  lookup("MissingChoice", invalidChoice(id, choice), `${showId(id)}:${choice}`, { choice });
