/**
 * Who is in a network, and on which synchronizers: what is new gets its ids and numbers and is told of what was there before, and that must
 * not be left out.
 */
import type { Log } from "../base/log.js";
import { isFailure } from "../base/result.js";
import { participantNameDefault, synchronizerNameDefault } from "../config.js";
import { Batch, openStore, type Store } from "../store/index.js";
import {
  type Identity,
  newIdentity,
  ParticipantNameDiffers,
  readIdentity,
  readSynchronizers,
  type Synchronizer,
  type SynchronizerNames,
  SynchronizersDiffer,
  withNames,
  writeIdentity,
  writeSynchronizers,
} from "./model/index.js";
import { adoptExternalParties } from "./external/index.js";
import type { Member } from "./participant/index.js";
import { adoptParties, isOn } from "./parties/index.js";
import { ContractIndex, type PartyRecord } from "./records/index.js";
import type { Members } from "./topology/index.js";

export interface SynchronizerOptions {
  readonly store: Store;
  /** Names of the synchronizers of the network; those that are new come to be. Undefined: all that the ledger has, at first one. */
  readonly synchronizers?: readonly string[] | undefined;
  /** The first of a new ledger, where `synchronizers` names it by its alias or names none. */
  readonly foundingSynchronizer?: SynchronizerNames | undefined;
}

export interface IdentityOptions extends SynchronizerOptions {
  /** Names of the participants, each another; of the first, undefined stands for any. The store has as many sets of tables. */
  readonly participantNames: readonly [string | undefined, ...string[]];
  /** The first of a new ledger, where it is given no name. */
  readonly foundingParticipantName?: string | undefined;
  /** What the id of a new participant begins with; left out: its name. */
  readonly identifierOf?: ((participantName: string) => string) | undefined;
}

/** The others rely on what a participant is told in their commits. */
export class ParticipantNotNamed extends Error {
  override readonly name = "ParticipantNotNamed";
  constructor(missing: string) {
    super(`The ledger has a participant ${missing}, too: it cannot be started without it (--participant ${missing}=PORT).`);
  }
}

const nameOf = (identity: Identity | undefined): string | undefined => identity?.participantName;

/** By their sets of tables. Throws where one of them is not among the names. */
function knownIdentities({ store, participantNames }: Pick<IdentityOptions, "store" | "participantNames">): (Identity | undefined)[] {
  const known = Array.from({ length: store.sets }, (_, set) => readIdentity(store.tablesOf(set)));
  const [first, ...others] = participantNames,
    firstKnown = nameOf(known[0]);
  if (first !== undefined && firstKnown !== undefined && first !== firstKnown) throw new ParticipantNameDiffers(firstKnown, first);
  const missing = known
    .slice(1)
    .map(nameOf)
    .find((name) => name !== undefined && !others.includes(name));
  if (missing !== undefined) throw new ParticipantNotNamed(missing);
  return known;
}

/** The numbers of the named participants. Those that are new get an identity, and the lowest sets of tables that are free. */
export async function openIdentities(options: IdentityOptions): Promise<readonly number[]> {
  const { store, participantNames: names, foundingParticipantName = participantNameDefault, identifierOf } = options,
    synchronizerNames = firstSynchronizer(options);
  const known = knownIdentities(options),
    [first, ...others] = names;
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

/** Of a new ledger. */
function firstSynchronizer({ synchronizers, foundingSynchronizer }: SynchronizerOptions): SynchronizerNames {
  const alias = synchronizers?.[0] ?? foundingSynchronizer?.alias ?? synchronizerNameDefault;
  return foundingSynchronizer?.alias === alias ? foundingSynchronizer : { name: alias, alias };
}

/** The synchronizers of the ledger, those that are new included. One that has contracts cannot be left out. */
export async function openSynchronizers({ store, synchronizers: names }: SynchronizerOptions): Promise<readonly Synchronizer[]> {
  const known = readSynchronizers(store.tables, readIdentity(store.tables)!);
  if (names === undefined) return known;
  const all = withNames(known, names);
  checkLeft(store, known, names);
  if (all.length > known.length) {
    const batch = new Batch();
    writeSynchronizers(batch, store.tables, all);
    await batch.flush();
  }
  return all;
}

function checkLeft(store: Store, known: readonly Synchronizer[], names: readonly string[]): void {
  const left = known.filter(({ alias }) => !names.includes(alias));
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
}

/** Of a ledger at rest: why it cannot be started by these names; undefined: it can, as far as they are concerned. */
export async function namesProblem(
  folder: string,
  { participantNames, synchronizers }: Pick<IdentityOptions, "participantNames" | "synchronizers">,
): Promise<string | undefined> {
  const store = await openStore({ folder, readOnly: true, readsJournal: true });
  try {
    const [founder] = knownIdentities({ store, participantNames });
    if (founder !== undefined && synchronizers !== undefined) checkLeft(store, readSynchronizers(store.tables, founder), synchronizers);
    return undefined;
  } catch (error) {
    if (error instanceof ParticipantNameDiffers || error instanceof ParticipantNotNamed || error instanceof SynchronizersDiffer)
      return error.message;
    throw error;
  } finally {
    await store.close();
  }
}

export function connectedOf(
  participant: string,
  all: readonly Synchronizer[],
  names: readonly string[] | undefined,
): readonly Synchronizer[] {
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
export async function tellNewcomers(members: Members<Member>, log: Log): Promise<void> {
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
