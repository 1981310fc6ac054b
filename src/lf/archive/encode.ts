/** Writes packages and DARs: the built-in stable packages, and those that tests assemble. */
import type {
  DataCons,
  DefDataType,
  DefException,
  DefInterface,
  DefTemplate,
  DefTypeSyn,
  DefValue,
  InterfaceInstance,
  Module,
  Package,
  PackageId,
  TemplateChoice,
} from "../ast.js";
import { unreachable } from "../../base/assert.js";
import type { Archive } from "./archive.js";
import { ExpressionEncoder } from "./encode-expression.js";
import { TableEncoder } from "./encode-tables.js";
import { manifestName, printManifest } from "./manifest.js";
import { packageIdOf } from "./package-id.js";
import { writeMessage, type MessageInput } from "./wire-writer.js";
import { writeZip } from "./zip-writer.js";

/** `id` is what definitions inside the package refer to it by; its real id is the hash of what is written. */
export interface PackageToEncode extends Pick<Package, "name" | "version" | "modules" | "id"> {
  /** Of Daml-LF 2: keys need 3, which has one parameter or type at an abstraction or application. Where none is named, 1. */
  readonly minor?: "1" | "3";
}

const flags: MessageInput<"FeatureFlags"> = {
  forbidPartyLiterals: true,
  dontDivulgeContractIdsInCreateArguments: true,
  dontDiscloseNonConsumingChoicesToObservers: true,
};

export function encodePackage(package_: PackageToEncode): Archive {
  const { minor = "1" } = package_,
    tables = new TableEncoder(package_.id, minor !== "1");
  const expressions = new ExpressionEncoder(tables);
  const modules = [...package_.modules.values()].map((module) => encodeModule(expressions, module));
  const metadata = { nameInternedStr: tables.string(package_.name), versionInternedStr: tables.string(package_.version) };
  const bytes = writeMessage("Package", { modules, metadata, ...tables.tables });
  const payload = writeMessage("ArchivePayload", { minor, damlLf_2: bytes });
  return { id: packageIdOf(payload), payload };
}

const encodeArchive = ({ id, payload }: Archive): Uint8Array => writeMessage("Archive", { payload, hash: id });

export function encodeDar(name: string, main: Archive, dependencies: readonly Archive[]): Uint8Array {
  const entryName = (archive: Archive) => `${name}-${archive.id}.dalf`;
  const manifest = printManifest({ main: entryName(main), dependencies: dependencies.map(entryName) }, name);
  return writeZip(
    new Map([
      [manifestName, Buffer.from(manifest)],
      ...[main, ...dependencies].map((archive) => [entryName(archive), encodeArchive(archive)] as const),
    ]),
  );
}

function encodeModule(expressions: ExpressionEncoder, module: Module): MessageInput<"Module"> {
  const { tables } = expressions;
  return {
    nameInternedDname: tables.dottedName(module.name),
    flags,
    synonyms: [...module.synonyms.values()].map((synonym) => encodeSynonym(tables, synonym)),
    dataTypes: [...module.dataTypes.values()].map((dataType) => encodeDataType(tables, dataType)),
    values: [...module.values.values()].map((value) => encodeValue(expressions, value)),
    templates: [...module.templates.values()].map((template) => encodeTemplate(expressions, template)),
    exceptions: [...module.exceptions.values()].map((exception) => encodeException(expressions, exception)),
    interfaces: [...module.interfaces.values()].map((interface_) => encodeInterface(expressions, interface_)),
  };
}

function encodeSynonym(tables: TableEncoder, synonym: DefTypeSyn): MessageInput<"DefTypeSyn"> {
  return {
    nameInternedDname: tables.dottedName(synonym.name),
    params: synonym.params.map((param) => tables.typeVar(param)),
    type: tables.type(synonym.type),
  };
}

function encodeDataType(tables: TableEncoder, dataType: DefDataType): MessageInput<"DefDataType"> {
  return {
    nameInternedDname: tables.dottedName(dataType.name),
    params: dataType.params.map((param) => tables.typeVar(param)),
    serializable: dataType.serializable,
    ...encodeDataCons(tables, dataType.cons),
  };
}

