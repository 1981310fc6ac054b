/** What emitted code needs of data types, looked up once per type. */
import { type DefinitionId, showId } from "../ast.js";
import type { PackageInterface } from "../package-interface.js";
import { EnumValue } from "../value/index.js";

interface Shape {
  readonly count: number;
  /** Position of a field, or rank of a constructor. */
  readonly index: ReadonlyMap<string, number>;
  readonly enumValues: ReadonlyMap<string, EnumValue>;
}

export class DataTypes {
  readonly #packages: PackageInterface;
  readonly #shapes = new Map<string, Shape | undefined>();

  constructor(packages: PackageInterface) {
    this.#packages = packages;
  }

  count(id: DefinitionId): number | undefined {
    return this.#shape(id)?.count;
  }
  payloadFieldCount(id: DefinitionId, constructor_: string): number | undefined {
    const cons = this.#packages.dataType(id)?.cons;
    let head = cons?.kind === "variant" ? cons.constructors.find(({ name }) => name === constructor_)?.type : undefined;
    while (head?.kind === "app") head = head.fun;
    const payload = head?.kind === "con" ? this.#packages.dataType(head.id)?.cons : undefined;
    return payload?.kind === "record" ? payload.fields.length : undefined;
  }
  index(id: DefinitionId, name: string): number | undefined {
    return this.#shape(id)?.index.get(name);
  }
  enumValue(id: DefinitionId, constructor_: string): EnumValue | undefined {
    return this.#shape(id)?.enumValues.get(constructor_);
  }

  #shape(id: DefinitionId): Shape | undefined {
    const key = showId(id);
    if (!this.#shapes.has(key)) this.#shapes.set(key, this.#read(id));
    return this.#shapes.get(key);
  }

  #read(id: DefinitionId): Shape | undefined {
    const cons = this.#packages.dataType(id)?.cons;
    if (cons === undefined || cons.kind === "interface") return undefined;
    const names =
      cons.kind === "record"
        ? cons.fields.map((field) => field.name)
        : cons.kind === "variant"
          ? cons.constructors.map((constructor_) => constructor_.name)
          : cons.constructors;
    const index = new Map(names.map((name, position) => [name, position]));
    const enumValues = new Map(cons.kind === "enum" ? names.map((name, rank) => [name, new EnumValue(rank, name)]) : []);
    return { count: names.length, index, enumValues };
  }
}
