/**
 * The text of one compiled function and what it refers to.
 *
 * Generated code consists of our own words, table indices (`k0`, `v3`) and literals quoted by `JSON.stringify`: no name of
 * a package ever becomes an identifier. What it needs from outside comes in through two tables: the runtime's
 * functions by name, and constants by index (definitions, types, ids).
 */
import { fatal } from "../errors.js";
import type { Runtime } from "./runtime.js";

export class CodeUnit {
  readonly #helpers = new Set<string>();
  readonly #constants: unknown[] = [];
  readonly #constantNames = new Map<unknown, string>();
  readonly #sites: string[] = [];
  #names = 0;
  #nodes = 0;

  constructor(readonly nodesMax: number) {}

  get nodes(): number {
    return this.#nodes;
  }

  /** A function or class of the runtime, by its name. */
  helper(name: keyof Runtime): string {
    this.#helpers.add(name);
    return name;
  }

  constant(value: unknown): string {
    const known = this.#constantNames.get(value);
    if (known !== undefined) return known;
    const name = `k${this.#constants.length}`;
    this.#constants.push(value);
    this.#constantNames.set(value, name);
    return name;
  }

  /** A function of one place in the code: what V8 learns in it, it learns of that place. */
  site(functionText: string): string {
    return `s${this.#sites.push(functionText) - 1}`;
  }

  get siteCount(): number {
    return this.#sites.length;
  }

  fresh(): string {
    return `v${this.#names++}`;
  }

  /** Every expression node is counted when it is emitted: a shared node as often as it is reached. */
  count(): void {
    if (++this.#nodes > this.nodesMax)
      throw fatal("LimitExceeded", "A definition unfolds to more expressions than definitionNodesMax.", { limit: "definitionNodesMax" });
  }

  text(functionText: string): string {
    const helpers = `const {${[...this.#helpers].join(", ")}} = R;`;
    const constants = this.#constants.map((_, index) => `const k${index} = K[${index}];`).join(" ");
    const sites = this.#sites.map((site, index) => `const s${index} = ${site};\n`).join("");
    return `"use strict";\n${helpers}\n${constants}\n${sites}const self = ${functionText};\nreturn self;`;
  }

  evaluate(functionText: string, runtime: Runtime): unknown {
    return new Function("R", "K", this.text(functionText))(runtime, this.#constants);
  }
}
