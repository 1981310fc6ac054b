/** One participant of a network, and what all of them share. */
import type { Log } from "../../base/log.js";
import type { Turns } from "../../base/turns.js";
import type { EventPlace, Tables } from "../../store/index.js";
import type { Committer, Impediments, LedgerEnd, MergingSizes, OwedWrites } from "../commit/index.js";
import type { ExternalParties } from "../external/index.js";
import type { DarContents, Interpreter } from "../interpretation/index.js";
import type { Identity, LedgerClock, TokenKey } from "../model/index.js";
import type { UpgradeCheck } from "../packages/index.js";
import type { PartyTemplates } from "../reading/index.js";
import type { ContractIndex, KeptEntries, TemplateNames } from "../records/index.js";
import type { AutomaticAssignments } from "../submission/index.js";
import type { Members, NetworkMember } from "../topology/index.js";

/** What of a participant is there before it can do anything. */
export interface Member extends NetworkMember {
  readonly identity: Identity;
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly contracts: ContractIndex;
  readonly keptActive: KeptEntries<EventPlace>;
  readonly activeTemplates: PartyTemplates;
  readonly updateTemplates: PartyTemplates;
  readonly templates: TemplateNames;
  readonly externalParties: ExternalParties;
  readonly interpreter: Interpreter;
  readonly checkUpgrade: UpgradeCheck;
}

/** What the participants of a network share. */
export interface NetworkParts {
  readonly members: Members<Member>;
  readonly clock: LedgerClock;
  readonly impediments: Impediments;
  readonly owed: OwedWrites;
  readonly log: Log;
  readonly turns: Turns;
  /** Of all who read lists and streams. */
  readonly readerTurns: Turns;
  readonly options: ParticipantOptions;
  /** Of every participant that is there. */
  readonly automaticAssignments: Set<AutomaticAssignments>;
  /** Keys of signed transactions that are on their way. */
  readonly signedUnderWay: Set<string>;
  /** Closes all participants, as they share their commits. */
  close(): Promise<void>;
}

export interface ParticipantOptions {
  /** Packages that every node has; stored and vetted at the first start with this version of the program. */
  readonly builtInPackages?: (isStored: (packageId: string) => boolean) => Promise<DarContents["packages"]>;
  /** Parties that a user without admin rights may allocate for himself. */
  readonly selfAllocatedPartiesMax?: number;
  /** Whether it is told how prepared transactions are hashed, where that is asked for. */
  readonly verboseHashing?: boolean;
  /** The longest deduplication period: for so long it is remembered which commands were accepted. */
  readonly deduplicationMaxSeconds?: number | undefined;
  /** How many acceptances, and changes of contracts, wait until they are settled. */
  readonly unsettledMax?: number;
  /** How runs are made and merged. */
  readonly runSizes?: MergingSizes;
}

/** What each part of a participant is opened with. */
export interface Opening {
  readonly member: Member;
  readonly network: NetworkParts;
  /** The other members. */
  readonly others: readonly Member[];
  readonly tokenKey: TokenKey;
}
