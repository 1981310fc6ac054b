/**
 * On which synchronizer a transaction can be, and which contracts have to move there first: all who are told have to be there, all
 * packages have to be vetted there, and of several the one with the fewest moves is taken.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import type { Tables } from "../../store/index.js";
import { type ContractIndex, decodeInstance, isActive } from "../records/index.js";
import {
  type Answer,
  inTextOnly,
  ledgerError,
  type LedgerErrorData,
  noCommonSynchronizer,
  notAllOn,
  type Party,
  setOf,
  shownSynchronizer,
  submittersApart,
  type Synchronizer,
  type Synchronizers,
} from "../model/index.js";
import type { PackageRegistry } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";
import type { CommandSubmission } from "../intake/index.js";
import type { KnownContract } from "./moved-contracts.js";
import type { Stake } from "./unassignment-checks.js";
import { noSynchronizer, notVetted } from "./selection-errors.js";

export interface RoutingContext {
  readonly tables: Tables;
  readonly contracts: ContractIndex;
  readonly parties: PartyRegistry;
  readonly packages: PackageRegistry;
  readonly synchronizers: Synchronizers;
  readonly turns: Turns;
  /** Who of the readers may bring a contract to a synchronizer, or why nobody can. */
  moverOf(contract: Stake & { readonly contractId: string }, target: number, readers: readonly Party[]): Result<Party, string>;
  /** Of active contracts, by their ids; of what was archived and pruned meanwhile there are none. */
  signatoriesOf(contracts: readonly KnownContract[]): Promise<ReadonlyMap<string, readonly Party[]>>;
}

/** A contract that is not where the transaction will be, and who brings it there, for all who have a stake in it. */
export interface Move {
  readonly contractId: string;
  readonly from: number;
  readonly submitter: Party;
  readonly stakeholders: readonly Party[];
  readonly signatories: readonly Party[];
}

export interface Route {
  readonly synchronizer: number;
  readonly moves: readonly Move[];
}

export interface Routed {
  /** For whom this node has to submit: nobody where others signed. Sorted. */
  readonly submitters: readonly Party[];
  /** Whom the transaction tells of something, but for signatories of what it only reads. */
  readonly informees: ReadonlySet<Party>;
  /** Ids of contracts that it uses. */
  readonly inputs: readonly string[];
  readonly usedPackages: readonly string[];
  /** What others who are told lack on a synchronizer, as a text. */
  lackedByOthers(synchronizer: number): Promise<string | undefined>;
  readonly ledgerTime: bigint;
  /** What the command names, itself or by its contracts. */
  readonly prescribed: Synchronizer | undefined;
  /** Whether it does so itself: among others packages are not chosen then. */
  readonly isNamed: boolean;
  /** Who acts and reads: they may move what they have a stake in. Sorted. */
  readonly readers: readonly Party[];
  /** Ids of contracts that came with the command: where they are shows at the commit. */
  readonly disclosed: ReadonlySet<string>;
  /**
   * Whether it needs more than its packages were chosen by, so that Canton chooses again, on any synchronizer, before it gives up.
   * Undefined: they are signed for.
   */
  readonly isChosenAgain: ((informees: ReadonlySet<Party>) => boolean) | undefined;
}

/** A contract that this participant knows. */
interface Input extends KnownContract {
  readonly stakeholders: readonly Party[];
}

/**
 * Where a command may be tried: the synchronizer it names, else those on which this node can submit for all its parties, else for whoever
 * acts first.
 */
export function candidatesFor(
  actAs: readonly Party[],
  prescribed: Synchronizer | undefined,
  { parties, synchronizers }: RoutingContext,
): readonly Synchronizer[] {
  if (prescribed) return [prescribed];
  const placesOf = (submitters: readonly Party[]): readonly Synchronizer[] =>
    synchronizers.ranked.filter(({ number }) =>
      submitters.every((party) => {
        const known = parties.get(party);
        return (known?.isLocal ? known.hostedOn : (known?.synchronizers ?? nowhere)).includes(number);
      }),
    );
  const ofAll = placesOf(actAs);
  return ofAll.length > 0 ? ofAll : placesOf(actAs.slice(0, 1));
}

interface Chosen {
  readonly submission: CommandSubmission;
  readonly informees: ReadonlySet<Party>;
  readonly usedPackages: readonly string[];
}

/** Packages are chosen for whoever acts first and the names in the commands; then for everybody and everything that shows. */
export function isChosenAgain(
  { submission: { actAs, commands, selectionPassesMax }, informees, usedPackages }: Chosen,
  { packages }: Pick<RoutingContext, "packages">,
): boolean {
  if (selectionPassesMax === 1) return false;
  if ([...informees].some((party) => party !== actAs[0])) return true;
  return usedPackages.some((id) => !commands.includes(`"#${packages.get(id)?.summary.name ?? ""}:`));
}

