/**
 * The participants of one process: all of them know all parties, and who hosts them. What each of them keeps is its own; what
 * concerns several is written for all of them in one commit.
 */
import { assert } from "../../base/assert.js";
import type { CommitMember } from "../commit/index.js";
import type { Synchronizers } from "../model/index.js";
import type { PackageRegistry } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";

export interface NetworkMember {
  /** That of its tables. */
  readonly number: number;
  readonly participantId: string;
  readonly commits: CommitMember;
  /** Those that it is connected to. */
  readonly synchronizers: Synchronizers;
  readonly parties: PartyRegistry;
  readonly packages: PackageRegistry;
}

export class Members<M extends NetworkMember> {
  readonly #neighbours = new Map<M, M[]>();

  /** Everybody knows the newcomer from now on. */
  join(member: M): void {
    for (const others of this.#neighbours.values()) others.push(member);
    this.#neighbours.set(member, [...this.#neighbours.keys()]);
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#neighbours.keys();
  }

  /** All others; it grows with those that join. */
  neighboursOf(member: M): readonly M[] {
    const others = this.#neighbours.get(member);
    assert(others, "it has joined");
    return others;
  }
}
