/** What a ledger in memory consists of, for those who submit to it and those who ask. */
import type { ContractMode, ScriptPackages } from "../packages.js";
import { ContractStore } from "./contract-store.js";
import { Vetting } from "./vetting.js";

export interface MemoryLedgerOptions {
  readonly packages: ScriptPackages;
  readonly mode: ContractMode;
  /** Of contract ids: equal seeds give equal ids. */
  readonly seed: string;
}

export class World {
  readonly contracts = new ContractStore();
  readonly parties = new Set<string>();
  readonly vetting: Vetting;
  /** Microseconds since 1970. */
  time = 0n;

  constructor(readonly options: MemoryLedgerOptions) {
    this.vetting = new Vetting(options.packages);
  }

  get packages(): ScriptPackages {
    return this.options.packages;
  }
}
