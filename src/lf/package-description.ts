/**
 * What a package declares, for those who read it rather than run it: templates, choices, interfaces and the types that can be
 * on a ledger. Written as JSON text: whoever asks sends it on.
 */
import { fail, ok, type Result } from "../base/result.js";
import type { BuiltinType, DataCons, DefDataType, DefinitionId, FieldWithType, Module, Package, TemplateChoice, Type } from "./ast.js";

/** As Daml calls them. */
const damlNames: { readonly [K in BuiltinType]: string } = {
  UNIT: "()",
  BOOL: "Bool",
  INT64: "Int",
  DATE: "Date",
  TIMESTAMP: "Time",
  NUMERIC: "Numeric",
  PARTY: "Party",
  TEXT: "Text",
  CONTRACT_ID: "ContractId",
  OPTIONAL: "Optional",
  LIST: "[]",
  GENMAP: "Map",
  TEXTMAP: "TextMap",
  ANY: "Any",
  ANY_EXCEPTION: "AnyException",
  TYPE_REP: "TypeRep",
  ARROW: "->",
  UPDATE: "Update",
  FAILURE_CATEGORY: "FailureCategory",
  BIGNUMERIC: "BigNumeric",
  ROUNDING_MODE: "RoundingMode",
};

/** Types share their parts, so their text may be far longer than the package. */
class TooLong extends Error {}

/** Fails with the number of characters that were too many. */
export function describePackage(
  package_: Package,
  { charsMax }: { readonly charsMax: number },
): Result<string, { readonly charsMax: number }> {
  const writer = new Writer(package_.id, charsMax);
  try {
    return ok(writer.package(package_));
  } catch (error) {
    if (error instanceof TooLong) return fail({ charsMax });
    throw error;
  }
}

class Writer {
  #chars = 0;
  readonly #charsMax: number;

  constructor(
    private readonly packageId: string,
    charsMax: number,
  ) {
    this.#charsMax = charsMax;
  }

  package({ id, name, version, lfVersion, directDependencies, modules }: Package): string {
    return object({
      packageId: text(id),
      packageName: text(name),
      packageVersion: text(version),
      lfVersion: text(lfVersion),
      dependencies: list([...directDependencies].sort().map(text)),
      modules: list([...modules.values()].map((module) => this.#module(module))),
    });
  }

  #module(module: Module): string {
    const { name, dataTypes, templates, interfaces } = module;
    const types = [...dataTypes.values()].filter(({ serializable }) => serializable);
    return this.#counted(
      object({
        name: text(name),
        templates: list(
          [...templates.values()].map((template) =>
            object({
              name: text(template.name),
              ...(template.key && { key: this.#type(template.key.type) }),
              choices: this.#choices(template.choices),
              implements: list(template.implements.map((instance) => this.#id(instance.interface))),
            }),
          ),
        ),
        interfaces: list(
          [...interfaces.values()].map(({ name: interfaceName, view, requires, choices }) =>
            object({
              name: text(interfaceName),
              view: this.#type(view),
              requires: list(requires.map((id) => this.#id(id))),
              choices: this.#choices(choices),
            }),
          ),
        ),
        dataTypes: list(types.map((type) => this.#dataType(type))),
      }),
      0,
    );
  }

  #choices(choices: ReadonlyMap<string, TemplateChoice>): string {
    return list(
      [...choices.values()].map(({ name, consuming, argBinder, returnType }) =>
        object({ name: text(name), consuming: String(consuming), argument: this.#type(argBinder.type), result: this.#type(returnType) }),
      ),
    );
  }

  #dataType({ name, params, cons }: DefDataType): string {
    return object({ name: text(name), parameters: list(params.map((param) => text(param.name))), ...this.#cons(cons) });
  }

  #cons(cons: DataCons): Readonly<Record<string, string>> {
    switch (cons.kind) {
      case "record":
        return { record: this.#fields(cons.fields) };
      case "variant":
        return { variant: this.#fields(cons.constructors) };
      case "enum":
        return { enum: list(cons.constructors.map(text)) };
      case "interface":
        return {};
    }
  }

  #fields(fields: readonly FieldWithType[]): string {
    return list(fields.map(({ name, type }) => object({ name: text(name), type: this.#type(type) })));
  }

  #type(type: Type): string {
    const args: Type[] = [];
    let head = type;
    for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
    if (head.kind === "syn") args.unshift(...head.args);
    const applied = args.length === 0 ? {} : { arguments: list(args.map((arg) => this.#type(arg))) };
    return this.#counted(object({ ...this.#head(head), ...applied }), 1);
  }

  #head(head: Type): Readonly<Record<string, string>> {
    switch (head.kind) {
      case "builtin":
        return { builtin: text(damlNames[head.builtin]) };
      case "con":
      case "syn":
        return {
          defined: text(`${head.id.module}:${head.id.name}`),
          ...(head.id.packageId !== this.packageId && { packageId: text(head.id.packageId) }),
        };
      case "var":
        return { parameter: text(head.name) };
      case "nat":
        return { number: String(head.value) };
      default:
        return { builtin: text(head.kind) }; // functions over types and structures, which no ledger holds
    }
  }

  #id({ packageId, module, name }: DefinitionId): string {
    return text(`${packageId}:${module}:${name}`);
  }

  /** Each piece once: those that hold others count with theirs. */
  #counted(piece: string, own: 0 | 1): string {
    if (own === 1) this.#chars += piece.length;
    if (this.#chars > this.#charsMax || piece.length > this.#charsMax) throw new TooLong();
    return piece;
  }
}

const text = (value: string): string => JSON.stringify(value);
const list = (elements: readonly string[]): string => `[${elements.join()}]`;
const object = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join()}}`;
