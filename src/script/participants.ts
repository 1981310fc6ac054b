/** Several nodes as one ledger: questions go to the one that is named, or that hosts the parties who ask. */
import type { DefinitionId, LedgerValue } from "../lf/index.js";
import type {
  ActiveContract,
  InterfaceContract,
  KnownParty,
  LedgerSubmission,
  PackageNameVersion,
  ParticipantName,
  ScriptLedger,
  ScriptUser,
  SubmitAnswer,
  UserRight,
} from "./ledger.js";
import { questionFailed } from "./stop.js";

export interface Participants {
  readonly default: ScriptLedger | undefined;
  readonly named: ReadonlyMap<string, ScriptLedger>;
  /** Name of the participant of a party. */
  readonly parties: ReadonlyMap<string, string>;
}

export class ParticipantsLedger implements ScriptLedger {
  readonly #participants: Participants;
  readonly #parties: Map<string, string>;

  constructor(participants: Participants) {
    this.#participants = participants;
    this.#parties = new Map(participants.parties);
  }

  /** One of a name that nobody has is the default one: scripts for several participants run on a single node, too. */
  #named(name: ParticipantName): ScriptLedger {
    const { default: first, named } = this.#participants,
      found = (name === undefined ? undefined : named.get(name)) ?? first;
    if (found === undefined)
      throw questionFailed(
        "RuntimeException",
        `${name === undefined ? "No participant was named" : `There is no participant ${name}`}, and there is no default_participant.`,
      );
    return found;
  }

  #of(parties: readonly string[]): ScriptLedger {
    const [first, ...others] = new Set(parties.map((party) => this.#named(this.#parties.get(party))));
    if (others.length > 0)
      throw questionFailed(
        "RuntimeException",
        `The parties are on different participants: ${parties.map((party) => `${party} on ${this.#parties.get(party) ?? "the default one"}`).join(", ")}.`,
      );
    return first!;
  }

  submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    return this.#of(submission.actAs).submit(submission);
  }
  activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    return this.#of(parties).activeContracts(parties, template);
  }
  contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    return this.#of(parties).contract(parties, template, contractId);
  }
  contractsByKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]> {
    return this.#of(parties).contractsByKey(parties, template, key, limit);
  }
  interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    return this.#of(parties).interfaceContracts(parties, interface_);
  }
  interfaceContract(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined> {
    return this.#of(parties).interfaceContract(parties, interface_, contractId);
  }

  /** From here on the party is known to be there. */
  async allocateParty(hint: string, participants: readonly string[]): Promise<string> {
    const [first] = participants;
    const party = await this.#named(first).allocateParty(hint, participants);
    if (first !== undefined) this.#parties.set(party, first);
    return party;
  }
  knownParties(participant: ParticipantName): Promise<readonly KnownParty[]> {
    return this.#named(participant).knownParties(undefined);
  }

  time(): Promise<bigint> {
    return this.#named(undefined).time();
  }
  setTime(time: bigint): Promise<void> {
    return this.#named(undefined).setTime(time);
  }

  createUser(user: ScriptUser, rights: readonly UserRight[], participant: ParticipantName): Promise<boolean> {
    return this.#named(participant).createUser(user, rights, undefined);
  }
  async getUser(userId: string, participant: ParticipantName): Promise<ScriptUser | undefined> {
    const user = await this.#named(participant).getUser(userId, undefined);
    if (user?.primaryParty !== undefined && participant !== undefined) this.#parties.set(user.primaryParty, participant);
    return user;
  }
  deleteUser(userId: string, participant: ParticipantName): Promise<boolean> {
    return this.#named(participant).deleteUser(userId, undefined);
  }
  listUsers(participant: ParticipantName): Promise<readonly ScriptUser[]> {
    return this.#named(participant).listUsers(undefined);
  }
  grantRights(userId: string, rights: readonly UserRight[], participant: ParticipantName): Promise<readonly UserRight[] | undefined> {
    return this.#named(participant).grantRights(userId, rights, undefined);
  }
  revokeRights(userId: string, rights: readonly UserRight[], participant: ParticipantName): Promise<readonly UserRight[] | undefined> {
    return this.#named(participant).revokeRights(userId, rights, undefined);
  }
  listRights(userId: string, participant: ParticipantName): Promise<readonly UserRight[] | undefined> {
    return this.#named(participant).listRights(userId, undefined);
  }

  vetPackages(packages: readonly PackageNameVersion[], participant: ParticipantName): Promise<void> {
    return this.#named(participant).vetPackages(packages, undefined);
  }
  unvetPackages(packages: readonly PackageNameVersion[], participant: ParticipantName): Promise<void> {
    return this.#named(participant).unvetPackages(packages, undefined);
  }
  vettedPackages(): Promise<readonly PackageNameVersion[]> {
    return this.#named(undefined).vettedPackages();
  }
  allPackages(): Promise<readonly PackageNameVersion[]> {
    return this.#named(undefined).allPackages();
  }
}
