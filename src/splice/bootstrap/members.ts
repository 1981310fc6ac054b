/** The parties and users of a network that this node hosts. What is there already is left as it is. */
import { isFailure, ok, type Result } from "../../base/result.js";
import { validatorUserDefault } from "../../config.js";
import type { LedgerErrorData, Participant, Party } from "../../ledger/index.js";
import { isHosted } from "../hosting.js";

/** Parties by their hints. */
export interface MembersPlan {
  readonly dso: string;
  readonly sv: string;
  readonly validators: readonly string[];
  readonly users: readonly UserPlan[];
  /** Names of participants that host such a party beside the first, where there is one of that name. */
  readonly homes?: Readonly<Record<string, string>>;
  /** Of a participant beside the first, by its name. */
  usersAt?(participant: string): readonly UserPlan[];
}

export interface UserPlan {
  readonly id: string;
  /** Empty: none. */
  readonly primaryParty: string;
  /** Beside the primary party. */
  readonly mayActAs: readonly string[];
  readonly isAdmin: boolean;
}

/** As every Splice network has it: clients look for either, and make the DSO's name of the namespace (Splice's `SV1Initializer`). */
export const networkSynchronizer = { name: "global-domain", alias: "global", hasNamespaceOfFounder: true };

/** Of a network that is asked for without further words. */
export const spliceMembers: MembersPlan = {
  dso: "DSO",
  sv: "sv",
  validators: ["sv", "validator"],
  users: [
    { id: validatorUserDefault, primaryParty: "validator", mayActAs: [], isAdmin: true },
    { id: "sv", primaryParty: "sv", mayActAs: ["DSO"], isAdmin: false },
  ],
};

type Ledger = Pick<Participant, "participantId" | "synchronizerId" | "administration" | "allocateParty" | "getParties">;
type Outcome<T> = Promise<Result<T, LedgerErrorData>>;

const asAdmin = { userId: undefined, participantAdmin: true, admin: true };

export class Members {
  readonly #ledger: Ledger;
  /** Beside that of the ledger: ids of participants that host a party, too. */
  readonly #hostsOf: (hint: string) => readonly string[];
  constructor(ledger: Ledger, hostsOf: (hint: string) => readonly string[]) {
    this.#ledger = ledger;
    this.#hostsOf = hostsOf;
  }

  /** All of this node's parties have its namespace. */
  partyOf(hint: string): Party {
    return `${hint}${this.#ledger.participantId.slice(this.#ledger.participantId.indexOf("::"))}`;
  }

  async party(hint: string): Outcome<Party> {
    const party = this.partyOf(hint);
    if (this.#ledger.getParties([party], "").length > 0) return ok(party);
    const allocated = await this.#ledger.allocateParty({
      hint,
      annotations: {},
      identityProviderId: "",
      synchronizerId: this.#ledger.synchronizerId,
      userId: "",
      alsoHostedBy: this.#hostsOf(hint),
    });
    return isFailure(allocated) ? allocated : ok(allocated.ok.party);
  }

  /** With its rights from the first moment; an operator may change them later. At a participant that hosts none of its parties: none of those. */
  async user(
    { id, primaryParty, mayActAs, isAdmin }: UserPlan,
    at: Pick<Participant, "administration" | "getParties"> = this.#ledger,
  ): Outcome<undefined> {
    const { administration } = at;
    if (!isFailure(administration.getUser({ userId: id, identityProviderId: "" }))) return ok(undefined);
    const parties = [...new Set([primaryParty, ...mayActAs])].map((hint) => this.partyOf(hint)).filter((party) => isHosted(at, party)),
      actAs = parties.map((party) => ({ kind: "CanActAs", party }) as const);
    const user = {
      id,
      primaryParty: parties.find((party) => party === this.partyOf(primaryParty)) ?? "",
      identityProviderId: "",
      isDeactivated: false,
      primaryPartyAuthentication: false,
      annotations: {},
      resourceVersion: "",
    };
    const rights = isAdmin ? [...actAs, { kind: "ParticipantAdmin" } as const] : actAs;
    const created = await administration.createUser({ user, rights }, asAdmin);
    return isFailure(created) ? created : ok(undefined);
  }
}