/** Those on which packages are chosen for everybody who is told, where the way that was looked for with the first choice is none. */
export async function chosenAgainOn(
  candidates: readonly Synchronizer[],
  chosen: Chosen,
  context: RoutingContext,
): Promise<readonly Synchronizer[]> {
  if (!isChosenAgain(chosen, context)) return [];
  const places = await placesOfAll(chosen.informees, context);
  return candidates.filter((one) => places.includes(one));
}

/** As in Canton: packages that can be chosen on none of those are told before what stood against the first choice. */
export const nowhereChosen = (
  chosenOn: readonly Synchronizer[] | undefined,
  unchosen: ReadonlyMap<Synchronizer, LedgerErrorData>,
): LedgerErrorData | undefined => (chosenOn?.every((one) => unchosen.has(one)) === true ? unchosen.get(chosenOn[0]!) : undefined);

/**
 * Where no synchronizer is named, Canton reads values by the packages of the one with the lowest id that has all names vetted for who
 * acts first, before it looks for one on which the command can run. Numbers; none where there is no choice.
 */
export function readableOn(
  { actAs, synchronizerId }: Pick<CommandSubmission, "actAs" | "synchronizerId">,
  { parties, synchronizers }: Pick<RoutingContext, "parties" | "synchronizers">,
): readonly number[] {
  if (synchronizerId !== "" || synchronizers.connected.length === 1) return nowhere;
  const known = parties.get(actAs[0]!)?.synchronizers ?? nowhere;
  return synchronizers.ranked.map(({ number }) => number).filter((number) => known.includes(number));
}
const nowhere: readonly number[] = [];

/**
 * As Canton's router does: who is told has to be there, what is used has to be vetted there, and somebody has to be able to bring there
 * what is elsewhere. Contracts that are all where everybody is stay there: a package that is not vetted there brings them nowhere else.
 */
export async function findRoute(routed: Routed, context: RoutingContext): Answer<Route> {
  const { synchronizers } = context;
  if (synchronizers.all.length === 1) return ok(onlyRoute);
  const read = await readInputs(routed, context),
    route = await routeFor(routed, read, context);
  return isFailure(route) ? fail(await lastRefusal(route.error, routed, read, context)) : route;
}

async function routeFor(routed: Routed, { inputs, unknown, informees }: InputsRead, context: RoutingContext): Answer<Route> {
  const { prescribed } = routed;
  if (unknown.length > 0) return fail(nowhereKnown(unknown));
  const admissible = await admissibleSynchronizers(informees, routed.submitters, context);
  if (isFailure(admissible)) return admissible;
  const { told, common } = admissible.ok,
    isMoving = isSpread(inputs, prescribed, told),
    place = prescribed ?? (isMoving || inputs.length === 0 ? undefined : context.synchronizers.at(inputs[0]!.state.synchronizer));
  if (place !== undefined && !common.includes(place)) return fail(notAllOn(place, common));
  const strange = isMoving ? inputs.filter(({ stakeholders }) => !stakeholders.some((party) => routed.readers.includes(party))) : [];
  if (strange.length > 0) return fail(noStakeholder(strange));
  const fitting: Synchronizer[] = [];
  let lacking: string | undefined;
  for (const one of place ? [place] : common) {
    const lackingHere = await lackingOn(one.number, routed, context);
    // Nothing is nearer to one of them.
    if (lackingHere === undefined && inputs.length === 0) return ok({ synchronizer: one.number, moves: [] });
    if (lackingHere === undefined) fitting.push(one);
    lacking ??= lackingHere;
  }
  if (fitting.length === 0) return fail(notVetted(lacking!, inputs.length > 0 || prescribed !== undefined));
  const best = await bestRoute(fitting, inputs, routed, context);
  if (!isFailure(best)) return best;
  return fail(
    prescribed === undefined
      ? noSynchronizer(`There is no synchronizer to which all contracts can be brought that the command uses: ${best.error}`)
      : notMoved(best.error),
  );
}

/**
 * As in Canton: where packages are chosen again for everybody who is told, what stands against that is told before what stood against the
 * first choice, which comes without its request.
 */
async function lastRefusal(error: LedgerErrorData, routed: Routed, read: InputsRead, context: RoutingContext): Promise<LedgerErrorData> {
  if (routed.isChosenAgain === undefined) return error;
  const again = routed.isChosenAgain(read.informees) ? await choosingProblem(routed, read, context) : undefined;
  return again ?? inTextOnly(error);
}

