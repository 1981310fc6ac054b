/** One of two nodes that are asked the same. Parties and contracts have names that both know, and ids of its own. */
import assert from "node:assert/strict";
import { ContractNames } from "../../lf/ledger-oracle/contract-names.js";
import type { Spelling } from "../../lf/ledger-oracle/world.js";
import type { Named } from "./difference.js";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A GET without a body, or a POST of JSON or of bytes. */
export type Ask = (path: string, body?: unknown) => Promise<Answer>;

/** `url`: of a node that asks for no token. */
export const askAt =
  (url: string): Ask =>
  async (path, body) => {
    const response = await fetch(new URL(path, url), requestOf(body)),
      text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };

function requestOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof Uint8Array)
    return { method: "POST", headers: { "content-type": "application/octet-stream" }, body: new Uint8Array(body) };
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export class NodeBeside {
  readonly #parties: ReadonlyMap<string, string>;
  readonly #contracts = new ContractNames();

  private constructor(
    readonly ask: Ask,
    parties: ReadonlyMap<string, string>,
    readonly isForeign: boolean,
  ) {
    this.#parties = parties;
  }

  /** `hint` keeps its parties apart from those of other runs; `isForeign`: it is not this program. */
  static async begin(ask: Ask, names: readonly string[], hint: string, isForeign: boolean): Promise<NodeBeside> {
    const parties = new Map<string, string>();
    for (const name of names) {
      const { status, body } = await ask("/v2/parties", { partyIdHint: `${name}-${hint}` });
      assert.equal(status, 200, JSON.stringify(body));
      parties.set(name, (body as { partyDetails: { party: string } }).partyDetails.party);
    }
    return new NodeBeside(ask, parties, isForeign);
  }

  /** The same node and parties, with contracts of another ledger. */
  withNoContracts(): NodeBeside {
    return new NodeBeside(this.ask, this.#parties, this.isForeign);
  }

  get contracts(): ContractNames {
    return this.#contracts;
  }
  readonly spelling: Spelling = {
    partyOf: (name) => this.#parties.get(name) ?? name,
    hexOf: (name) => this.#contracts.hexOf(name),
  };

  /** What has a name is told by it; contracts of what was refused have none. */
  readonly named: Named = (text) => {
    let told = text;
    for (const [name, party] of this.#parties) told = told.replaceAll(party, name);
    return told.replace(/\b00[0-9a-f]{64,}\b/g, (hex) => this.#contracts.nameOf(hex) ?? "new");
  };
}
