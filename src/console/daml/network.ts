/**
 * What Scan and registries answer, as far as it is shown. `test/console/token-standard.test.ts` holds these to the declarations of the
 * servers, which cannot be named here: they lead to all of a node.
 */
import type { Json } from "./token-standard.js";

export interface Described {
  readonly template_id: string;
  readonly contract_id: string;
  readonly payload: object;
  readonly created_event_blob: string;
}
interface MaybeContract {
  readonly contract?: Described;
  readonly domain_id?: string;
}
export interface DsoAnswer {
  readonly dso_party_id: string;
}
export interface NamesAnswer {
  readonly network_name: string;
  readonly amulet_name: string;
}
export interface RulesAnswer {
  readonly amulet_rules_update: MaybeContract;
}
export interface RoundsAnswer {
  readonly open_mining_rounds: Readonly<Record<string, MaybeContract>>;
  readonly issuing_mining_rounds: Readonly<Record<string, MaybeContract>>;
}
export interface ClosedRoundsAnswer {
  readonly rounds: readonly Described[];
}
export interface VoteRequestsAnswer {
  readonly dso_rules_vote_requests: readonly Described[];
}
export interface VoteResultsAnswer {
  readonly dso_rules_vote_results: readonly object[];
}
export interface ChoiceContextAnswer {
  readonly choiceContextData: object;
  readonly disclosedContracts: readonly {
    readonly templateId: string;
    readonly contractId: string;
    readonly createdEventBlob: string;
    readonly synchronizerId: string;
  }[];
}
export interface FactoryAnswer {
  readonly factoryId: string;
  readonly choiceContext: ChoiceContextAnswer;
}

export interface Round {
  readonly number: string;
  readonly state: "open" | "opens" | "issuing" | "closed";
  readonly contractId: string;
  readonly opensAt: string;
  readonly closesAt: string;
  readonly price: string;
}

const json = (value: object): Json => value as Json;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The last first. */
export function roundsOf(
  { open_mining_rounds: open, issuing_mining_rounds: issuing }: RoundsAnswer,
  closed: ClosedRoundsAnswer,
  now: number,
): readonly Round[] {
  const contracts = (of: RoundsAnswer["open_mining_rounds"]): readonly Described[] =>
    Object.values(of).flatMap(({ contract }) => (contract ? [contract] : []));
  const roundOf = ({ contract_id: contractId, payload }: Described, state: Round["state"]): Round => {
    const { round, opensAt, targetClosesAt, amuletPrice } = json(payload);
    return {
      number: text(round?.["number"]),
      state,
      contractId,
      opensAt: text(opensAt),
      closesAt: text(targetClosesAt),
      price: text(amuletPrice),
    };
  };
  const all = [
    ...contracts(open).map((one) => roundOf(one, Date.parse(text(json(one.payload)["opensAt"])) > now ? "opens" : "open")),
    ...contracts(issuing).map((one) => roundOf(one, "issuing")),
    ...closed.rounds.map((one) => roundOf(one, "closed")),
  ];
  return all.sort((left, right) => Number(right.number) - Number(left.number));
}

export interface Vote {
  readonly name: string;
  readonly isAccepted: boolean;
  readonly reason: string;
}
export interface VoteRequest {
  readonly contractId: string;
  readonly requester: string;
  readonly action: string;
  readonly details: Json | undefined;
  readonly reason: string;
  readonly before: string;
  readonly votes: readonly Vote[];
}
export interface VoteResult {
  readonly request: VoteRequest;
  readonly outcome: string;
  readonly completedAt: string;
}

/** Actions are variants in variants: the constructors tell what is wanted. */
function actionOf(action: Json | undefined): { readonly names: readonly string[]; readonly details: Json | undefined } {
  const names: string[] = [];
  let at = action;
  while (typeof at?.["tag"] === "string" && names.length < 5) {
    names.push(at["tag"]);
    const value: Json | undefined = at["value"];
    at = Object.values(value ?? {}).find((inner: Json) => typeof inner?.["tag"] === "string") ?? value;
  }
  return { names, details: at };
}

export function voteRequestOf(contractId: string, payload: Json): VoteRequest {
  const { names, details } = actionOf(payload["action"]);
  const votes = (Array.isArray(payload["votes"]) ? (payload["votes"] as Json[]) : []).map((entry): Vote => ({
    name: text(entry[0]),
    isAccepted: Boolean(entry[1]?.["accept"]),
    reason: text(entry[1]?.["reason"]?.["body"]),
  }));
  return {
    contractId,
    requester: text(payload["requester"]),
    action: names.join(" › "),
    details,
    reason: text(payload["reason"]?.["body"]),
    before: text(payload["voteBefore"]),
    votes,
  };
}

export const voteRequestsOf = ({ dso_rules_vote_requests: requests }: VoteRequestsAnswer): readonly VoteRequest[] =>
  requests.map(({ contract_id, payload }) => voteRequestOf(contract_id, json(payload)));

export function voteResultsOf({ dso_rules_vote_results: results }: VoteResultsAnswer): readonly VoteResult[] {
  return results.map((one) => {
    const { request, outcome, completedAt } = json(one);
    return { request: voteRequestOf("", request ?? json({})), outcome: text(outcome?.["tag"]), completedAt: text(completedAt) };
  });
}