/** Who only lets it happen and is not told of it does not count here. */
async function choosingProblem(
  routed: Routed,
  { inputs, unknown, informees }: InputsRead,
  context: RoutingContext,
): Promise<LedgerErrorData | undefined> {
  const submitters = routed.submitters.filter((party) => informees.has(party)),
    admissible = await admissibleSynchronizers(informees, submitters, context);
  if (isFailure(admissible)) return admissible.error;
  const { common } = admissible.ok,
    named = routed.isNamed ? routed.prescribed : undefined;
  if (named !== undefined && !common.includes(named)) return notAllOn(named, common);
  if (unknown.length > 0) return nowhereKnown(unknown);
  const among = named === undefined ? common : [named],
    best = await bestRoute(among, inputs, routed, context);
  return isFailure(best) ? nowhereRanked(among, best.error) : undefined;
}

interface InputsRead {
  readonly inputs: readonly Input[];
  /** Those that are on their way, that left to where this participant does not see them, and that are where it is not connected to. */
  readonly unknown: readonly string[];
  /** With the signatories of what is read; who only observes that is not told. */
  readonly informees: ReadonlySet<Party>;
}

async function readInputs(routed: Routed, context: RoutingContext): Promise<InputsRead> {
  const { inputs, unknown } = await context.turns.through(findInputs(routed, context)),
    told = routed.informees,
    informees = new Set(told);
  const observed = inputs.filter(({ stakeholders }) => !stakeholders.every((party) => told.has(party)));
  for (const signatories of (await context.signatoriesOf(observed)).values()) for (const party of signatories) informees.add(party);
  return { inputs, unknown, informees };
}

function* findInputs(
  { inputs: contractIds, disclosed }: Routed,
  { tables, contracts, parties, synchronizers }: RoutingContext,
): Steps<Omit<InputsRead, "informees">> {
  const inputs: Input[] = [],
    unknown: string[] = [];
  for (const contractId of contractIds) {
    yield;
    const state = contracts.find(contractId);
    if (state === undefined || state.archived) continue; // what was archived is found at the commit
    if (!isActive(state) || !synchronizers.isConnectedTo(state.synchronizer)) {
      if (!disclosed.has(contractId)) unknown.push(contractId);
      continue;
    }
    const instance = tables.instances.read(state.activated);
    const stakeholders = (instance ? decodeInstance(instance, state.activated).stakeholders : []).map(
      (number) => parties.byNumber(number).party,
    );
    inputs.push({ contractId, state, stakeholders });
  }
  return { inputs, unknown };
}

interface Admissible {
  /** Those on which everybody is who is told. */
  readonly told: readonly Synchronizer[];
  /** Those of them on which this node can submit. */
  readonly common: readonly Synchronizer[];
}

/** In the order in which Canton finds what is missing. */
async function admissibleSynchronizers(
  informees: ReadonlySet<Party>,
  submitters: readonly Party[],
  context: RoutingContext,
): Answer<Admissible> {
  const { synchronizers, parties } = context,
    ofSubmitters = await placesOfAll(submitters, context);
  if (ofSubmitters.length === 0) return fail(submittersApart(submitters, synchronizers));
  const told = await placesOfAll(informees, context);
  if (told.length === 0) return fail(noCommonSynchronizer([...informees].sort(), synchronizers));
  const usable = ofSubmitters.filter(({ number }) =>
    submitters.every((party) => {
      const { isLocal, isExternal, hostedOn } = parties.get(party)!;
      return isLocal && !isExternal && hostedOn.includes(number);
    }),
  );
  if (usable.length === 0) return fail(foreignSubmitters(submitters));
  const common = told.filter((one) => usable.includes(one));
  return common.length > 0 ? ok({ told, common }) : fail(apart(submitters, [...informees].sort()));
}

/** Those on which somebody hosts each of the parties. */
const placesOfAll = (all: Iterable<Party>, context: RoutingContext): Promise<readonly Synchronizer[]> =>
  context.turns.through(findPlaces(all, context));

function* findPlaces(all: Iterable<Party>, { synchronizers, parties }: RoutingContext): Steps<readonly Synchronizer[]> {
  let common = synchronizers.ranked;
  for (const party of all) {
    yield;
    const known = parties.get(party);
    common = common.filter(({ number }) => known?.synchronizers.includes(number));
  }
  return common;
}

/** Whether contracts are on several synchronizers, or not where the transaction has to be. */
function isSpread(inputs: readonly Input[], prescribed: Synchronizer | undefined, told: readonly Synchronizer[]): boolean {
  const places = new Set(inputs.map(({ state }) => state.synchronizer));
  return (
    places.size > 1
    || [...places].some((place) => (prescribed ? place !== prescribed.number : !told.some(({ number }) => number === place)))
  );
}

