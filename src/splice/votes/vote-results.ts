/**
 * Results of votes: what every exercise of DsoRules_CloseVoteRequest gave, with filters and a cursor. They are read off the
 * ledger once, from where the last reader was, and kept: votes are rare.
 */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok } from "../../base/result.js";
import type { EventFormatRequest, Offset, Participant, Party } from "../../ledger/index.js";
import { transactionPages } from "../history/reading.js";
import { choicePosition, type Exercised, type Transaction } from "../history/transaction.js";
import { entityOf, reference, templates } from "../names.js";
import type { Network } from "../network.js";
import { pageSizeProblem } from "../page-size.js";
import { type Answer, identifierProblem, refuse } from "../refusal.js";
import { rowOf } from "../rows.js";
import { contractForm } from "../values/forms.js";
import type { ValueTypes } from "../values/value-types.js";
import { contains } from "./like.js";

export interface VoteFilter {
  readonly actionName?: string | null;
  readonly accepted?: boolean | null;
  readonly requester?: string | null;
  readonly effectiveFrom?: string | null | undefined;
  readonly effectiveTo?: string | null | undefined;
}
export interface VoteQuery extends VoteFilter {
  readonly limit: number;
  readonly pageToken: number | undefined;
}
/** Undefined: the page is empty. */
export interface VotePage {
  readonly results: readonly object[];
  readonly nextPageToken: number | undefined;
}

interface Tagged {
  readonly tag: string;
  readonly value: unknown;
}
interface VoteResult {
  readonly request: { readonly dso: Party; readonly requester: string; readonly action: Tagged };
  readonly completedAt: string;
  readonly outcome: Tagged;
}

interface Entry {
  /** Rises with the ledger. */
  readonly number: number;
  /** Whose rules were voted on. */
  readonly dso: Party;
  readonly actionName: string;
  readonly accepted: boolean;
  readonly requester: string;
  readonly effectiveAt: string | undefined;
  /** By which entries are ordered. */
  readonly when: string;
  readonly result: object;
}

/** A vote on how much of the rewards an SV gets. */
interface RewardWeightVote {
  readonly request: {
    readonly action: {
      readonly value: { readonly dsoAction: { readonly value: { readonly svParty: Party; readonly newRewardWeight: string } } };
    };
  };
}
const rewardWeightAction = "SRARC_UpdateSvRewardWeight";

const closing = "DsoRules_CloseVoteRequest";
/** Which vote an action is about stands in the field that names the rules. */
const innerActions: Readonly<Record<string, string>> = {
  ARC_DsoRules: "dsoAction",
  ARC_AmuletRules: "amuletRulesAction",
  ARC_AnsEntryContext: "ansEntryContextAction",
};

type Ledger = Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets" | "listPackages" | "packageSummary">;
export interface VotesContext {
  readonly ledger: Ledger;
  readonly types: ValueTypes;
  readonly network: Network;
}

export class VoteResults {
  readonly #context: VotesContext;
  readonly #reading = new Exclusive();
  /** The newest first. */
  #entries: readonly Entry[] = [];
  #readTo: Offset = 0;

  constructor(context: VotesContext) {
    this.#context = context;
  }

