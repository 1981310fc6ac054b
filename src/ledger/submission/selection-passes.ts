/**
 * How packages are chosen where several participants may see what comes of a command, as in Canton's topology-aware selection: first for
 * who acts first and the names in the command. Where somebody lacks what was used then, again, and each party needs what it saw: of a name
 * only those have a say who see something of it.
 */
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { CommandSubmission } from "../intake/index.js";
import type { PackageChoosing, PackageNeed, PackagesByInformee } from "../interpretation/index.js";
import type { Answer, Outcome, Party } from "../model/index.js";
import type { NetworkMember } from "../topology/index.js";
import { isHostedBy } from "./hosted-vetting.js";

export interface ChoosingContext {
  /** This participant, as the others know it. */
  readonly self: NetworkMember;
  readonly others: readonly NetworkMember[];
  readonly turns: Turns;
}

/** What comes of a try; `seen`: of one that used what somebody lacks. */
export interface Tried<T> {
  readonly outcome: Outcome<T>;
  readonly seen: PackagesByInformee | undefined;
}

interface Chosen {
  readonly submission: Pick<CommandSubmission, "actAs" | "selectionPassesMax">;
  /** Its number. */
  readonly synchronizer: number;
  /** When the command came, microseconds. */
  readonly at: bigint;
  readonly ledgerTime: bigint;
}

/** Where there are no others: a command whose ledger time lies ahead is given what was vetted when it came. */
const choosingAlone = ({ at, ledgerTime }: Chosen): PackageChoosing | undefined =>
  at === ledgerTime ? undefined : { at, pass: 0, needs: [] };

export async function inPasses<T>(
  chosen: Chosen,
  context: ChoosingContext,
  run: (choosing: PackageChoosing | undefined) => Promise<Tried<T>>,
): Answer<T> {
  if (context.others.length === 0) return (await run(choosingAlone(chosen))).outcome;
  const { submission, synchronizer, at } = chosen,
    { actAs, selectionPassesMax = limits.packageSelectionPasses } = submission,
    passesMax = Math.min(selectionPassesMax, limits.packageSelectionPassesMax),
    needed = new NeededPackages(actAs[0]!, synchronizer, context);
  for (let pass = 1, needs: readonly PackageNeed[] = needed.atFirst(); ; pass++) {
    const { outcome, seen } = await run({ at, pass, needs }),
      more = seen === undefined || pass >= passesMax ? undefined : await context.turns.through(needed.with(seen));
    if (more === undefined) return outcome;
    needs = more;
  }
}

class NeededPackages {
  readonly #first: Party;
  readonly #synchronizer: number;
  readonly #context: ChoosingContext;
  /** By party the names of packages; whoever acts first comes first. */
  readonly #names: Map<Party, Set<string>>;

  constructor(first: Party, synchronizer: number, context: ChoosingContext) {
    this.#first = first;
    this.#synchronizer = synchronizer;
    this.#context = context;
    this.#names = new Map([[first, new Set()]]);
  }

  /** Of the names in the command, which are known where it runs. */
  atFirst(): readonly PackageNeed[] {
    return [{ hosts: this.#hostsOf(this.#first), names: [] }];
  }

  /** Undefined: it shows nothing that was not needed before. */
  *with(seen: PackagesByInformee): Steps<readonly PackageNeed[] | undefined> {
    const { packages } = this.#context.self;
    let isMore = false;
    for (const [party, packageIds] of Object.entries(seen)) {
      yield;
      for (const id of packageIds) {
        const name = packages.get(id)?.summary.name;
        if (name !== undefined && this.#add(party, name)) isMore = true;
      }
    }
    return isMore ? yield* this.#byHosts() : undefined;
  }

  #add(party: Party, name: string): boolean {
    const names = this.#names.get(party);
    if (names?.has(name) === true) return false;
    if (names === undefined) this.#names.set(party, new Set([name]));
    else names.add(name);
    return true;
  }

  *#byHosts(): Steps<readonly PackageNeed[]> {
    const byHosts = new Map<string, { readonly hosts: readonly number[]; readonly names: Set<string> }>();
    for (const [party, names] of this.#names) {
      yield;
      const hosts = this.#hostsOf(party),
        key = hosts.join(),
        known = byHosts.get(key);
      if (known !== undefined) for (const name of names) known.names.add(name);
      else if (hosts.length > 0) byHosts.set(key, { hosts, names: new Set(names) });
    }
    return Array.from(byHosts.values(), ({ hosts, names }) => ({ hosts, names: [...names] }));
  }

  /** Who sends a command has to have vetted what comes of it, also for whom others host. */
  #hostsOf(party: Party): readonly number[] {
    const { self, others } = this.#context,
      isHost = (member: NetworkMember): boolean => isHostedBy(member, party, this.#synchronizer);
    return [self, ...others].filter((member) => isHost(member) || (member === self && party === this.#first)).map(({ number }) => number);
  }
}
