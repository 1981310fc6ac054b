/** Which templates implement an interface, by its name: filters of many parties and of many readers name the same. */
import type { PackageRegistry } from "../packages/index.js";
import type { TemplateNames } from "../records/index.js";

/** A template or interface as filters name it. */
export interface NamedId {
  readonly packageName: string;
  readonly module: string;
  readonly name: string;
}

export const qualified = ({ module, name }: NamedId): string => `${module}:${name}`;
export const whole = (id: NamedId): string => `${id.packageName}:${qualified(id)}`;

export class Implementations {
  readonly #packages: PackageRegistry;
  readonly #templates: TemplateNames;
  readonly #byInterface = new Map<string, ReadonlyMap<number, readonly string[]>>();
  #packagesRevision = -1;
  #templatesRevision = -1;

  constructor(packages: PackageRegistry, templates: TemplateNames) {
    this.#packages = packages;
    this.#templates = templates;
  }

  /** Template numbers, with the ids of the interface that each implements. */
  of(id: NamedId): ReadonlyMap<number, readonly string[]> {
    this.#forgetOlder();
    const name = whole(id);
    let found = this.#byInterface.get(name);
    if (found === undefined) this.#byInterface.set(name, (found = this.#find(id)));
    return found;
  }

  /** What names stand for may have changed. */
  #forgetOlder(): void {
    if (this.#packagesRevision === this.#packages.revision && this.#templatesRevision === this.#templates.revision) return;
    this.#packagesRevision = this.#packages.revision;
    this.#templatesRevision = this.#templates.revision;
    this.#byInterface.clear();
  }

  /** Also those of templates that no event has told of yet. */
  hasSome(id: NamedId): boolean {
    return this.#packages.interfaceIds(id.packageName, qualified(id)).some((one) => this.#packages.isImplemented(one));
  }

  #find(id: NamedId): ReadonlyMap<number, readonly string[]> {
    const found = new Map<number, readonly string[]>(),
      ids = this.#packages.interfaceIds(id.packageName, qualified(id));
    for (let template = 1; template < this.#templates.count; template++) {
      const implemented = ids.filter((one) => this.#packages.implementsInterface(this.#templates.nameOf(template), one));
      if (implemented.length > 0) found.set(template, implemented);
    }
    return found;
  }
}
