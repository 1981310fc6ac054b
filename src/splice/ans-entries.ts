/** Names of the network, as they are when somebody asks. They may be many: for a page of them they are gone through, and none is kept. */
import { FirstOf } from "../base/first-of.js";
import { isFailure, ok } from "../base/result.js";
import type { Participant, Party } from "../ledger/index.js";
import type { PassedContract } from "./contracts.js";
import { isEarlier, isoTime } from "./instants.js";
import type { KeyedContracts } from "./keyed-contracts.js";
import { templates } from "./names.js";
import type { Network, OfDso } from "./network.js";
import { pageSizeProblem } from "./page-size.js";
import { type Answer, identifierProblem, notFound } from "./refusal.js";

/** Names of the network's operators are in no contract, and never expire: clients compare with the nulls of Splice's servers. */
export interface AnsEntry {
  readonly contract_id: string | null;
  readonly user: Party;
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly expires_at: string | null;
}

export interface AnsEntryContract extends OfDso {
  readonly user: Party;
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly expiresAt: string;
}

export interface AnsEntriesContext {
  readonly ledger: Pick<Participant, "nowMicros">;
  readonly network: Network;
  readonly byName: Pick<KeyedContracts<AnsEntryContract>, "of">;
  /** Of the name service, at the end of every name. */
  readonly nameAcronym: string;
}

export class AnsEntries {
  readonly #context: AnsEntriesContext;
  constructor(context: AnsEntriesContext) {
    this.#context = context;
  }

  /** By name, of one name the oldest first. The operators' names come last, where the page has room. */
  async page(namePrefix: string, pageSize: number): Answer<readonly AnsEntry[]> {
    const problem = pageSizeProblem(pageSize);
    if (problem) return problem;
    const isWanted = ({ name }: { readonly name: string }): boolean => name.startsWith(namePrefix),
      entries = await this.#first(pageSize, isWanted);
    return ok([...entries, ...(await this.#operators()).filter(isWanted)].slice(0, pageSize));
  }

  /** Of several the one whose name comes first. */
  async ofParty(party: Party): Answer<AnsEntry> {
    const malformed = identifierProblem(party);
    if (malformed) return malformed;
    const operator = (await this.#operators()).find(({ user }) => user === party);
    if (operator) return ok(operator);
    const [entry] = await this.#first(1, ({ user }) => user === party, party);
    return entry ? ok(entry) : notFound(`No ans entry found for party: ${party}`);
  }

  async ofName(name: string): Answer<AnsEntry> {
    const operator = (await this.#operators()).find((each) => each.name === name);
    if (operator) return ok(operator);
    const { ledger, network, byName } = this.#context,
      now = isoTime(ledger.nowMicros()),
      { ok: dso } = await network.dso();
    const named = dso === undefined ? [] : await byName.of(dso, [name]),
      entry = named.find(({ payload }) => !isEarlier(payload.expiresAt, now));
    return entry ? ok(entryOf(entry)) : notFound(`No ans entry found for name: ${name}`);
  }

  /** Of those that are wanted and did not expire. */
  async #first(max: number, isWanted: (entry: AnsEntryContract) => boolean, stakeholder?: Party): Promise<readonly AnsEntry[]> {
    const { ledger, network } = this.#context,
      now = isoTime(ledger.nowMicros()),
      dso = await network.dso();
    if (isFailure(dso)) return [];
    const first = new FirstOf<AnsEntry>(max, inOrder);
    const visit = (contract: PassedContract<AnsEntryContract>): void => {
      const { payload } = contract;
      if (!isEarlier(payload.expiresAt, now) && isWanted(payload)) first.add(entryOf(contract));
    };
    await network.each(dso.ok, templates.ansEntry, visit, stakeholder);
    return first.all();
  }

  /** The DSO, then its SVs. */
  async #operators(): Promise<readonly AnsEntry[]> {
    const { network, nameAcronym } = this.#context,
      dso = await network.dso();
    if (isFailure(dso)) return [];
    const svs = (await network.dsoRules(dso.ok))?.payload.svs ?? [];
    return [
      operatorOf(dso.ok, `dso.${nameAcronym}`),
      ...svs.map(([party, { name }]) => operatorOf(party, `${name.toLowerCase()}.sv.${nameAcronym}`)),
    ];
  }
}

const inOrder = (a: AnsEntry, b: AnsEntry): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

const operatorOf = (user: Party, name: string): AnsEntry => ({
  contract_id: null,
  user,
  name,
  url: "",
  description: "",
  expires_at: null,
});
type Named = Pick<PassedContract<AnsEntryContract>, "contractId" | "payload">;
const entryOf = ({ contractId, payload: { user, name, url, description, expiresAt } }: Named): AnsEntry => ({
  contract_id: contractId,
  user,
  name,
  url,
  description,
  expires_at: expiresAt,
});
