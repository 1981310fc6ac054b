/** Numbers for template names (`package-name:Module:Entity`): all versions of a template share one, as filters are by name. */
import { assert } from "../base/assert.js";
import { RecordReader, RecordWriter, unseal, type Batch, type Tables } from "../store/index.js";

const version = 1;

export class TemplateNames {
  readonly #byName = new Map<string, number>();
  readonly #byNumber: string[] = [""]; // number 0 = any template
  #revision = 0;

  static read(tables: Tables): TemplateNames {
    const names = new TemplateNames();
    for (const { key, value } of tables.templates.all()) names.#add(new RecordReader(unseal(value, version, "templates")).text(), key);
    return names;
  }

  #add(name: string, number: number): void {
    this.#revision++;
    this.#byName.set(name, number);
    this.#byNumber[number] = name;
  }

  get(name: string): number | undefined { return this.#byName.get(name); }
  get count(): number { return this.#byNumber.length; }
  /** Grows with every change of what a number stands for. */
  get revision(): number { return this.#revision; }
  nameOf(number: number): string {
    const name = this.#byNumber[number];
    assert(name !== undefined, `template number ${number} is known`);
    return name;
  }

  /** The number of a name, given out in `batch` when it is new. */
  intern(name: string, batch: Batch, tables: Tables): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const number = this.#byNumber.length;
    batch.put(tables.templates, number, new RecordWriter().text(name).finish(version));
    this.#add(name, number);
    return number;
  }

  /** Forgets numbers from `count` on: the batch that gave them out was not written. */
  rollback(count: number): void {
    this.#revision++;
    for (const name of this.#byNumber.splice(count)) this.#byName.delete(name);
  }
}

/** `packageId:Module:Entity` and the package's name to the name that filters use. */
export const templateName = (packageName: string, templateId: string): string => `${packageName}${templateId.slice(templateId.indexOf(":"))}`;
