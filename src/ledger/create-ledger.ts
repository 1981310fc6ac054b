/** Puts the participants of a network together over an open store; at its first start each is given its identity. */
import type { Clock } from "../base/clock.js";
import { limits, participantNameDefault, synchronizerNameDefault } from "../config.js";
import { silentLog, type Log } from "../base/log.js";
import type { Spans } from "../base/spans.js";
import { Batch, type Store } from "../store/index.js";
import { isFailure } from "../base/result.js";
import { Turns } from "../base/turns.js";
import { adoptParties, isOn, PartyRegistry } from "./parties/index.js";
import { CommitQueue, Committer, Impediments, OwedWrites, readLedgerEnd } from "./commit/index.js";
import { adoptExternalParties, ExternalParties } from "./external/index.js";
import {
  type Identity,
  LedgerClock,
  newIdentity,
  ParticipantNameDiffers,
  readIdentity,
  readSynchronizers,
  type Synchronizer,
  type SynchronizerNames,
  Synchronizers,
  SynchronizersDiffer,
  withNames,
  writeIdentity,
  writeSynchronizers,
} from "./model/index.js";
import type { Interpreter } from "./interpretation/index.js";
import { createParticipant, type Member, type OpenParticipant, type Participant, type ParticipantOptions } from "./participant/index.js";
import { PackageRegistry, type UpgradeCheck } from "./packages/index.js";
import { placeOrder } from "./reading/index.js";
import { ContractIndex, KeptEntries, type PartyRecord, TemplateNames } from "./records/index.js";
import type { AutomaticAssignments } from "./submission/index.js";
import { Members } from "./topology/index.js";

interface SharedOptions extends ParticipantOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log?: Log;
  readonly spans?: Spans | undefined;
  /** Shared with whatever else runs on this thread. */
  readonly turns?: Turns;
  /** Of all who read lists and streams; undefined: they rest while commands are under way. */
  readonly readerTurns?: Turns;
  /** Names of the synchronizers of the network; those that are new come to be. Undefined: all that the ledger has, at first one. */
  readonly synchronizers?: readonly string[] | undefined;
  /** The first of a new ledger, where `synchronizers` names it by its alias or names none. */
  readonly foundingSynchronizer?: SynchronizerNames | undefined;
  /** How far the clock may be behind the ledger's own time for commands to run. */
  readonly clockBehindMaxSeconds?: number | undefined;
  /** How many submissions are about to ask for a commit. */
  readonly submissionsRunning?: (() => number) | undefined;
}

export interface LedgerOptions extends SharedOptions {
  readonly interpreter: Interpreter;
  /** First part of the participant's id, given out at the first start; undefined: any. */
  readonly participantName?: string | undefined;
  readonly checkUpgrade?: UpgradeCheck;
}

