/** From the payload of an archive to a package. */
import type { LfVersion, Module, Package, PackageId } from "../ast.js";
import {
  decodeDataType,
  decodeException,
  decodeInterface,
  decodeSynonym,
  decodeTemplate,
  decodeValue,
  DefinitionDecoder,
  insert,
} from "./decode-definition.js";
import { ExpressionDecoder } from "./decode-expression.js";
import { parsing, unreadable } from "./failure.js";
import { checkPackageId, checkPackageName, checkPackageVersion } from "./identifier.js";
import { Tables } from "./interning.js";
import { isStablePackageId } from "../stable-package-ids.js";
import { refuseMajor1, supports, versionOfMinor } from "./version.js";
import { outermost, readMessage, type Message, type Slice } from "./wire-reader.js";

/** How deep protobuf messages may nest: LF 2.1 nests expressions, later versions refer to a table (reference: archive/package.scala). */
const messageDepthMax = { nested: 1000, flat: 100 };

export interface Payload {
  readonly version: LfVersion;
  readonly package: Uint8Array;
}

export function readPayload(id: PackageId, bytes: Uint8Array): Payload {
  const message = readMessage("ArchivePayload", outermost("ArchivePayload", bytes, messageDepthMax.flat));
  switch (message.case) {
    case "damlLf_1":
      throw refuseMajor1(id, message.minor);
    case undefined:
      throw parsing("Unrecognized or Unsupported LF version");
    case "damlLf_2": {
      const version = versionOfMinor(message.minor);
      if (message.patch !== 0) throw parsing(`Unknown patch version ${message.patch} for LF ${version}`);
      return { version, package: message.value };
    }
  }
}

/** How much of a package is decoded before it is asked for. */
export type Decoding =
  /** Signatures at once, so that a malformed one is refused; expressions on demand. */
  | { readonly kind: "unchecked" }
  /** The package passed all checks before, for instance since it is stored: everything on demand. */
  | { readonly kind: "checked"; readonly directDependencies: ReadonlySet<PackageId> }
  /** It passed them elsewhere, and was found to refer to each package that its strings name. */
  | { readonly kind: "proven" };

class DecodedPackage implements Package {
  readonly name: string;
  readonly version: string;
  readonly modules: ReadonlyMap<string, DecodedModule>;
  readonly #tables: Tables;
  readonly #expressions: ExpressionDecoder;
  readonly #directDependencies: ReadonlySet<PackageId> | undefined;
  #checked = false;

