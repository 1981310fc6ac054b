/** What automation is made of. A trigger says what has fallen due, from what is on the ledger alone; its tasks are submitted for it. */
import type { LedgerErrorData, PackageSummary, Participant, Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { readNow, type Contract, type Contracts } from "../contracts.js";
import { templates, type Name } from "../names.js";
import type { AmuletRules, DsoRules, Network, OfDso } from "../network.js";
import type { Submission, Submitted } from "../submitter.js";

export interface Trigger {
  readonly name: string;
  /** For operators. */
  readonly what: string;
  /** Of one that looks at much: how long it need not look again, in ledger time, unless something falls due that it told of. */
  readonly restSeconds?: number;
  /** It looks at so much that it rests also while somebody waits until nothing is due. */
  readonly restsAnyway?: boolean;
  /** `isWaiting`: of a task's key, whether that failed and is not tried again yet; it need not take the place of another. */
  due(economy: Economy, now: bigint, isWaiting: IsWaiting): Promise<Due>;
}
export type IsWaiting = (key: string) => boolean;

export interface Due {
  readonly tasks: readonly Task[];
  /** When more falls due though nothing happens on the ledger. Microseconds of ledger time. */
  readonly nextAt?: bigint | undefined;
  /** One task that is done a turn: it may change what the others are about. One that is refused changes nothing. */
  readonly isSequential?: boolean;
  /** What keeps it from doing what is due, in words for operators. */
  readonly obstacle?: string | undefined;
}

export interface Task {
  /** Tells it from the trigger's other tasks: what it is about, such as a contract id. */
  readonly key: string;
  /** Of a batch: the keys of all that it is about; they wait together where it fails. */
  readonly keys?: readonly string[];
  /** Ledger time. */
  readonly since: bigint;
  /** Made when its turn comes, from what is on the ledger then; undefined: by now there is nothing left to do. */
  submission(): Submission | undefined | Promise<Submission | undefined>;
  /** Of a choice that goes through and tells in its result what kept it from its work: that, in words for operators. */
  problemOf?(done: Submitted): string | undefined;
  /** What is done in its place where the ledger refuses it so; undefined: nothing, it is tried again. */
  instead?(refusal: LedgerErrorData): Submission | undefined;
  /** Of a batch of several: two smaller ones, which are done in its place where it is refused. */
  halves?(): readonly Task[];
}

/** The network at one moment. */
export interface Economy {
  readonly ledger: Pick<Participant, "getParties" | "external" | "packageSummary" | "listPackages">;
  readonly contracts: Contracts;
  readonly network: Network;
  readonly dso: Party;
  /** An SV for whom this node acts: what any of them may do is done by this one. */
  readonly sv: Party;
  /** All for whom it acts. */
  readonly svs: readonly Party[];
  readonly validators: readonly Party[];
  readonly amuletRules: Contract<AmuletRules>;
  readonly dsoRules: Contract<DsoRules>;
  /** Newest vetted version of a name. */
  newest(packageName: string): PackageSummary | undefined;
  /** Where users find this node's Scan; undefined: the node does not know. */
  readonly scanUrl: string | undefined;
  /** Of this program; undefined: nobody is told. */
  readonly programVersion: string | undefined;
  /** How long proposals of preapprovals wait before they are accepted. */
  readonly acceptanceDelaySeconds: number;
  /** Packages for commands while the rules are of an older generation than what was uploaded since. */
  readonly packagePreference: readonly string[];
}

/** As the SV, who sees what the DSO sees. */
export const bySv = ({ sv, dso, packagePreference }: Economy, ...commands: readonly object[]): Submission => ({
  actAs: [sv],
  readAs: [dso],
  commands,
  packagePreference,
});
/** By a choice of the rules that names the SV who makes it. */
export const byRules = (economy: Economy, choice: string, argument: object): Submission =>
  bySv(economy, exercise(templates.dsoRules, economy.dsoRules.contractId, choice, { ...argument, sv: economy.sv }));
/** What no SV can do for it. */
export const byDso = ({ dso, packagePreference }: Economy, ...commands: readonly object[]): Submission => ({
  actAs: [dso],
  commands,
  packagePreference,
});

/** Contracts of the network, oldest first; `max`: where there may be many. */
export const ofDso = <P extends OfDso>(economy: Economy, template: Name, max = Infinity): Promise<readonly Contract<P>[]> =>
  ofDsoWhere<P>(economy, template, () => true, max);

/** The first `max` of those that are wanted. */
export const ofDsoWhere = <P extends OfDso>(
  { network, dso }: Economy,
  template: Name,
  where: (contract: Contract<P>) => boolean,
  max: number,
): Promise<readonly Contract<P>[]> => network.contracts<P>(dso, template, { where, max, withBlobs: false });

export interface Wanted<P> {
  readonly templates: readonly Name[];
  /** As in other queries: it spares reading those of everybody else. */
  readonly stakeholders?: readonly Party[];
  isWanted(contract: Contract<P>): boolean;
  readonly max: number;
}

/** The first `max` that are wanted, oldest first: what stays and is not wanted hides nothing that comes behind it. */
export async function contractsWhere<P>(
  contracts: Contracts,
  { templates, stakeholders, isWanted, max }: Wanted<P>,
): Promise<readonly Contract<P>[]> {
  if (stakeholders?.length === 0) return [];
  return readNow(await contracts.page<P>({ templates, ...(stakeholders ? { stakeholders } : {}), limit: max }, isWanted));
}

export const nothingDue: Due = { tasks: [] };

/** Of what falls due at times of its own: the tasks whose time has come, and when the next will. */
export function dueAt(now: bigint, timed: readonly { readonly at: bigint; readonly task: () => Omit<Task, "since"> }[]): Due {
  const later = timed.filter(({ at }) => at > now).map(({ at }) => at);
  return {
    tasks: timed.filter(({ at }) => at <= now).map(({ at, task }) => ({ ...task(), since: at })),
    nextAt: later.length === 0 ? undefined : later.reduce((first, at) => (at < first ? at : first)),
  };
}
