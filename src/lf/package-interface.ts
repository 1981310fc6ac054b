/** Look-ups over loaded packages: the one way in which the engine reaches definitions. */
import type {
  DefDataType,
  DefException,
  DefinitionId,
  DefInterface,
  DefTemplate,
  DefTypeSyn,
  DefValue,
  Package,
  PackageId,
} from "./ast.js";

/** Where packages come from: a Map in tests, LMDB in a worker. Must answer the same for as long as an engine lives. */
export interface PackageReader {
  getPackage(id: PackageId): Package | undefined;
}

export class PackageInterface {
  readonly #reader: PackageReader;
  constructor(reader: PackageReader) {
    this.#reader = reader;
  }

  package(id: PackageId): Package | undefined {
    return this.#reader.getPackage(id);
  }

  #module(id: DefinitionId) {
    return this.#reader.getPackage(id.packageId)?.modules.get(id.module);
  }

  dataType(id: DefinitionId): DefDataType | undefined {
    return this.#module(id)?.dataTypes.get(id.name);
  }
  synonym(id: DefinitionId): DefTypeSyn | undefined {
    return this.#module(id)?.synonyms.get(id.name);
  }
  value(id: DefinitionId): DefValue | undefined {
    return this.#module(id)?.values.get(id.name);
  }
  template(id: DefinitionId): DefTemplate | undefined {
    return this.#module(id)?.templates.get(id.name);
  }
  interface(id: DefinitionId): DefInterface | undefined {
    return this.#module(id)?.interfaces.get(id.name);
  }
  exception(id: DefinitionId): DefException | undefined {
    return this.#module(id)?.exceptions.get(id.name);
  }
}
