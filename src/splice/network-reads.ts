/** The network's contracts as explorers and wallets ask for them. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { shortIdentifier, uniqueIdentifierProblem, type Participant, type Party } from "../ledger/index.js";
import type { Contract, Contracts } from "./contracts.js";
import { describeContracts, withState, type ContractWithState, type DescribedContract } from "./described-contract.js";
import { isHosted } from "./hosting.js";
import { parseInstant } from "./instants.js";
import { templates, type Name } from "./names.js";
import {
  byNumber,
  type DsoRules,
  type IssuingMiningRound,
  type Network,
  type Numbered,
  type OfDso,
  type OpenMiningRound,
} from "./network.js";
import {
  bySynchronizer,
  scansOf,
  sequencersOf,
  type OfSynchronizer,
  type PublishedScan,
  type PublishedSequencer,
  type SvNodeState,
} from "./node-states.js";
import { type Answer, type Refusal, identifierProblem, invalid, notFound, refuse } from "./refusal.js";
import type { ValueTypes } from "./values/value-types.js";
import { votesNeeded } from "./votes/threshold.js";
import type { WalletUsers } from "./wallet-users.js";

export interface DsoInfo {
  readonly sv_user: string;
  readonly sv_party_id: Party;
  readonly dso_party_id: Party;
  readonly voting_threshold: number;
  readonly latest_mining_round: ContractWithState;
  readonly amulet_rules: ContractWithState;
  readonly dso_rules: ContractWithState;
  readonly sv_node_states: readonly ContractWithState[];
  readonly initial_round: string;
}

export interface MiningRounds {
  readonly open: readonly ContractWithState[];
  readonly issuing: readonly ContractWithState[];
  /** How long they may be kept: the shortest tick. */
  readonly timeToLiveMicros: number;
}

interface VoteRequest extends OfDso {
  readonly trackingCid?: string | null;
}
interface MemberTraffic extends OfDso {
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly totalPurchased: string;
}

export interface HostedParty {
  readonly party: Party;
  readonly synchronizer?: string;
  readonly called?: "synchronizer" | "domain";
}

export interface NetworkReadsContext {
  readonly ledger: Pick<
    Participant,
    "synchronizerId" | "synchronizerOf" | "synchronizers" | "participantId" | "hostsOf" | "nowMicros" | "getParties"
  >;
  readonly contracts: Contracts;
  readonly network: Network;
  readonly types: ValueTypes;
  readonly users: Pick<WalletUsers, "workingFor">;
}

const unexpected = refuse("internal", "An unexpected error occurred.");

export class NetworkReads {
  readonly #context: NetworkReadsContext;
  constructor(context: NetworkReadsContext) {
    this.#context = context;
  }

  get synchronizerId(): string {
    return this.#context.ledger.synchronizerId;
  }

  dsoParty(): Answer<Party> {
    return this.#context.network.dso();
  }

