/** An active contract in the ledger's JSON, cut into the members of its created event. */
import { assert } from "../base/assert.js";
import type { Offset } from "../ledger/index.js";
import { membersOf } from "./values/json-slices.js";

/** The place of a contract's create, which orders contracts by age. */
export interface Place { readonly offset: Offset; readonly nodeId: number }

const before = `"createdEvent":`;

export class ContractText {
  readonly #members: ReadonlyMap<string, string>;

  /** An element of the ledger's list of active contracts. */
  constructor(element: string) {
    const at = element.indexOf(before);
    assert(at >= 0, "an active contract has the event that created it");
    this.#members = membersOf(element.slice(at + before.length));
  }

  /** A JSON text. */
  get(name: string): string {
    const member = this.#members.get(name);
    assert(member !== undefined, `a created event has its ${name}`);
    return member;
  }

  get place(): { readonly offset: Offset; readonly nodeId: number } { return { offset: Number(this.get("offset")), nodeId: Number(this.get("nodeId")) }; }
  get templateId(): string { return this.get("templateId").slice(1, -1); }
}