function encodeDataCons(tables: TableEncoder, cons: DataCons): MessageInput<"DefDataType"> {
  const fields = (list: readonly { readonly name: string; readonly type: DefTypeSyn["type"] }[]) => ({
    fields: list.map((field) => ({ fieldInternedStr: tables.string(field.name), type: tables.type(field.type) })),
  });
  switch (cons.kind) {
    case "record":
      return { record: fields(cons.fields) };
    case "variant":
      return { variant: fields(cons.constructors) };
    case "enum":
      return { enum: { constructorsInternedStr: cons.constructors.map((name) => tables.string(name)) } };
    case "interface":
      return { interface: {} };
    default:
      return unreachable(cons);
  }
}

function encodeValue(expressions: ExpressionEncoder, value: DefValue): MessageInput<"DefValue"> {
  const nameWithType = { nameInternedDname: expressions.tables.dottedName(value.name), type: expressions.tables.type(value.type) };
  return { nameWithType, expr: expressions.expr(value.body) };
}

function encodeException(expressions: ExpressionEncoder, exception: DefException): MessageInput<"DefException"> {
  return { nameInternedDname: expressions.tables.dottedName(exception.name), message: expressions.expr(exception.message) };
}

function encodeTemplate(expressions: ExpressionEncoder, template: DefTemplate): MessageInput<"DefTemplate"> {
  const { tables } = expressions;
  const { key } = template;
  return {
    tyconInternedDname: tables.dottedName(template.name),
    paramInternedStr: tables.string(template.param),
    precond: template.precondition === undefined ? undefined : expressions.expr(template.precondition),
    signatories: expressions.expr(template.signatories),
    choices: [...template.choices.values()].map((choice) => encodeChoice(expressions, choice)),
    observers: expressions.expr(template.observers),
    key:
      key === undefined
        ? undefined
        : { type: tables.type(key.type), keyExpr: expressions.expr(key.key), maintainers: expressions.expr(key.maintainers) },
    implements: template.implements.map((instance) => encodeInstance(expressions, instance)),
  };
}

function encodeInstance(expressions: ExpressionEncoder, instance: InterfaceInstance): MessageInput<"Implements"> {
  const methods = [...instance.methods].map(([name, value]) => ({
    methodInternedName: expressions.tables.string(name),
    value: expressions.expr(value),
  }));
  return { interface: expressions.tables.definitionId(instance.interface), body: { methods, view: expressions.expr(instance.view) } };
}

function encodeChoice(expressions: ExpressionEncoder, choice: TemplateChoice): MessageInput<"TemplateChoice"> {
  const { tables } = expressions;
  return {
    nameInternedStr: tables.string(choice.name),
    consuming: choice.consuming,
    controllers: expressions.expr(choice.controllers),
    observers: expressions.expr(choice.observers),
    argBinder: tables.binder(choice.argBinder),
    retType: tables.type(choice.returnType),
    update: expressions.expr(choice.update),
    selfBinderInternedStr: tables.string(choice.selfBinder),
    authorizers: choice.authorizers === undefined ? undefined : expressions.expr(choice.authorizers),
  };
}

function encodeInterface(expressions: ExpressionEncoder, interface_: DefInterface): MessageInput<"DefInterface"> {
  const { tables } = expressions;
  return {
    tyconInternedDname: tables.dottedName(interface_.name),
    methods: [...interface_.methods].map(([name, type]) => ({ methodInternedName: tables.string(name), type: tables.type(type) })),
    paramInternedStr: tables.string(interface_.param),
    choices: [...interface_.choices.values()].map((choice) => encodeChoice(expressions, choice)),
    view: tables.type(interface_.view),
    requires: interface_.requires.map((id) => tables.definitionId(id)),
  };
}

/** References of a package to itself while its id is not known yet. */
export const selfPackageId: PackageId = "self";
