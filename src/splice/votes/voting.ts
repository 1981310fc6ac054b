/** Votes as the SV whose party is here requests and casts them. */
import { isFailure, ok, type Result } from "../../base/result.js";
import type { LedgerErrorData, Participant, Party } from "../../ledger/index.js";
import { amountOf } from "../amounts.js";
import { exercise } from "../commands.js";
import { parseDecimal } from "../decimal.js";
import type { Contract } from "../contracts.js";
import { isHosted } from "../hosting.js";
import { templates } from "../names.js";
import type { DsoRules, Network, OfDso } from "../network.js";
import { type Answer, invalid, ledgerRefusal, notFound } from "../refusal.js";
import type { Submitted, Submitter } from "../submitter.js";

export interface VotingContext {
  readonly ledger: Pick<Participant, "getParties">;
  readonly network: Network;
  readonly submitter: Submitter;
}

interface PriceVote extends OfDso {
  readonly sv: Party;
  readonly amuletPrice?: string | null;
}
interface Sv {
  readonly party: Party;
  readonly rules: Contract<DsoRules>;
}

export interface VoteRequestToMake {
  readonly requester: Party;
  /** In the ledger's JSON. */
  readonly action: object;
  readonly url: string;
  readonly description: string;
  /** How long votes may be cast: `{"microseconds":".."}`. */
  readonly expiration: object;
  readonly effectiveAt: string | undefined;
}
export interface VoteToCast {
  readonly requestId: string;
  readonly isAccepted: boolean;
  readonly url: string;
  readonly description: string;
}

interface VoteRequest extends OfDso {
  readonly trackingCid?: string | null;
}

export class Voting {
  readonly #context: VotingContext;
  constructor(context: VotingContext) {
    this.#context = context;
  }

  /** Undefined: the node hosts no SV. */
  async party(): Promise<Party | undefined> {
    return (await this.#sv()).ok?.party;
  }

  async request({ requester, action, url, description, expiration, effectiveAt }: VoteRequestToMake): Answer<undefined> {
    const sv = await this.#sv();
    if (isFailure(sv)) return sv;
    if (requester !== sv.ok.party) return invalid(`Requester ${requester} is not the SV of this node: ${sv.ok.party}`);
    const argument = {
      requester,
      action,
      reason: { url, body: description },
      voteRequestTimeout: expiration,
      targetEffectiveAt: effectiveAt ?? null,
    };
    return this.#exercise(sv.ok, "DsoRules_RequestVote", argument);
  }

  /** A vote on a request that others may have voted on meanwhile goes by the id that it began with. */
  async cast({ requestId, isAccepted, url, description }: VoteToCast): Answer<undefined> {
    const sv = await this.#sv();
    if (isFailure(sv)) return sv;
    const { dso } = sv.ok.rules.payload,
      requests = await this.#context.network.contracts<VoteRequest>(dso, templates.voteRequest);
    const request = requests.find(({ contractId, payload }) => contractId === requestId || payload.trackingCid === requestId);
    if (!request) return notFound(`No VoteRequest found contract: ${requestId}`);
    const vote = { sv: sv.ok.party, accept: isAccepted, reason: { url, body: description }, optCastAt: null };
    return this.#exercise(sv.ok, "DsoRules_CastVote", { requestCid: request.contractId, vote });
  }

  /** What the SV wants the price to be. */
  async votePrice(amuletPrice: string): Answer<undefined> {
    const price = amountOf(amuletPrice, "amulet_price");
    if (isFailure(price)) return price;
    const sv = await this.#sv();
    if (isFailure(sv)) return sv;
    const votes = await this.#context.network.contracts<PriceVote>(sv.ok.rules.payload.dso, templates.amuletPriceVote);
    const own = votes.find(({ payload }) => payload.sv === sv.ok.party);
    if (!own) return notFound(`No AmuletPriceVote found for SV: ${sv.ok.party}`);
    const { amuletPrice: standing } = own.payload;
    if (standing != null && parseDecimal(standing) === price.ok) return ok(undefined); // to vote again would begin a new cooldown
    return this.#exercise(sv.ok, "DsoRules_UpdateAmuletPriceVote", { sv: sv.ok.party, voteCid: own.contractId, amuletPrice });
  }

  /** The first of the network's SVs whose party is hosted here. */
  async #sv(): Answer<Sv> {
    const { network, ledger } = this.#context,
      dso = await network.dso();
    if (isFailure(dso)) return dso;
    const rules = await network.dsoRules(dso.ok);
    if (!rules) return notFound("No active DsoRules contract");
    const party = rules.payload.svs.map(([sv]) => sv).find((sv) => isHosted(ledger, sv));
    return party === undefined ? notFound("No SV of the network is hosted here.") : ok({ party, rules });
  }

  async #exercise({ party, rules }: Sv, choice: string, argument: object): Answer<undefined> {
    const done: Result<Submitted, LedgerErrorData> = await this.#context.submitter.submit({
      actAs: [party],
      readAs: [rules.payload.dso],
      commands: [exercise(templates.dsoRules, rules.contractId, choice, argument)],
    });
    return isFailure(done) ? ledgerRefusal(done.error) : ok(undefined);
  }
}
