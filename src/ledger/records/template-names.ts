/** Numbers for template names (`package-name:Module:Entity`): all versions of a template share one, as filters are by name. */
import { assert } from "../../base/assert.js";
import { RecordReader, RecordWriter, unseal, type Batch, type Tables } from "../../store/index.js";

const version = 1;

/** The commit in which a new name gets its number. */
interface Interning {
  readonly batch: Batch;
  readonly tables: Tables;
  undoable(undo: () => void): void;
}

export class TemplateNames {
  readonly #byName = new Map<string, number>();
  readonly #byNumber: string[] = [""]; // number 0 = any template
  /** Of templates that events told of: to put a name together costs more than to look it up. */
  readonly #byId = new Map<string, number>();
  #revision = 0;

  static read(tables: Tables): TemplateNames {
    const names = new TemplateNames();
    for (const { key, value } of tables.templates.all()) names.#add(nameIn(value), key);
    return names;
  }

  /** Those that were given out since. */
  readNew({ templates }: Pick<Tables, "templates">): void {
    for (;;) {
      const number = this.#byNumber.length,
        record = templates.read(number);
      if (!record) return;
      this.#add(nameIn(record), number);
    }
  }

  #add(name: string, number: number): void {
    this.#revision++;
    this.#byName.set(name, number);
    this.#byNumber[number] = name;
  }

  get(name: string): number | undefined {
    return this.#byName.get(name);
  }
  /** The same of a template by its id, which tells the package and so its name. */
  getById(packageName: string, templateId: string): number | undefined {
    const known = this.#byId.get(templateId);
    if (known !== undefined) return known;
    const number = this.#byName.get(templateName(packageName, templateId));
    if (number !== undefined) this.#byId.set(templateId, number);
    return number;
  }
  get count(): number {
    return this.#byNumber.length;
  }
  /** Grows with every change of what a number stands for. */
  get revision(): number {
    return this.#revision;
  }
  nameOf(number: number): string {
    const name = this.#byNumber[number];
    assert(name !== undefined, `template number ${number} is known`);
    return name;
  }

  /** The number of a name, given out in the group when it is new. */
  intern(name: string, group: Interning): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const number = this.#byNumber.length;
    group.batch.put(group.tables.templates, number, new RecordWriter().text(name).finish(version));
    this.#add(name, number);
    group.undoable(() => this.#forgetLast(name));
    return number;
  }

  /** The same of a template by its id. */
  internId(packageName: string, templateId: string, group: Interning): number {
    return this.getById(packageName, templateId) ?? this.intern(templateName(packageName, templateId), group);
  }

  #forgetLast(name: string): void {
    this.#byId.clear();
    const last = this.#byNumber.pop();
    assert(last === name, "numbers are taken back in the reverse of their order");
    this.#byName.delete(name);
    this.#revision++;
  }
}

const nameIn = (record: Buffer): string => new RecordReader(unseal(record, version, "templates")).text();

/** `packageId:Module:Entity` and the package's name to the name that filters use. */
export const templateName = (packageName: string, templateId: string): string =>
  `${packageName}${templateId.slice(templateId.indexOf(":"))}`;
