/** Puts one participant of a network together. */
import { setMaxListeners } from "node:events";
import { Exclusive } from "../base/exclusive.js";
import { limits } from "../config.js";
import type { Log } from "../base/log.js";
import { isFailure, ok, type Result } from "../base/result.js";
import type { Turns } from "../base/turns.js";
import type { EventPlace, Tables } from "../store/index.js";
import { type Administration, createAdministration, StoredTables } from "./admin/index.js";
import {
  administeredParties,
  allocateParty,
  findParties,
  type Host,
  listParties,
  type PartyAllocationChecks,
  type PartyHosting,
  writeParty,
} from "./parties/index.js";
import {
  type Committer,
  type MergingSizes,
  contractSettlement,
  type Impediments,
  keepNote,
  type LedgerEnd,
  type OwedWrites,
  readNote,
} from "./commit/index.js";
import {
  ActiveContractsCursor,
  CompletionsCursor,
  ActiveTemplates,
  ContractTexts,
  InterfaceViews,
  LatestOffsets,
  offsetAt,
  Projection,
  readActiveContractsPage,
  type ReadContext,
  readContract,
  readEventsByContractId,
  readOutcomes,
  readUpdate,
  readUpdatesPage,
  offsetOrder,
  UpdateLog,
  UpdatesCursor,
  synchronizerOf,
} from "./reading/index.js";
import { longestPeriodOf } from "./intake/index.js";
import { allocateExternalParty, Executions, type ExternalParties, generateTopology, prepare, readOnboarding } from "./external/index.js";
import { type Identity, type LedgerClock, type LedgerErrorData, type Party, TokenKey } from "./model/index.js";
import type { DarContents, Interpreter } from "./interpretation/index.js";
import { Acceptances, AutomaticAssignments, InFlight, Reassignments, Submissions, UnreadSubmissions } from "./submission/index.js";
import type { Ledger } from "./ledger.js";
import {
  describePackage,
  listPackageSummaries,
  listVettedPackages,
  preferredPackages,
  preferredPackageVersion,
  readPackage,
  ReadDars,
  storePackages,
  updateVettedPackages,
  type UpgradeCheck,
  uploadDar,
  validateDar,
} from "./packages/index.js";
import { Pruning } from "./keeping/index.js";
import { type ContractIndex, KeptEntries, type TemplateNames } from "./records/index.js";
import type { Members, NetworkMember } from "./topology/index.js";

/** The ledger, and the administration of what is beside it. */
export type Participant = Ledger & { readonly administration: Administration; commandsInFlight(): number };