  /** Without rules there is no network, which nothing here expects. */
  async amuletRules(): Answer<ContractWithState> {
    const rules = await this.#context.network.amuletRules();
    return isFailure(rules) ? unexpected : ok(await this.#withState(rules.ok));
  }

  async externalPartyAmuletRules(): Answer<ContractWithState> {
    const { network } = this.#context,
      dso = await network.dso();
    if (isFailure(dso)) return dso;
    const rules = await network.externalPartyAmuletRules(dso.ok);
    return isFailure(rules) ? rules : ok(await this.#withState(rules.ok));
  }

  async ansRules(): Answer<ContractWithState> {
    const newest = (await this.#ofDso(templates.ansRules)).at(-1);
    return newest ? ok(await this.#withState(newest)) : unexpected;
  }

  async dso(): Answer<DsoInfo> {
    const { network } = this.#context,
      amuletRules = await network.amuletRules();
    if (isFailure(amuletRules)) return amuletRules;
    const { dso } = amuletRules.ok.payload,
      rules = (await this.#ofDso<DsoRules>(templates.dsoRules)).at(-1);
    if (!rules) return notFound("No active DsoRules contract");
    const [round] = (await network.openRounds(dso)).slice(-1);
    if (!round) return notFound("No OpenMiningRound contract");
    const { svs } = rules.payload,
      here = svs.find(([party]) => isHosted(this.#context.ledger, party)) ?? svs[0],
      sv = here?.[0] ?? "";
    const [described, nodeStates] = await Promise.all([
      this.#allWithState([round, amuletRules.ok, rules]),
      this.#allWithState(await this.#nodeStates(rules)),
    ]);
    return ok({
      sv_user: this.#context.users.workingFor(sv) ?? here?.[1].name ?? "",
      sv_party_id: sv,
      dso_party_id: dso,
      voting_threshold: votesNeeded(svs.length),
      latest_mining_round: described[0]!,
      amulet_rules: described[1]!,
      dso_rules: described[2]!,
      sv_node_states: nodeStates,
      initial_round: rules.payload.initialRound ?? "0",
    });
  }

  async miningRounds(): Answer<MiningRounds> {
    const { network } = this.#context,
      dso = await network.dso();
    if (isFailure(dso)) return unexpected;
    const [open, issuing, summarizing] = await Promise.all([
      network.openRounds(dso.ok),
      network.issuingRounds(dso.ok),
      this.#ofDso<OpenMiningRound>(templates.summarizingMiningRound),
    ]);
    if (open.length + issuing.length + summarizing.length === 0) return unexpected;
    const ticks = [...[...open, ...summarizing].map(tickOf), ...issuing.map(halfOpenTime)];
    return ok({
      open: await this.#allWithState(open),
      issuing: await this.#allWithState(issuing),
      timeToLiveMicros: Math.min(...ticks),
    });
  }

  async scans(): Promise<readonly OfSynchronizer<PublishedScan>[]> {
    return bySynchronizer(await this.#publishedNodes(), scansOf, this.synchronizerId);
  }

  async sequencers(): Promise<readonly OfSynchronizer<PublishedSequencer>[]> {
    return bySynchronizer(await this.#publishedNodes(), sequencersOf, this.synchronizerId);
  }

  async #publishedNodes(): Promise<readonly SvNodeState[]> {
    const rules = (await this.#ofDso<DsoRules>(templates.dsoRules)).at(-1);
    return rules === undefined ? [] : (await this.#nodeStates(rules)).map(({ payload }) => payload);
  }

  /** Of who is an SV now: what others left stays on the ledger. */
  async #nodeStates({ payload: { svs } }: Contract<DsoRules>): Promise<readonly Contract<SvNodeState>[]> {
    const states = await this.#ofDso<SvNodeState>(templates.svNodeState);
    return svs.flatMap(([party]) => states.findLast(({ payload }) => payload.sv === party) ?? []);
  }

  async closedRounds(): Answer<readonly DescribedContract[]> {
    return ok(await this.#described(byNumber(await this.#ofDso<Numbered>(templates.closedMiningRound))));
  }

  async featuredApps(provider?: Party): Answer<readonly DescribedContract[]> {
    const malformed = provider === undefined ? undefined : identifierProblem(provider);
    if (malformed) return malformed;
    const { network } = this.#context,
      dso = await network.dso();
    return isFailure(dso) ? dso : ok(await this.#described(await network.featuredAppRights(dso.ok, provider)));
  }

  /** Undefined: the contract is none, or gone. */
  async featuredApp(contractId: string): Answer<DescribedContract | undefined> {
    const right = await this.#context.contracts.findOf(templates.featuredAppRight, contractId);
    return ok(right && (await this.#described([right]))[0]);
  }

  async openRounds(): Answer<readonly DescribedContract[]> {
    const { network } = this.#context,
      dso = await network.dso();
    return isFailure(dso) ? dso : ok(await this.#described(await network.openRounds(dso.ok)));
  }

  async unclaimedDevelopmentFundCoupons(): Answer<readonly ContractWithState[]> {
    return ok(await this.#allWithState(await this.#ofDso(templates.unclaimedDevelopmentFundCoupon)));
  }

  async transferPreapproval(party: Party): Answer<ContractWithState> {
    const malformed = identifierProblem(party);
    if (malformed) return malformed;
    const { network } = this.#context,
      dso = await network.dso();
    const preapproval = isFailure(dso) ? undefined : await network.transferPreapproval(dso.ok, party);
    return preapproval ? ok(await this.#withState(preapproval)) : notFound(`No TransferPreapproval found for party: ${party}`);
  }

  async transferCommandCounter(party: Party): Answer<ContractWithState> {
    const malformed = identifierProblem(party);
    if (malformed) return malformed;
    const counters = await this.#context.contracts.all<{ readonly sender: Party }>(templates.transferCommandCounter, party);
    const counter = counters.find(({ payload }) => payload.sender === party);
    return counter
      ? ok(await this.#withState(counter))
      : notFound(`No TransferCommandCounter found for party: ${party}, use 0 for the nonce`);
  }

  /** What was bought for a member of a synchronizer; nothing is used up here. */
  async purchasedTraffic({ member, synchronizer }: { readonly member: string; readonly synchronizer: string }): Answer<number> {
    const problem = undecodable("member", memberProblem(member)) ?? undecodable("domain", uniqueIdentifierProblem(synchronizer));
    if (problem) return problem;
    const { network } = this.#context,
      dso = await network.dso();
    let total = 0n;
    if (isFailure(dso)) return ok(0);
    await network.each<MemberTraffic>(dso.ok, templates.memberTraffic, ({ payload }) => {
      if (payload.memberId === member && payload.synchronizerId === synchronizer) total += BigInt(payload.totalPurchased);
    });
    return ok(Number(total));
  }

  /** Those that host a party at a synchronizer, by default the network's; `called`: what a synchronizer is called where it is malformed. */
  participantsOf({ party, synchronizer = this.synchronizerId, called = "synchronizer" }: HostedParty): Result<readonly string[], Refusal> {
    const { ledger } = this.#context,
      problem = undecodable(called, uniqueIdentifierProblem(synchronizer)) ?? undecodable("party", uniqueIdentifierProblem(party));
    if (problem) return problem;
    const place = ledger.synchronizers.find(({ id }) => id === synchronizer),
      hosts = place ? ledger.hostsOf(party, place) : [];
    return hosts.length > 0
      ? ok(hosts.map(({ participant }) => `PAR::${participant}`))
      : notFound(`No PartyToParticipant state for ${shortIdentifier(party)} on domain ${shortIdentifier(synchronizer)}`);
  }

  /** The first release of the operation has room for one. */
  participantOf(hosted: HostedParty): Result<string, Refusal> {
    const hosts = this.participantsOf(hosted);
    if (isFailure(hosts)) return hosts;
    const [host, another] = hosts.ok;
    return another === undefined ? ok(host!) : refuse("internal", hostedBySeveral(hosted.party));
  }

  /** How often the network's synchronizer was upgraded. */
  async synchronizerSerial(): Answer<number> {
    return isFailure(await this.#context.network.amuletRules()) ? notFound("No amulet rules") : ok(0);
  }

  /** The next that the DSO agreed on. */
  async migrationSchedule(): Answer<{ readonly time: string; readonly migrationId: number }> {
    const { network } = this.#context,
      dso = await network.dso();
    const rules = isFailure(dso) ? undefined : await network.dsoRules(dso.ok),
      next = rules?.payload.config.nextScheduledSynchronizerUpgrade;
    if (next) return ok({ time: next.time, migrationId: Number(next.migrationId) });
    return fail({ ...notFound("No migration scheduled").error, answer: null });
  }

  async voteRequests(): Answer<readonly DescribedContract[]> {
    return ok(await this.#described(await this.#ofDso(templates.voteRequest)));
  }

  /** By the id that it began with, which stays the same as votes are cast, or by its own. */
  async voteRequest(contractId: string): Answer<DescribedContract> {
    const requests = await this.#ofDso<VoteRequest>(templates.voteRequest),
      request = requests.find((each) => trackedAs(each) === contractId) ?? requests.find((each) => each.contractId === contractId);
    return request ? ok((await this.#described([request]))[0]!) : notFound(`No VoteRequest found contract: ${contractId}`);
  }

  /** Those that a request became as votes were cast go by the id of the first. */
  async voteRequestsByTrackingIds(ids: readonly string[]): Answer<readonly DescribedContract[]> {
    const wanted = new Set(ids),
      requests = await this.#ofDso<VoteRequest>(templates.voteRequest);
    return ok(await this.#described(requests.filter((each) => wanted.has(trackedAs(each)))));
  }

  async amuletPriceVotes(): Answer<readonly DescribedContract[]> {
    return ok(await this.#described(await this.#ofDso(templates.amuletPriceVote)));
  }

  async #ofDso<P extends OfDso = OfDso>(template: Name): Promise<readonly Contract<P>[]> {
    const dso = await this.#context.network.dso();
    return isFailure(dso) ? [] : this.#context.network.contracts<P>(dso.ok, template);
  }

  #described(contracts: readonly Contract[]): Promise<readonly DescribedContract[]> {
    return describeContracts(this.#context.types, contracts);
  }

  async #allWithState(contracts: readonly Contract[]): Promise<readonly ContractWithState[]> {
    return (await this.#described(contracts)).map((contract) => withState(contract, this.#context.ledger));
  }

  async #withState(contract: Contract): Promise<ContractWithState> {
    return (await this.#allWithState([contract]))[0]!;
  }
}

const hostedBySeveral = (party: Party): string =>
  `Party ${shortIdentifier(party)} is hosted on multiple participants, which is not supported in this version of the API. Please use the /v1 version instead.`;

function undecodable(
  what: "member" | HostedParty["called"] | "party",
  problem: string | undefined,
): { readonly error: Refusal } | undefined {
  return problem === undefined ? undefined : invalid(`Could not decode ${what} ID: ${problem}`);
}

const memberPattern = /^(PAR|MED|SEQ)::(.*)$/s;
/** Participants, mediators and sequencers: a code of three letters before their name. */
function memberProblem(text: string): string | undefined {
  const [, , identifier] = memberPattern.exec(text) ?? [];
  return identifier === undefined
    ? `Invalid member \`${text}\`, expecting <three-letter-code>::id::fingerprint.`
    : uniqueIdentifierProblem(identifier);
}

const trackedAs = ({ contractId, payload }: Contract<VoteRequest>): string => payload.trackingCid ?? contractId;
const tickOf = ({ payload }: Contract<OpenMiningRound>): number => Number(payload.tickDuration.microseconds);
const halfOpenTime = ({ payload }: Contract<IssuingMiningRound>): number =>
  Number((parseInstant(payload.targetClosesAt)! - parseInstant(payload.opensAt)!) / 2n);