  async page(query: VoteQuery): Answer<VotePage> {
    const problem = pageSizeProblem(query.limit);
    if (problem) return problem;
    const matching = await this.#matching(query);
    if (isFailure(matching)) return matching;
    const page = behind(matching.ok, this.#entries, query.pageToken).slice(0, query.limit);
    return ok({ results: page.map(({ result }) => result), nextPageToken: page.at(-1)?.number });
  }

  async count(filter: VoteFilter): Answer<number> {
    const matching = await this.#matching(filter);
    return isFailure(matching) ? matching : ok(matching.ok.length);
  }

  /** What the vote that took effect last made of an SV's weight, of those before a time, as texts compare; undefined: there was none. */
  async rewardWeight(svParty: Party, effectiveBefore: string | undefined): Answer<string | undefined> {
    const malformed = identifierProblem(svParty);
    if (malformed) return malformed;
    const accepted = await this.#matching({ accepted: true, actionName: rewardWeightAction, effectiveTo: effectiveBefore });
    if (isFailure(accepted)) return accepted;
    const changes = accepted.ok
      .filter(({ actionName }) => actionName === rewardWeightAction) // a filter's _ is any character
      .map(({ result }) => (result as RewardWeightVote).request.action.value.dsoAction.value);
    return ok(changes.find((change) => change.svParty === svParty)?.newRewardWeight);
  }

  async #matching(filter: VoteFilter): Answer<readonly Entry[]> {
    const caughtUp = await this.#reading.run(() => this.#catchUp());
    if (isFailure(caughtUp)) return caughtUp;
    const { ok: dso } = await this.#context.network.dso();
    return ok(this.#entries.filter((entry) => entry.dso === dso && isWanted(entry, filter)));
  }

  async #catchUp(): Answer<void> {
    const { ledger, types } = this.#context,
      end = ledger.ledgerEnd();
    if (!isKnown(ledger)) return ok(undefined);
    if (this.#readTo >= end) return ok(undefined);
    const closed: { readonly offset: Offset; readonly exercised: Exercised }[] = [];
    for await (const page of transactionPages(ledger, { format: ofDsoRules, after: this.#readTo, to: end })) {
      if (isFailure(page)) return refuse("internal", page.error.cause);
      for (const { offset, events } of page.ok) closed.push(...closedIn(events).map((exercised) => ({ offset, exercised })));
    }
    const added = await types.whileKnown(
      closed.map(({ exercised }) => choicePosition(exercised, "exerciseResult")),
      () => closed.map(({ offset, exercised }) => entryOf(offset, exercised, types)),
    );
    this.#entries = [...this.#entries, ...added].sort(newestFirst);
    this.#readTo = end;
    return ok(undefined);
  }
}

const ofDsoRules: EventFormatRequest = {
  filtersByParty: {},
  verbose: false,
  filtersForAnyParty: { cumulative: [{ kind: "template", templateId: reference(templates.dsoRules), includeCreatedEventBlob: false }] },
};

/** A filter may only name what some package has. */
const isKnown = (ledger: Ledger): boolean =>
  ledger.listPackages().some((id) => {
    const { name, templates: entities } = ledger.packageSummary(id)!;
    return name === templates.dsoRules.packageName && entities.includes(templates.dsoRules.entity);
  });

/** Votes that a closed one's own children might close are no results of their own. */
function closedIn(events: Transaction["events"]): readonly Exercised[] {
  const closed: Exercised[] = [];
  for (const { ExercisedEvent: exercised } of events) {
    if (exercised?.choice !== closing || entityOf(exercised.templateId) !== templates.dsoRules.entity) continue;
    const before = closed.at(-1);
    if (!before || exercised.nodeId > before.lastDescendantNodeId) closed.push(exercised);
  }
  return closed;
}

function entryOf(offset: Offset, exercised: Exercised, types: ValueTypes): Entry {
  const result = types.inForm(choicePosition(exercised, "exerciseResult"), exercised.exerciseResult, contractForm) as VoteResult;
  const {
      request: { dso, requester, action },
      outcome,
      completedAt,
    } = result,
    accepted = outcome.tag === "VRO_Accepted";
  const inner = (action.value as Readonly<Record<string, Tagged>>)[innerActions[action.tag] ?? ""];
  const effectiveAt = accepted ? (outcome.value as { readonly effectiveAt: string }).effectiveAt : undefined;
  return {
    number: rowOf({ offset, nodeId: exercised.nodeId }),
    dso,
    actionName: inner?.tag ?? action.tag,
    accepted,
    requester,
    effectiveAt,
    when: effectiveAt ?? completedAt,
    result,
  };
}

/** Times are compared as the texts that they are. */
const newestFirst = (a: Entry, b: Entry): number => (a.when === b.when ? b.number - a.number : a.when < b.when ? 1 : -1);

function isWanted(entry: Entry, { actionName, accepted, requester, effectiveFrom, effectiveTo }: VoteFilter): boolean {
  if (actionName != null && !contains(entry.actionName, actionName)) return false;
  if (accepted != null && entry.accepted !== accepted) return false;
  if (requester != null && !contains(entry.requester, requester)) return false;
  return isEffective(entry.effectiveAt, effectiveFrom ?? undefined, effectiveTo ?? undefined);
}

/** Both bounds belong to the span; one alone does not. */
function isEffective(at: string | undefined, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  if (at === undefined) return false;
  if (from !== undefined && to !== undefined) return from <= at && at <= to;
  return from !== undefined ? at > from : at < to!;
}

/** A token that is no entry's has nothing behind it. */
function behind(matching: readonly Entry[], all: readonly Entry[], token: number | undefined): readonly Entry[] {
  if (token === undefined) return matching;
  const last = all.find(({ number }) => number === token);
  return last ? matching.filter((entry) => newestFirst(last, entry) < 0) : [];
}