/** What of a participant is there before it can do anything. */
export interface Member extends NetworkMember {
  readonly identity: Identity;
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly contracts: ContractIndex;
  readonly keptActive: KeptEntries<EventPlace>;
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

/** On one synchronizer. Whoever allocated a party hosts it alone; others are hosted by those that they signed for. */
function hostingOnSynchronizer(members: Iterable<Member>, party: Party, synchronizer: number): PartyHosting {
  const all = [...members],
    external = all.map(({ externalParties }) => externalParties.onboarded(party, synchronizer)).find((one) => one !== undefined);
  if (external) return { hosts: external.mapping.participants, threshold: external.mapping.threshold };
  const hosts = all
    .filter(({ parties }) => parties.get(party)?.hostedOn.includes(synchronizer))
    .map(({ participantId }): Host => ({ participant: participantId, permission: "submission" }));
  return { hosts, threshold: 1 };
}

export interface OpenParticipant {
  readonly participant: Participant;
  /** Nothing begins by itself any more, and what waits is settled: the last that it commits. */
  settle(): Promise<void>;
}

export async function createParticipant(member: Member, network: NetworkParts): Promise<OpenParticipant> {
  const { committer, ledgerEnd, contracts, parties, packages, externalParties, templates, tables, identity, interpreter } = member;
  const { clock, impediments, log, turns, readerTurns, options } = network,
    others = network.members.neighboursOf(member);
  const { participantId } = identity,
    { synchronizers } = member,
    tokenKey = new TokenKey(identity.pageTokenKey);
  const longestPeriod = longestPeriodOf(options.deduplicationMaxSeconds),
    acceptances = new Acceptances({
      tables,
      committer,
      ledgerEnd,
      log,
      turns,
      unsettledMax: options.unsettledMax ?? limits.acceptancesUnsettledMax,
      longestPeriod,
      sizes: options.runSizes,
    }),
    settlement = contractSettlement({
      tables,
      committer,
      ledgerEnd,
      log,
      contracts,
      turns,
      unsettledMax: options.unsettledMax ?? limits.contractsUnsettledMax,
      sizes: options.runSizes,
    }),
    pruning = new Pruning({
      tables,
      committer,
      ledgerEnd,
      contracts,
      settlements: [acceptances, settlement],
      longestPeriod,
      readerTurns,
      log,
    });
  const views = new InterfaceViews({
    tables,
    packages,
    templates,
    interpreter,
    clock,
    participantName: identity.participantName,
    synchronizers,
    pruning,
  });
  const projection = new Projection({ tables, parties, templates, views, pruning });
  const read: ReadContext = {
    tables,
    contracts,
    log: new UpdateLog(tables),
    contractTexts: new ContractTexts(),
    keptOffsets: new KeptEntries(offsetOrder),
    latestOffsets: new LatestOffsets(),
    keptActive: member.keptActive,
    activeTemplates: new ActiveTemplates(tables, ledgerEnd),
    ledgerEnd,
    projection,
    views,
    synchronizers,
    packages,
    parties,
    templates,
    pruning,
    turns: readerTurns,
  };
  const amongOthers = { ...read, participantId, others };
  const closing = new AbortController(),
    inFlight = new InFlight();
  setMaxListeners(0, closing.signal); // one for each command that waits
  const reassigningContext = {
    others,
    participantId,
    tables,
    contracts,
    committer,
    parties,
    packages,
    synchronizers,
    acceptances,
    templates,
    clock,
    impediments,
    inFlight,
    turns,
    log,
    hostingOf: (party: Party, synchronizer: number) => hostingOnSynchronizer(network.members, party, synchronizer),
  };
  const automatic = new AutomaticAssignments(reassigningContext),
    reassignments = new Reassignments(reassigningContext, (id) => {
      for (const each of network.automaticAssignments) each.hear(id);
    });
  network.automaticAssignments.add(automatic);
  const submissionContext = {
    ...reassigningContext,
    ledgerEnd,
    interpreter,
    reassignments,
    closing: closing.signal,
    pruning,
    moverOf: reassignments.moverOf.bind(reassignments),
    signatoriesOf: reassignments.signatoriesOf.bind(reassignments),
  };
  const submissions = new Submissions(submissionContext),
    unreadSubmissions = new UnreadSubmissions(submissionContext),
    executions = new Executions({ ...submissionContext, externalParties, signedUnderWay: network.signedUnderWay });
  const packagesContext = {
    tables,
    packages,
    committer,
    interpreter,
    clock,
    synchronizers,
    checkUpgrade: member.checkUpgrade,
    vettingChanges: new Exclusive(),
    readDars: new ReadDars(),
  };
  const checks: PartyAllocationChecks = {
    userExists: (userId) => administration.findUser(userId) !== undefined,
    identityProviderExists: (id) => !isFailure(administration.getIdentityProvider(id)),
  };
  const vettingContext = { ...packagesContext, participantId, tokenKey, others };
  const preferenceContext = { packages, parties, clock, synchronizers, others };
  const partiesContext = { identity, synchronizers, parties, committer, checks, others };
  const administration = await createAdministration({
    tables: new StoredTables(tables, committer),
    parties: administeredParties(partiesContext),
    tokenKey,
    ...(options.selfAllocatedPartiesMax === undefined ? {} : { selfAllocatedPartiesMax: options.selfAllocatedPartiesMax }),
  });

  // Each of these is written once; where the disk is full the ledger is there for readers without.
  const storeBuiltIn = async (): Promise<Result<void, LedgerErrorData>> => {
    const isStored = (packageId: string): boolean => packages.get(packageId) !== undefined,
      builtIn = (await options.builtInPackages?.(isStored)) ?? [],
      everywhere = synchronizers.connected.map(({ number }) => number);
    const missing = builtIn.filter(({ summary: { packageId } }) =>
      everywhere.some((number) => packages.get(packageId)?.vettings[number] === undefined),
    );
    return missing.length > 0 ? storePackages(missing, everywhere, packagesContext) : ok(undefined);
  };
  await network.owed.write("the packages that every node has", () => packagesContext.vettingChanges.run(storeBuiltIn));
  // The node is a party of its own; telling of it is the first update.
  await network.owed.write("the node's own party", async () => {
    const local = { annotations: {}, resourceVersion: undefined, identityProviderId: "" },
      hosts = [{ participant: participantId, permission: "submission" }] as const;
    const unknownTo = synchronizers.connected.filter(({ number }) => parties.get(participantId)?.hostedOn.includes(number) !== true);
    if (unknownTo.length === 0) return ok(undefined);
    return committer.commit((group) => {
      for (const synchronizer of unknownTo)
        writeParty(group, partiesContext, { party: participantId, isExternal: false, synchronizer, hosts, local });
    });
  });

  automatic.begin(reassignments);
  // What it cannot do now it does at the next start.
  const notResumed = (reason: string): void => log.error("pruning could not go on", { reason });
  pruning.resume().then(
    (resumed) => {
      if (isFailure(resumed)) notResumed(resumed.error.cause);
    },
    (error: Error) => notResumed(error.stack ?? error.message),
  );

  const participant: Participant = {
    administration,
    participantName: identity.participantName,
    participantId,
    synchronizerId: synchronizers.first.id,
    synchronizers: synchronizers.connected,
    allSynchronizers: synchronizers.all,
    admit: (signal) => inFlight.admit(signal),
    submit: (submission, admission, refusal, telling) => submissions.submit(submission, admission, refusal, telling),
    submitUnread: (unread, admission) => unreadSubmissions.submit(unread, admission),
    submitAsync: (submission, admission) => submissions.submitAsync(submission, admission),
    reassign: (submission, admission) => reassignments.submit(submission, admission),
    reassignAsync: (submission, admission) => reassignments.submitAsync(submission, admission),
    impediment: () => impediments.text(),
    nowMicros: () => clock.nowMicros(),
    caughtUp: () => ledgerEnd.caughtUp(),
    commandsInFlight: () => inFlight.underWay,
    ledgerEnd: () => ledgerEnd.offset,
    prunedOffsets: () => ({ participantPrunedUpToInclusive: pruning.offset, allDivulgedContractsPrunedUpToInclusive: pruning.offset }),
    prune: (upToInclusive) => pruning.prune(upToInclusive),
    openUpdates: (request) => UpdatesCursor.open(read, request),
    openCompletions: (request) => CompletionsCursor.open(read, request),
    openActiveContracts: (request) => ActiveContractsCursor.open(read, tokenKey, request),
    readUpdate: (request) => readUpdate(read, request),
    readEventsByContractId: (contractId, format, traceId) => readEventsByContractId(read, contractId, format, traceId),
    readContract: async (contractId, queryingParties) => readContract(amongOthers, contractId, queryingParties),
    synchronizerOf: (contractId) => synchronizerOf(read, contractId),
    readUpdatesPage: (request) => readUpdatesPage(read, tokenKey, request),
    readActiveContractsPage: (request) => readActiveContractsPage(read, tokenKey, request),
    waitBehind: (offset, timeoutMs, signal) => ledgerEnd.waitBehind(offset, "all", timeoutMs, signal),
    readOutcomes: (request) => readOutcomes(amongOthers, request),
    offsetAt: (recordTime) => offsetAt(read, recordTime),
    readNote: (name) => readNote(tables, name),
    keepNote: (name, text) => keepNote(committer, name, text),
    listDar: (bytes) => interpreter.listDar(bytes),
    validateDar: (bytes, { synchronizerId: id }) => validateDar(bytes, id, packagesContext),
    uploadDar: (bytes, upload) => uploadDar(bytes, upload, packagesContext),
    listPackages: () => packages.ids(),
    readPackage: (packageId) => readPackage(packageId, packagesContext),
    isPackageKnown: (packageId) => packages.get(packageId) !== undefined,
    packageSummary: (packageId) => packages.get(packageId)?.summary,
    describeTypes: (positions) => interpreter.describeTypes(positions),
    listPackageSummaries: (request) => listPackageSummaries(request, packages),
    describePackage: (packageId) => describePackage(packageId, packagesContext),
    listVettedPackages: (request) => listVettedPackages(request, vettingContext),
    updateVettedPackages: (request) => updateVettedPackages(request, vettingContext),
    preferredPackages: (request) => preferredPackages(request, preferenceContext),
    preferredPackageVersion: (request) => preferredPackageVersion(request, preferenceContext),
    hostsOf: (party, { number }) => hostingOnSynchronizer(network.members, party, number).hosts,
    external: {
      generateTopology: (request) => generateTopology(request, partiesContext),
      readOnboarding: (request) => readOnboarding(request, { ...partiesContext, externalParties }),
      allocate: (request) => allocateExternalParty(request, { ...partiesContext, externalParties }),
      isExternal: (party) => parties.get(party)?.isExternal === true,
    },
    interactive: {
      prepare: (preparation) => prepare(preparation, { ...submissionContext, verboseHashing: options.verboseHashing === true }),
      execute: (execution, admission, telling) => executions.execute(execution, admission, telling),
      executeAsync: (execution, admission) => executions.executeAsync(execution, admission),
    },
    allocateParty: (request) => allocateParty(request, partiesContext),
    listParties: (request) => listParties(request, parties, tokenKey),
    getParties: (asked, identityProviderId) => findParties(asked, parties, identityProviderId),
    close: () => network.close(),
  };
  const settle = async (): Promise<void> => {
    closing.abort();
    try {
      await automatic.close();
    } finally {
      try {
        await acceptances.close();
      } finally {
        await settlement.close();
      }
    }
  };
  return { participant, settle };
}