export interface NetworkOptions extends SharedOptions {
  /** Names of the participants, each another; of the first, undefined stands for any. The store has as many sets of tables. */
  readonly participantNames: readonly [string | undefined, ...string[]];
  /** The first of a new ledger, where it is given no name. */
  readonly foundingParticipantName?: string | undefined;
  /** What the id of a new participant begins with; left out: its name. */
  readonly identifierOf?: ((participantName: string) => string) | undefined;
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

/** The others rely on what a participant is told in their commits. */
export class ParticipantNotNamed extends Error {
  override readonly name = "ParticipantNotNamed";
  constructor(missing: string) {
    super(`The ledger has a participant ${missing}, too: it cannot be started without it (--participant ${missing}=PORT).`);
  }
}

/** A network of one. */
export async function createLedger({ interpreter, participantName, checkUpgrade, ...shared }: LedgerOptions): Promise<Participant> {
  const {
    participants: [only],
  } = await createNetwork({
    ...shared,
    participantNames: [participantName],
    interpreterOf: () => interpreter,
    ...(checkUpgrade === undefined ? {} : { checkUpgradeOf: () => checkUpgrade }),
  });
  return only;
}

export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { store } = options,
    log = options.log ?? silentLog,
    turns = options.turns ?? new Turns(limits.turnMs);
  const numbers = await openIdentities(store, options, firstSynchronizer(options));
  const all = await openSynchronizers(store, options.synchronizers),
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
  numbers.forEach((number, index) => {
    const tables = store.tablesOf(number),
      identity = readIdentity(tables)!,
      ledgerEnd = ends[index]!;
    const parties = PartyRegistry.read(tables),
      templates = TemplateNames.read(tables),
      packages = PackageRegistry.read(tables);
    clock.onMove(() => ledgerEnd.wakeAll());
    packages.onChange(() => ledgerEnd.wakeAll());
    const contracts = new ContractIndex(tables),
      keptActive = new KeptEntries(placeOrder),
      committer = new Committer(queue, { tables, ledgerEnd, templates, parties, contracts, keptActive });
    members.join({
      number,
      participantId: identity.participantId,
      synchronizers: new Synchronizers(
        all,
        connectedOf(identity.participantName, named, options.synchronizersOf?.(identity.participantName)),
      ),
      commits: committer.member,
      identity,
      tables,
      committer,
      ledgerEnd,
      contracts,
      keptActive,
      parties,
      templates,
      packages,
      externalParties: ExternalParties.read(tables),
      interpreter: options.interpreterOf(number),
      checkUpgrade: options.checkUpgradeOf?.(number) ?? (() => Promise.resolve(undefined)),
    });
  });
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

/** Of a new ledger. */
function firstSynchronizer({ synchronizers, foundingSynchronizer }: SharedOptions): SynchronizerNames {
  const alias = synchronizers?.[0] ?? foundingSynchronizer?.alias ?? synchronizerNameDefault;
  return foundingSynchronizer?.alias === alias ? foundingSynchronizer : { name: alias, alias };
}

/** The numbers of the named participants. Those that are new get an identity, and the lowest sets of tables that are free. */
async function openIdentities(
  store: Store,
  { participantNames: names, foundingParticipantName = participantNameDefault, identifierOf }: NetworkOptions,
  synchronizerNames: SynchronizerNames,
): Promise<readonly number[]> {
  const known = Array.from({ length: store.sets }, (_, set) => readIdentity(store.tablesOf(set)));
  const nameOf = (identity: Identity | undefined): string | undefined => identity?.participantName;
  const [first, ...others] = names,
    firstKnown = nameOf(known[0]);
  if (first !== undefined && firstKnown !== undefined && first !== firstKnown) throw new ParticipantNameDiffers(firstKnown, first);
  const missing = known
    .slice(1)
    .map(nameOf)
    .find((name) => name !== undefined && !others.includes(name));
  if (missing !== undefined) throw new ParticipantNotNamed(missing);
  const founder = known[0] ?? newIdentity(first ?? foundingParticipantName, synchronizerNames),
    batch = new Batch(),
    numbers = [0];
  if (known[0] === undefined) writeIdentity(batch, store.tables, (known[0] = founder));
  for (const name of others) {
    const place = known.findIndex((identity) => nameOf(identity) === name),
      number = place > 0 ? place : known.findIndex((identity) => identity === undefined);
    numbers.push(number);
    if (place > 0) continue;
    const { synchronizerId, synchronizerAlias } = founder;
    writeIdentity(
      batch,
      store.tablesOf(number),
      (known[number] = { ...newIdentity(name, synchronizerNames, identifierOf?.(name)), synchronizerId, synchronizerAlias }),
    );
  }
  await batch.flush();
  return numbers;
}

/** The synchronizers of the ledger, those that are new included. One that has contracts cannot be left out. */
async function openSynchronizers(store: Store, names: readonly string[] | undefined): Promise<readonly Synchronizer[]> {
  const known = readSynchronizers(store.tables, readIdentity(store.tables)!);
  if (names === undefined) return known;
  const all = withNames(known, names),
    left = known.filter(({ alias }) => !names.includes(alias));
  if (left.length > 0)
    for (let set = 0; set < store.sets; set++) {
      const contracts = new ContractIndex(store.tablesOf(set));
      for (const contractId of contracts.ids()) {
        const { archived, synchronizer } = contracts.find(contractId)!,
          missed = left.find(({ number }) => number === synchronizer);
        if (missed && !archived)
          throw new SynchronizersDiffer(
            `The ledger has contracts on synchronizer ${missed.alias}; it cannot be started without it (--synchronizers).`,
          );
      }
    }
  if (all.length > known.length) {
    const batch = new Batch();
    writeSynchronizers(batch, store.tables, all);
    await batch.flush();
  }
  return all;
}

function connectedOf(participant: string, all: readonly Synchronizer[], names: readonly string[] | undefined): readonly Synchronizer[] {
  const unknown = names?.find((name) => !all.some(({ alias }) => alias === name));
  if (unknown !== undefined)
    throw new SynchronizersDiffer(
      `Participant ${participant} is to be connected to synchronizer ${unknown} (--participant), which is none of ${all.map(({ alias }) => alias).join(", ")}.`,
    );
  return names === undefined ? all : all.filter(({ alias }) => names.includes(alias));
}

const isTold = (member: Member, { party, synchronizers: on }: PartyRecord): boolean =>
  on.every((number) => !isOn(member, number) || member.parties.get(party)?.synchronizers.includes(number) === true);

/** Of the parties that were there before them. */
async function tellNewcomers(members: Members<Member>, log: Log): Promise<void> {
  for (const member of members) {
    const others = members.neighboursOf(member),
      known = others.flatMap(({ parties }) => parties.sorted().map((party) => parties.get(party)!));
    if (known.every((party) => isTold(member, party))) continue;
    const told = await member.committer.commit((group) => {
      adoptParties(group, member, known);
      for (const other of others)
        adoptExternalParties(group, member.externalParties, other.externalParties, (number) => isOn(member, number));
    });
    if (isFailure(told)) log.error("a participant could not be told of the parties of others", { reason: told.error.cause });
  }
}
