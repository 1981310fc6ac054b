/** The numbers of a participant's parties and templates as an engine thread has seen them: none changes, or is given out again. */
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import { decodeParty, isProposed, type Numbers, TemplateNames } from "../records/index.js";
import type { Party } from "../model/index.js";

export class KnownNumbers implements Numbers {
  readonly #parties = new Map<Party, number>();
  readonly #templates = new TemplateNames();
  #tables: Pick<Tables, "parties" | "templates"> | undefined;

  /** What is not known yet is looked up there. */
  at(tables: Pick<Tables, "parties" | "templates">): this {
    this.#tables = tables;
    return this;
  }

  party(party: Party): number | undefined {
    const known = this.#parties.get(party);
    if (known !== undefined) return known;
    if (party === "") return undefined; // LMDB has no key without bytes
    const record = this.#tables?.parties.read(party);
    if (!record) return undefined;
    const found = decodeParty(party, record);
    if (isProposed(found)) return undefined;
    if (this.#parties.size >= limits.partyNumbersKeptMax) this.#parties.clear();
    this.#parties.set(party, found.number);
    return found.number;
  }

  template(packageName: string, templateId: string): number | undefined {
    const known = this.#templates.getById(packageName, templateId);
    if (known !== undefined || this.#tables === undefined) return known;
    this.#templates.readNew(this.#tables);
    return this.#templates.getById(packageName, templateId);
  }
}
