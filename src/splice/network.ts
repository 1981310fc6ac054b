/** The Amulet network that is on the ledger: its rules, rounds and rights, as they are now. */
import { ok } from "../base/result.js";
import type { Participant, Party } from "../ledger/index.js";
import { readNow, type Contract, type Contracts, type PassedContract } from "./contracts.js";
import { parseInstant } from "./instants.js";
import { templates, type Name } from "./names.js";
import { type Answer, notFound } from "./refusal.js";

export interface AmuletRules {
  readonly dso: Party;
  readonly isDevNet?: boolean;
  readonly configSchedule: unknown;
}
/** The part of it that is read here. */
export interface AmuletConfig {
  readonly transferConfig: {
    readonly extraFeaturedAppRewardAmount: string;
    readonly maxNumInputs: string;
    readonly createFee: { readonly fee: string };
  };
  readonly packageConfig: object;
  readonly featuredAppActivityMarkerAmount?: string;
}
/** That of the beginning, which votes change in place. */
export const configOf = ({ configSchedule }: AmuletRules): AmuletConfig =>
  (configSchedule as { readonly initialValue: AmuletConfig }).initialValue;
/** Of one transfer. */
export const inputsMaxOf = (rules: AmuletRules): number => Number(configOf(rules).transferConfig.maxNumInputs);
export interface OfDso {
  readonly dso: Party;
}
/** A round in any of its states. */
export interface Numbered extends OfDso {
  readonly round: { readonly number: string };
}
export interface OpenMiningRound extends Numbered {
  readonly amuletPrice: string;
  readonly opensAt: string;
  readonly targetClosesAt: string;
  readonly tickDuration: { readonly microseconds: string };
}
/** With what each of its coupons is worth, for each unit of its amount or weight. */
export interface IssuingMiningRound extends Numbered {
  readonly opensAt: string;
  readonly targetClosesAt: string;
  readonly issuancePerValidatorRewardCoupon: string;
  readonly issuancePerFeaturedAppRewardCoupon: string;
  readonly issuancePerUnfeaturedAppRewardCoupon: string;
  readonly issuancePerSvRewardCoupon: string;
  readonly optIssuancePerValidatorFaucetCoupon?: string | null;
}
export interface SvInfo {
  readonly name: string;
  readonly svRewardWeight: string;
}
export interface DsoRules extends OfDso {
  readonly svs: readonly (readonly [Party, SvInfo])[];
  readonly initialRound?: string;
  readonly config: {
    readonly numUnclaimedRewardsThreshold: string;
    readonly numMemberTrafficContractsThreshold: string;
    readonly decentralizedSynchronizer: { readonly activeSynchronizerId: string };
    readonly nextScheduledSynchronizerUpgrade?: { readonly time: string; readonly migrationId: string } | null;
  };
}
export interface FeaturedAppRight extends OfDso {
  readonly provider: Party;
}
export interface TransferPreapproval extends OfDso {
  readonly receiver: Party;
  readonly provider: Party;
  readonly validFrom: string;
  readonly expiresAt: string;
}

export interface OfDsoQuery<P> {
  /** Left out: the DSO, which signs most of what is its network's. */
  readonly stakeholder?: Party | undefined;
  /** Left out: all of them. */
  where?(contract: Contract<P>): boolean;
  /** The first so many; left out: all. */
  readonly max?: number;
  /** Left out: they have. */
  readonly withBlobs?: boolean;
}

const noRound = "No open usable OpenMiningRound found.";

/** With whose network the node keeps alive, once it made one or found one to be its own. */
export const hostedDsoNote = "splice-dso";

type NetworkLedger = Pick<Participant, "nowMicros" | "readNote">;

export class Network {
  readonly #contracts: Contracts;
  readonly #ledger: NetworkLedger;
  #hostedDso: Party | undefined;

  constructor(contracts: Contracts, ledger: NetworkLedger) {
    this.#contracts = contracts;
    this.#ledger = ledger;
  }

  /**
   * Those of the network that this node keeps alive: any party may make rules of which it is the DSO, and they are nobody else's. Where it
   * keeps none, the newest that somebody made.
   */
  async amuletRules(): Answer<Contract<AmuletRules>> {
    const dso = this.#hosted(),
      rules = dso === undefined ? await this.#contracts.all<AmuletRules>(templates.amuletRules) : await this.amuletRulesOf(dso);
    const newest = rules.at(-1);
    return newest ? ok(newest) : notFound("No active AmuletRules contract");
  }

