/** Contracts have names in the evaluator and ids in an engine or at a node; those of a transaction are matched in the order in which they were made. */
import type { Action } from "./ledger.js";

/** A name that begins so is of a contract that nobody has. */
export const isUnknown = (name: string): boolean => name.startsWith("u");

export class ContractNames {
  readonly #hexes = new Map<string, string>();
  readonly #names = new Map<string, string>();

  meet(hexes: readonly string[], actions: readonly Action[]): void {
    const names = createdBy(actions);
    hexes.forEach((hex, index) => this.#set(names[index] ?? "none", hex));
  }

  /** Contracts that nobody planned have the names of their places. */
  meetUnplanned(hexes: readonly string[]): void {
    hexes.forEach((hex, index) => this.#set(`#${index}`, hex));
  }

  #set(name: string, hex: string): void {
    this.#hexes.set(name, hex);
    this.#names.set(hex, name);
  }

  nameOf(hex: string): string | undefined {
    return this.#names.get(hex);
  }

  /** Of a contract that nobody has an id that none can have. */
  hexOf(name: string): string {
    if (!this.#hexes.has(name)) this.#set(name, `00${Buffer.from(name).toString("hex").padEnd(64, "0")}ca121220${"ab".repeat(32)}`);
    return this.#hexes.get(name)!;
  }
}

const createdBy = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap((action) => (action.kind === "create" ? [action.contract.id] : "children" in action ? createdBy(action.children) : []));
