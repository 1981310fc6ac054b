/** Puts the participants of a network together over an open store. */
import type { Clock } from "../base/clock.js";
import { limits } from "../config.js";
import { silentLog, type Log } from "../base/log.js";
import type { Spans } from "../base/spans.js";
import { Turns } from "../base/turns.js";
import { PartyRegistry } from "./parties/index.js";
import { CommitQueue, Committer, Impediments, type LedgerEnd, OwedWrites, readLedgerEnd } from "./commit/index.js";
import { ExternalParties } from "./external/index.js";
import { LedgerClock, readIdentity, type Synchronizer, Synchronizers } from "./model/index.js";
import type { Interpreter } from "./interpretation/index.js";
import { connectedOf, type IdentityOptions, openIdentities, openSynchronizers, tellNewcomers } from "./open-identities.js";
import { createParticipant, type Member, type OpenParticipant, type Participant, type ParticipantOptions } from "./participant/index.js";
import { PackageRegistry, type UpgradeCheck } from "./packages/index.js";
import { activeTemplatesIn, PartyTemplates, placeOrder, templatesIn } from "./reading/index.js";
import { ContractIndex, KeptEntries, TemplateNames } from "./records/index.js";
import type { AutomaticAssignments } from "./submission/index.js";
import { Members } from "./topology/index.js";

export interface NetworkOptions extends ParticipantOptions, IdentityOptions {
  readonly clock: Clock;
  readonly log?: Log;
  readonly spans?: Spans | undefined;
  /** Shared with whatever else runs on this thread. */
  readonly turns: Turns;
  /** Of all who read lists and streams; undefined: they rest while commands are under way. */
  readonly readerTurns?: Turns;
  /** How far the clock may be behind the ledger's own time for commands to run. */
  readonly clockBehindMaxSeconds?: number | undefined;
  /** How many submissions are about to ask for a commit. */
  readonly submissionsRunning?: (() => number) | undefined;
  /** By the participant's number. */
  interpreterOf(participant: number): Interpreter;
  /** Names of the synchronizers that a participant is connected to; undefined: all. */
  synchronizersOf?(participantName: string): readonly string[] | undefined;
  checkUpgradeOf?(participant: number): UpgradeCheck;
}

/** Several participants over one store, and one order of commits. */
export interface Network {
  /** In the order of their names. */
  readonly participants: readonly [Participant, ...Participant[]];
  close(): Promise<void>;
}

export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { store, turns } = options,
    log = options.log ?? silentLog;
  const numbers = await openIdentities(options);
  const all = await openSynchronizers(options),
    named = options.synchronizers === undefined ? all : all.filter(({ alias }) => options.synchronizers!.includes(alias));
  const ends = numbers.map((number) => readLedgerEnd(store.tablesOf(number)));
  const recordTime = ends.reduce((latest, end) => (end.recordTime > latest ? end.recordTime : latest), 0n);
  const clock = new LedgerClock({
    clock: options.clock,
    recordTime,
    behindMaxSeconds: options.clockBehindMaxSeconds ?? limits.clockBehindMaxSeconds,
    log,
  });
  const queue = new CommitQueue({ store, clock, log, turns, spans: options.spans, coming: options.submissionsRunning }),
    areCommandsUnderWay = (): boolean => queue.isBusy || (options.submissionsRunning?.() ?? 0) > 0,
    members = new Members<Member>();
  for (const [index, number] of numbers.entries()) members.join(openMember(number, ends[index]!, { options, queue, clock, all, named }));
  await tellNewcomers(members, log);
  const open: OpenParticipant[] = [],
    owed = new OwedWrites({ store, log }),
    close = async (): Promise<void> => {
      await owed.close();
      await closeNetwork(open, queue, members);
    };
  const parts = {
    members,
    clock,
    impediments: new Impediments({ clock, store, commits: queue, owed, log }),
    owed,
    log,
    turns,
    readerTurns: options.readerTurns ?? new Turns(limits.readerTurnMs, { ms: limits.readerRestMs, isDue: areCommandsUnderWay }),
    options,
    automaticAssignments: new Set<AutomaticAssignments>(),
    signedUnderWay: new Set<string>(),
    close,
  };
  for (const member of members) open.push(await createParticipant(member, parts));
  return { participants: open.map(({ participant }) => participant) as unknown as Network["participants"], close };
}

/** What the members of a network are opened with. */
interface MemberParts {
  readonly options: NetworkOptions;
  readonly queue: CommitQueue;
  readonly clock: LedgerClock;
  /** All synchronizers of the ledger, and those that the start names. */
  readonly all: readonly Synchronizer[];
  readonly named: readonly Synchronizer[];
}

function openMember(number: number, ledgerEnd: LedgerEnd, { options, queue, clock, all, named }: MemberParts): Member {
  const tables = options.store.tablesOf(number),
    identity = readIdentity(tables)!,
    { participantId, participantName } = identity;
  const parties = PartyRegistry.read(tables),
    templates = TemplateNames.read(tables),
    packages = PackageRegistry.read(tables);
  clock.onMove(() => ledgerEnd.wakeAll());
  packages.onChange(() => ledgerEnd.wakeAll());
  const contracts = new ContractIndex(tables),
    keptActive = new KeptEntries(placeOrder),
    activeTemplates = new PartyTemplates((party) => activeTemplatesIn(tables, party)),
    updateTemplates = new PartyTemplates((party) => templatesIn(tables.updateIndex, party)),
    kept = { keptActive, activeTemplates, updateTemplates },
    committer = new Committer(queue, { tables, ledgerEnd, templates, parties, contracts, ...kept });
  return {
    number,
    participantId,
    synchronizers: new Synchronizers(all, connectedOf(participantName, named, options.synchronizersOf?.(participantName))),
    commits: committer.member,
    identity,
    tables,
    committer,
    ledgerEnd,
    contracts,
    ...kept,
    parties,
    templates,
    packages,
    externalParties: ExternalParties.read(tables),
    interpreter: options.interpreterOf(number),
    checkUpgrade: options.checkUpgradeOf?.(number) ?? (() => Promise.resolve(undefined)),
  };
}

/** The queue takes what each of them settles, so it is closed behind the last. All is closed, whatever becomes of a part of it. */
async function closeNetwork(open: readonly OpenParticipant[], queue: CommitQueue, members: Members<Member>): Promise<void> {
  const settled = await Promise.allSettled(open.map((one) => one.settle()));
  try {
    await queue.close();
  } finally {
    for (const { ledgerEnd } of members) ledgerEnd.close();
  }
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}