  amuletRulesOf(dso: Party): Promise<readonly Contract<AmuletRules>[]> {
    return this.contracts(dso, templates.amuletRules);
  }

  async dso(): Answer<Party> {
    const hosted = this.#hosted();
    if (hosted !== undefined) return ok(hosted);
    const rules = await this.amuletRules();
    return rules.error === undefined ? ok(rules.ok.payload.dso) : rules;
  }

  /** Undefined: nobody governs it. */
  async dsoRules(dso: Party): Promise<Contract<DsoRules> | undefined> {
    return (await this.contracts<DsoRules>(dso, templates.dsoRules)).at(-1);
  }

  async externalPartyAmuletRules(dso: Party): Answer<Contract> {
    const rules = (await this.contracts(dso, templates.externalPartyAmuletRules)).at(-1);
    return rules ? ok(rules) : notFound("No active ExternalPartyAmuletRules contract");
  }

  /** By number. */
  async openRounds(dso: Party): Promise<readonly Contract<OpenMiningRound>[]> {
    return byNumber(await this.contracts<OpenMiningRound>(dso, templates.openMiningRound));
  }

  async issuingRounds(dso: Party): Promise<readonly Contract<IssuingMiningRound>[]> {
    return byNumber(await this.contracts<IssuingMiningRound>(dso, templates.issuingMiningRound));
  }

  /** Of exactly three rounds in a row the newest that is open. */
  async usableRound(dso: Party): Answer<Contract<OpenMiningRound>> {
    const rounds = await this.openRounds(dso),
      numbers = rounds.map(({ payload }) => BigInt(payload.round.number));
    const isTriple = numbers.length === 3 && numbers[1] === numbers[0]! + 1n && numbers[2] === numbers[1]! + 1n;
    const now = this.#ledger.nowMicros();
    const usable = isTriple ? rounds.findLast(({ payload }) => parseInstant(payload.opensAt)! <= now) : undefined;
    return usable ? ok(usable) : notFound(noRound);
  }

  /** The newer of the pair; undefined where there is no pair. */
  async externalPartyConfigState(dso: Party): Promise<Contract | undefined> {
    const states = await this.contracts(dso, templates.externalPartyConfigState);
    return states.length === 2 ? states[1] : undefined;
  }

  featuredAppRights(dso: Party, provider?: Party): Promise<readonly Contract<FeaturedAppRight>[]> {
    return this.contracts<FeaturedAppRight>(dso, templates.featuredAppRight, {
      stakeholder: provider,
      where: ({ payload }) => provider === undefined || payload.provider === provider,
    });
  }

  /** The one that began last, be it expired; `provider`: of those that he pays for. */
  async transferPreapproval(dso: Party, receiver: Party, provider?: Party): Promise<Contract<TransferPreapproval> | undefined> {
    const preapprovals = await this.contracts<TransferPreapproval>(dso, templates.transferPreapproval, {
      stakeholder: receiver,
      where: ({ payload }) => payload.receiver === receiver && (provider === undefined || payload.provider === provider),
    });
    return [...preapprovals].sort((a, b) => Number(parseInstant(a.payload.validFrom)! - parseInstant(b.payload.validFrom)!)).at(-1);
  }

  #hosted(): Party | undefined {
    return (this.#hostedDso ??= this.#ledger.readNote(hostedDsoNote));
  }

  /** Those of a network, oldest first: any party may make such contracts for a DSO of its own. */
  async contracts<P extends OfDso>(
    dso: Party,
    template: Name,
    { stakeholder = dso, where, max = Infinity, withBlobs = true }: OfDsoQuery<P> = {},
  ): Promise<readonly Contract<P>[]> {
    const query = { templates: [template], stakeholders: [stakeholder], limit: max, withBlobs },
      isWanted = (contract: Contract<P>): boolean => contract.payload.dso === dso && where?.(contract) !== false;
    return readNow(await this.#contracts.page<P>(query, isWanted));
  }

  /** Goes through those of a network, oldest first, and keeps nothing of them: for templates of which there may be many. */
  each<P extends OfDso>(dso: Party, template: Name, visit: (contract: PassedContract<P>) => void, stakeholder: Party = dso): Promise<void> {
    const own = (contract: PassedContract<P>): void => {
      if (contract.payload.dso === dso) visit(contract);
    };
    return this.#contracts.each<P>(template, own, stakeholder);
  }
}

export const byNumber = <P extends Numbered>(rounds: readonly Contract<P>[]): readonly Contract<P>[] =>
  [...rounds].sort((a, b) => Number(BigInt(a.payload.round.number) - BigInt(b.payload.round.number)));