  constructor(
    readonly id: PackageId,
    readonly lfVersion: LfVersion,
    message: Message<"Package">,
    decoding: Decoding,
  ) {
    if (message.metadata === undefined) throw parsing(`Package.metadata is required in Daml-LF ${lfVersion}`);
    const metadata = readMessage("PackageMetadata", message.metadata);
    const isChecked = decoding.kind !== "unchecked";
    this.#tables = new Tables(id, lfVersion, message, { isStable: isStablePackageId, isChecked });
    this.name = checkPackageName(this.#tables.string(metadata.nameInternedStr));
    this.version = checkPackageVersion(this.#tables.string(metadata.versionInternedStr));
    if (metadata.upgradedPackageId !== undefined)
      checkPackageId(this.#tables.string(readMessage("UpgradedPackageId", metadata.upgradedPackageId).upgradedPackageIdInternedStr));
    this.#expressions = new ExpressionDecoder(this.#tables, message.internedExprs);
    this.modules = decodeModules(this.#expressions, isChecked, message.modules);
    this.#directDependencies = knownDependencies(decoding, this.#tables);
  }

  /** References stand in expressions too, so this reads all of them once, unless they are known. */
  get directDependencies(): ReadonlySet<PackageId> {
    if (this.#directDependencies !== undefined) return this.#directDependencies;
    this.checkBodies();
    return this.#tables.packages;
  }

  /** What the package says it imports, referred to or not; undefined where it does not say (LF 2.1). */
  get declaredImports(): readonly PackageId[] | undefined {
    return this.#tables.imports;
  }

  checkBodies(): void {
    if (this.#checked) return;
    for (const module of this.modules.values()) module.checkBodies(false);
    this.#checked = true;
    this.#expressions.release();
  }
}

function knownDependencies(decoding: Decoding, tables: Tables): ReadonlySet<PackageId> | undefined {
  switch (decoding.kind) {
    case "unchecked":
      return undefined;
    case "checked":
      return decoding.directDependencies;
    case "proven":
      return tables.named;
  }
}

function decodeModules(
  expressions: ExpressionDecoder,
  isChecked: boolean,
  slices: readonly Slice<"Module">[],
): ReadonlyMap<string, DecodedModule> {
  const modules = new Map<string, DecodedModule>();
  for (const slice of slices) {
    const module = new DecodedModule(new DefinitionDecoder(expressions, isChecked), readMessage("Module", slice));
    if (!isChecked) module.decode();
    insert(modules, "modules", module.name, module);
  }
  return modules;
}

/** Definitions of one kind are decoded together, when one of them is asked for. */
class DecodedModule implements Module {
  readonly name: string;
  readonly #decoder: DefinitionDecoder;
  readonly #message: Message<"Module">;
  /** Types, synonyms and values share one name space. */
  readonly #defined = new Map<string, true>();
  #synonyms: Module["synonyms"] | undefined;
  #dataTypes: Module["dataTypes"] | undefined;
  #values: Module["values"] | undefined;
  #templates: Module["templates"] | undefined;
  #exceptions: Module["exceptions"] | undefined;
  #interfaces: Module["interfaces"] | undefined;

  constructor(decoder: DefinitionDecoder, message: Message<"Module">) {
    checkFlags(message.flags);
    this.#decoder = decoder;
    this.#message = message;
    this.name = decoder.tables.dottedName(message.nameInternedDname);
  }

  get synonyms() {
    return (this.#synonyms ??= this.#unique(this.#message.synonyms, decodeSynonym));
  }
  get dataTypes() {
    return (this.#dataTypes ??= this.#unique(this.#message.dataTypes, decodeDataType));
  }
  get values() {
    return (this.#values ??= this.#unique(this.#message.values, decodeValue));
  }
  get templates() {
    return (this.#templates ??= byName("templates", this.#decoded(this.#message.templates, decodeTemplate)));
  }
  get exceptions() {
    return (this.#exceptions ??= byName("exceptions", this.#decoded(this.#message.exceptions, decodeException)));
  }
  get interfaces() {
    return (this.#interfaces ??= byName("interfaces", this.#decoded(this.#message.interfaces, decodeInterface)));
  }

  /** Everything, in the order in which the first of several faults is told. */
  decode(): void {
    for (const kind of ["synonyms", "dataTypes", "values", "templates", "exceptions", "interfaces"] as const) void this[kind];
    this.#refuseNamesakes();
  }

  /** Templates, exceptions and interfaces share another name space. */
  #refuseNamesakes(): void {
    const named = new Map<string, true>();
    for (const kind of ["templates", "exceptions", "interfaces"] as const)
      for (const name of this[kind].keys()) insert(named, "templates, exceptions or interfaces", name, true);
  }

  checkBodies(keep: boolean): void {
    for (const check of this.#decoder.checks) check(keep);
    this.#decoder.checks.length = 0;
  }
  releaseBodies(): void {
    for (const holder of this.#decoder.holders) holder.release();
    this.#decoder.holders.length = 0;
  }

  #decoded<S, T>(slices: readonly S[], decode: (decoder: DefinitionDecoder, slice: S) => T): readonly T[] {
    return slices.map((slice) => decode(this.#decoder, slice));
  }

  #unique<S, T extends { readonly name: string }>(
    slices: readonly S[],
    decode: (decoder: DefinitionDecoder, slice: S) => T,
  ): ReadonlyMap<string, T> {
    const definitions = this.#decoded(slices, decode);
    for (const { name } of definitions) insert(this.#defined, "definitions", name, true);
    return new Map(definitions.map((definition) => [definition.name, definition]));
  }
}

function byName<T extends { readonly name: string }>(what: string, definitions: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const definition of definitions) insert(map, what, definition.name, definition);
  return map;
}

/** Other settings than these change who sees what on the ledger; no compiler has written them for years. */
function checkFlags(slice: Slice<"FeatureFlags"> | undefined): void {
  const flags = slice === undefined ? undefined : readMessage("FeatureFlags", slice);
  const modern =
    flags?.forbidPartyLiterals && flags.dontDivulgeContractIdsInCreateArguments && flags.dontDiscloseNonConsumingChoicesToObservers;
  if (modern !== true) throw parsing("a module has deprecated feature flags");
}

/** Throws `ArchiveFailure`. */
export function decodePayload(id: PackageId, payload: Uint8Array, decoding: Decoding): Package {
  const { version, package: bytes } = readPayload(id, payload);
  const depth = supports(version, "Flat Archive") ? messageDepthMax.flat : messageDepthMax.nested;
  return withStackGuard(() => new DecodedPackage(id, version, readMessage("Package", outermost("Package", bytes, depth)), decoding));
}

/** Decodes every expression of a package once, so that a malformed one is refused before the package is stored. */
export function checkBodies(package_: Package): void {
  if (package_ instanceof DecodedPackage) withStackGuard(() => package_.checkBodies());
}

/** The same for one module, to go through its expressions; until they are released. */
export function openBodies(module: Module): void {
  if (module instanceof DecodedModule) module.checkBodies(true);
}
export function releaseBodies(module: Module): void {
  if (module instanceof DecodedModule) module.releaseBodies();
}

export const declaredImports = (package_: Package): readonly PackageId[] | undefined =>
  package_ instanceof DecodedPackage ? package_.declaredImports : undefined;

/** The bounds on nesting fit every stack that we run on; a caller deep in its own stack still gets an answer. */
function withStackGuard<T>(decode: () => T): T {
  try {
    return decode();
  } catch (thrown) {
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message))
      throw unreadable("the package nests deeper than the stack allows");
    throw thrown;
  }
}