async function lackingOn(
  synchronizer: number,
  { usedPackages, ledgerTime, lackedByOthers }: Routed,
  { packages }: RoutingContext,
): Promise<string | undefined> {
  const unvetted = usedPackages.filter((id) => !packages.isVetted(id, synchronizer, ledgerTime));
  return unvetted.length > 0 ? unvetted.join(", ") : lackedByOthers(synchronizer);
}

/** A failure says of one why it is none. */
async function bestRoute(
  fitting: readonly Synchronizer[],
  inputs: readonly Input[],
  { readers }: Pick<Routed, "readers">,
  { moverOf, signatoriesOf, turns }: RoutingContext,
): Promise<Result<Route, string>> {
  let best: Route | undefined, stuck: string | undefined;
  const isMoved = ({ state }: Input): boolean => fitting.some(({ number }) => number !== state.synchronizer),
    signed = await signatoriesOf(inputs.filter(isMoved));
  for (const { number: synchronizer } of fitting) {
    const moves = await turns.through(movesTo(synchronizer, inputs, signed, (stake) => moverOf(stake, synchronizer, readers)));
    if (isFailure(moves)) stuck ??= moves.error;
    else if (best === undefined || moves.ok.length < best.moves.length) best = { synchronizer, moves: moves.ok };
  }
  return best === undefined ? fail(stuck!) : ok(best);
}

/** Of those that are elsewhere; a failure says which of them nobody can bring there. */
function* movesTo(
  synchronizer: number,
  inputs: readonly Input[],
  signed: ReadonlyMap<string, readonly Party[]>,
  moverOf: (stake: Stake & { readonly contractId: string }) => Result<Party, string>,
): Steps<Result<readonly Move[], string>> {
  const moves: Move[] = [];
  for (const { contractId, state, stakeholders } of inputs) {
    if (state.synchronizer === synchronizer) continue;
    yield;
    const stake = { contractId, stakeholders, signatories: signed.get(contractId) ?? [] },
      mover = moverOf(stake);
    if (isFailure(mover)) return mover;
    moves.push({ ...stake, from: state.synchronizer, submitter: mover.ok });
  }
  return ok(moves);
}

const onlyRoute: Route = { synchronizer: 0, moves: [] };

export const notMoved = (reason: string): LedgerErrorData =>
  ledgerError(
    "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
    `Contracts that the command uses could not be brought to one synchronizer: ${reason}`,
    { context: { reason } },
  );

/** Found where a synchronizer is looked for to choose packages on. */
const nowhereRanked = (among: readonly Synchronizer[], reason: string): LedgerErrorData => {
  const discarded = among.map((one) => `${shownSynchronizer(one)} -> Automatically reassigning contracts to a common synchronizer failed.`);
  return ledgerError(
    "NO_SYNCHRONIZER_FOR_SUBMISSION",
    `There is no synchronizer to which all contracts can be brought that the command uses: ${reason}`,
    { context: { discardedSynchronizers: `Map(${discarded.join(", ")})` } },
  );
};

const noStakeholder = (inputs: readonly Input[]): LedgerErrorData =>
  ledgerError(
    "SUBMITTER_ALWAYS_STAKEHOLDER",
    `Nobody who acts or reads has a stake in contracts that may have to be moved: ${inputs.map(({ contractId }) => contractId).join(", ")}.`,
  );

/** The answer names all who submit together, as not each of them needs to be at fault; clients look for Canton's words in it. */
export const foreignSubmitters = (actAs: readonly Party[]): LedgerErrorData =>
  actAs.length === 1
    ? ledgerError(
        "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
        `This node cannot submit as the given submitter on any connected synchronizer: ${actAs[0]!}.`,
        { context: { unknownSubmitter: actAs[0]! } },
      )
    : ledgerError(
        "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
        `Not connected to a synchronizer on which this participant can submit for all submitters: ${actAs.join(", ")}.`,
        { context: { unknownSubmitters: `List(${actAs.join(", ")})` } },
      );

const apart = (submitters: readonly Party[], informees: readonly Party[]): LedgerErrorData =>
  ledgerError("NO_COMMON_SYNCHRONIZER", "There is no synchronizer on which all informees are and this node can submit.", {
    context: { submitters: setOf(submitters), informees: setOf(informees) },
  });

const nowhereKnown = (contractIds: readonly string[]): LedgerErrorData =>
  ledgerError(
    "UNKNOWN_CONTRACT_SYNCHRONIZERS",
    `The synchronizers of contracts that the command uses are currently unknown due to ongoing contract reassignments or disconnected synchronizers: ${contractIds.join(", ")}.`,
    {
      context: { notFound: `List(${contractIds.join(", ")})`, archived: "Map()" },
      resources: [["CONTRACT_IDS", `[${contractIds.join(", ")}]`]],
    },
  );
