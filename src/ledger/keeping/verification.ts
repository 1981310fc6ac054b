/** What a check of a ledger at rest has found so far. */
import { limits } from "../../config.js";
import { offsetMax, type Tables } from "../../store/index.js";
import { ContractIndex } from "../records/index.js";

export interface VerifyReport {
  readonly sound: boolean;
  /** One line per finding, at most `verifyFindingsMax`, and a last line with counts and the digest of history. */
  readonly text: string;
}

/** A participant of the ledger. */
export interface Verified {
  readonly name: string;
  readonly tables: Tables;
}

/** Told now and then how far a check is: `done` of `total` offsets. */
export type Progress = (step: string, done: number, total: number) => void;

export type Check = (verification: Verification) => void;

export class Verification {
  readonly #findings: string[] = [];
  readonly #told: string[] = [];
  #found = 0;
  readonly #counts = new Map<string, number>();
  readonly #participants: readonly Verified[];
  #current: Verified;
  #contracts: { readonly tables: Tables; readonly index: ContractIndex } | undefined;

  readonly #progress: Progress | undefined;

  constructor(participants: readonly [Verified, ...Verified[]], progress?: Progress) {
    this.#participants = participants;
    this.#progress = progress;
    this.#current = participants[0];
  }

  /** Of the participant whose turn it is, as the next. */
  get tables(): Tables {
    return this.#current.tables;
  }
  get contracts(): ContractIndex {
    if (this.#contracts?.tables !== this.tables) this.#contracts = { tables: this.tables, index: new ContractIndex(this.tables) };
    return this.#contracts.index;
  }

  run(checks: readonly Check[]): VerifyReport {
    for (this.#current of this.#participants) for (const check of checks) this.attempt("ledger", () => check(this));
    const counts = [...this.#counts].map(([what, count]) => `${count} ${what}`).join(", ");
    const verdict = this.#found === 0 ? `The ledger is sound: ${counts}.` : `The ledger is damaged: ${this.#found} findings; ${counts}.`;
    return { sound: this.#found === 0, text: [...this.#findings, [verdict, ...this.#told].join(" ")].join("\n") };
  }

  /** Says how far it is, where somebody wants to know: for every offset, in rising order. */
  reached(step: string, offset: number): void {
    if (this.#progress === undefined || offset % offsetsPerReport !== 0) return;
    const of = this.#participants.length > 1 ? ` of participant ${this.#current.name}` : "";
    this.#progress(`${step}${of}`, offset, lastOffset(this.tables));
  }

  count(what: string, more = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + more);
  }

  find(text: string): void {
    this.#found++;
    if (this.#findings.length < limits.verifyFindingsMax)
      this.#findings.push(this.#participants.length > 1 ? `participant ${this.#current.name}: ${text}` : text);
  }

  /** What whoever compares ledgers wants to know. */
  tell(text: string): void {
    this.#told.push(this.#participants.length > 1 ? `Participant ${this.#current.name}: ${text}` : text);
  }

  /** A record that does not decode is a finding, not the end of the check. */
  attempt<T>(what: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.find(`${what}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

const offsetsPerReport = 1_024;

function lastOffset(tables: Tables): number {
  const last = { start: offsetMax, end: 0, limit: 1, reverse: true };
  return Math.max(...tables.updates.keys(last), ...tables.completions.keys(last));
}
