/**
 * The tables that the rest of a package refers into by number: strings, dotted names, package
 * imports, kinds and types. An entry may refer only to entries before it, so one pass in order decodes each once; equal
 * types are one shared object.
 */
import type { DefinitionId, DottedName, Kind, LfVersion, PackageId, Type } from "../ast.js";
import { illegalInterning, parsing } from "./failure.js";
import { checkName, checkPackageId, isPackageHash, joinDottedName } from "./identifier.js";
import { TypeDecoder } from "./decode-type.js";
import { ReferenceMemo } from "./reference-memo.js";
import { requireFeature, supports } from "./version.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

export interface TablesOptions {
  /** Packages that may be named by string where imports are explicit. */
  isStable(id: PackageId): boolean;
  /** The package passed all checks before: dotted names and types are decoded when they are referred to. */
  readonly isChecked: boolean;
}

/** Room for the entries of a table that are decoded when they are referred to. */
const blank = (entries: readonly unknown[]): undefined[] => new Array<undefined>(entries.length).fill(undefined);

export class Tables {
  readonly #options: TablesOptions;
  readonly #strings: readonly string[];
  readonly #names: (string | undefined)[] = [];
  readonly #dottedNames: (DottedName | undefined)[];
  readonly #waitingDottedNames: readonly Slice<"InternedDottedName">[];
  readonly #imports: readonly PackageId[] | undefined;
  readonly #kinds: Kind[] = [];
  readonly #types: (Type | undefined)[];
  readonly #waitingTypes: readonly Slice<"Type">[];
  readonly #packages = new Set<PackageId>();
  readonly #references = new ReferenceMemo<"TypeConId", DefinitionId>((slice) => this.#newReference(slice));
  readonly typeDecoder: TypeDecoder;

  constructor(
    readonly self: PackageId,
    readonly version: LfVersion,
    message: Message<"Package">,
    options: TablesOptions,
  ) {
    this.#options = options;
    this.#strings = message.internedStrings;
    this.#waitingDottedNames = message.internedDottedNames;
    this.#dottedNames = blank(message.internedDottedNames);
    if (!options.isChecked) for (const index of message.internedDottedNames.keys()) this.dottedName(index);
    this.#imports = this.#readImports(message);
    this.typeDecoder = new TypeDecoder(this);
    if (message.internedKinds.length > 0) requireFeature(version, "Flat Archive");
    for (const slice of message.internedKinds) this.#kinds.push(this.#kindEntry(slice));
    this.#waitingTypes = options.isChecked ? message.internedTypes : [];
    this.#types = blank(this.#waitingTypes);
    if (!options.isChecked) for (const slice of message.internedTypes) this.#types.push(this.#typeEntry(slice));
  }

  /** Packages referred to by what was decoded so far. */
  get packages(): ReadonlySet<PackageId> {
    return this.#packages;
  }
  /** Packages whose ids stand among the strings or are declared as imports, referred to or not. */
  get named(): ReadonlySet<PackageId> {
    const named = new Set([...this.#strings.filter(isPackageHash), ...(this.#imports ?? [])]);
    named.delete(this.self);
    return named;
  }
  /** The declared imports; absent before LF 2.2 and where the compiler gives a reason for having none. */
  get imports(): readonly PackageId[] | undefined {
    return this.#imports;
  }

  string(index: number): string {
    const found = this.#strings[index];
    if (found === undefined) throw parsing(`there is no interned string with index ${index}`);
    return found;
  }

  name(index: number): string {
    return (this.#names[index] ??= checkName(this.string(index)));
  }

  dottedName(index: number): DottedName {
    const found = this.#dottedNames[index] ?? this.#waitingDottedName(index);
    if (found === undefined) throw parsing(`there is no interned dotted name with index ${index}`);
    return found;
  }

  kind(index: number): Kind {
    requireFeature(this.version, "Flat Archive");
    const found = this.#kinds[index];
    if (found === undefined) throw parsing(`there is no interned kind with index ${index} before this place`);
    return found;
  }

  type(index: number): Type {
    const found = this.#types[index] ?? this.#waitingType(index);
    if (found === undefined) throw parsing(`there is no interned type with index ${index} before this place`);
    return found;
  }

  #waitingDottedName(index: number): DottedName | undefined {
    const slice = this.#waitingDottedNames[index];
    return (
      slice
      && (this.#dottedNames[index] = joinDottedName(
        readMessage("InternedDottedName", slice).segmentsInternedStr.map((segment) => this.string(segment)),
      ))
    );
  }

  #waitingType(index: number): Type | undefined {
    const slice = this.#waitingTypes[index];
    return slice && (this.#types[index] = this.typeDecoder.concrete(slice));
  }

  definitionId(slice: Slice<"TypeConId" | "TypeSynId" | "ValueId"> | undefined): DefinitionId {
    if (slice === undefined) throw parsing("a reference to a definition is missing");
    return this.#references.get(slice as Slice<"TypeConId">); // the three messages have the same fields
  }

  #newReference(slice: Slice<"TypeConId">): DefinitionId {
    const { module, nameInternedDname } = readMessage("TypeConId", slice);
    const { packageId, name } = this.moduleId(module);
    return { packageId, module: name, name: this.dottedName(nameInternedDname) };
  }

  moduleId(slice: Slice<"ModuleId"> | undefined): { readonly packageId: PackageId; readonly name: DottedName } {
    if (slice === undefined) throw parsing("a reference to a module is missing");
    const { packageId, moduleNameInternedDname } = readMessage("ModuleId", slice);
    const name = this.dottedName(moduleNameInternedDname);
    const id = this.#packageId(packageId);
    if (id !== this.self) this.#packages.add(id);
    return { packageId: id, name };
  }

  #packageId(slice: Slice<"SelfOrImportedPackageId"> | undefined): PackageId {
    const reference = slice === undefined ? undefined : readMessage("SelfOrImportedPackageId", slice);
    switch (reference?.case) {
      case "selfPackageId":
        readMessage("Unit", reference.value);
        return this.self;
      case "importedPackageIdInternedStr":
        return this.#packageByString(reference.value);
      case "packageImportId":
        return this.#importedPackage(reference.value);
      case undefined:
        throw parsing("a reference to a package is missing");
    }
  }

  #packageByString(index: number): PackageId {
    const id = checkPackageId(this.string(index));
    if (supports(this.version, "Explicit package imports") && !this.#options.isStable(id))
      throw parsing(`package ${id} is named by string, which Daml-LF ${this.version} allows for stable packages only`);
    return id;
  }

  #importedPackage(index: number): PackageId {
    if (this.#imports === undefined) throw parsing("a package is named by its import, but the archive declares no imports");
    const id = this.#imports[index];
    if (id === undefined) throw parsing(`there is no imported package with index ${index}`);
    return id;
  }

  #readImports(message: Message<"Package">): readonly PackageId[] | undefined {
    if (message.case === undefined) return undefined;
    requireFeature(this.version, "Explicit package imports");
    if (message.case === "noImportedPackagesReason") return undefined;
    return readMessage("PackageImports", message.value).importedPackages.map(checkPackageId);
  }

  #kindEntry(slice: Slice<"Kind">): Kind {
    if (readMessage("Kind", slice).case === "internedKind") throw illegalInterning("an entry of the kind table is only a reference");
    return this.typeDecoder.kind(slice);
  }

  #typeEntry(slice: Slice<"Type">): Type {
    const message = readMessage("Type", slice);
    if (message.case === "internedType") throw illegalInterning("an entry of the type table is only a reference");
    return this.typeDecoder.entry(this.#types.length, message);
  }
}
