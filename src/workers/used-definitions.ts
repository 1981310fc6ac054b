/**
 * The definitions that commands came to on this ledger, in the order of their first use, in a file beside it: what a new
 * engine thread compiles before it is asked. Names only, and nothing depends on them: a name that is unknown or was cut
 * short is passed over, and without the file everything is compiled when it is first used.
 */
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../config.js";
import { type CompiledDefinition, type CompiledMode, type DefinitionId, showId } from "../lf/index.js";

export interface UsedDefinition {
  readonly id: DefinitionId;
  readonly mode: CompiledMode;
}

export const usedDefinitionsFile = "used-definitions";
const line = /^(value|run) ([0-9a-f]{64}):([\w$.]+):([\w$.]+)$/;

export class UsedDefinitions {
  readonly #file: string;
  readonly #warn: (problem: string) => void;
  readonly #known: Set<string>;
  #unwritten: string[] = [];

  /** `warn` hears of a file that cannot be read or written: the ledger works as well without it. */
  constructor(folder: string, warn: (problem: string) => void) {
    this.#file = join(folder, usedDefinitionsFile);
    this.#warn = warn;
    this.#known = new Set(this.#attempt(() => this.#read()) ?? []);
  }

  /** As far as the packages are concerned they may not exist. */
  *all(): Generator<UsedDefinition> {
    for (const each of [...this.#known]) {
      const [, mode, packageId, module, name] = line.exec(each) ?? [];
      if (mode !== undefined) yield { id: { packageId: packageId!, module: module!, name: name! }, mode: mode as CompiledMode };
    }
  }

  /** Huge ones are left out: nobody should wait for a thread that prepares itself. */
  add({ definition, mode, nodes }: CompiledDefinition): void {
    const each = `${mode} ${showId(definition)}`;
    if (nodes > limits.usedDefinitionNodesMax || this.#known.has(each) || this.#known.size >= limits.usedDefinitionsMax) return;
    this.#known.add(each);
    this.#unwritten.push(each);
  }

  /** Threads append whole lines, so that they need not know of each other; what two of them add is there twice. */
  write(): void {
    if (this.#unwritten.length === 0) return;
    const lines = this.#unwritten
      .splice(0)
      .map((each) => `${each}\n`)
      .join("");
    this.#attempt(() => appendFileSync(this.#file, `\n${lines}`, { mode: 0o600 })); // behind a line that was cut short
  }

  #attempt<T>(access: () => T): T | undefined {
    try {
      return access();
    } catch (error) {
      this.#warn(`which definitions are used is not known: ${(error as Error).message}`);
      return undefined;
    }
  }

  #read(): readonly string[] {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return [];
    if (size <= limits.usedDefinitionsBytesMax)
      return readFileSync(this.#file, "utf8")
        .split("\n")
        .filter((each) => line.test(each))
        .slice(0, limits.usedDefinitionsMax);
    rmSync(this.#file, { force: true }); // and learnt again
    return [];
  }
}
