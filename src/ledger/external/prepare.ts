/** A command interpreted into a transaction that its submitters sign elsewhere. Nothing is recorded. */
import { randomBytes, randomUUID } from "node:crypto";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { HashingScheme } from "../../lf/interactive/index.js";
import { timestampInRange } from "../../lf/value/index.js";
import {
  type Answer,
  inTextOnly,
  invalidArgument,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  namedElsewhere,
  noCommonSynchronizer,
  type Party,
  physicalSynchronizerId,
  type Synchronizer,
  unknownInformees,
  whileRouting,
} from "../model/index.js";
import {
  chosenAgainOn,
  findRoute,
  isChosenAgain,
  isUnchosen,
  fromInterpretFailure,
  inPasses,
  lackedBy,
  lackText,
  nowhereChosen,
  notVetted,
  perhapsPrescribed,
  prescribedBy,
  readableOn,
  type Route,
  type SubmissionContext,
  type Tried,
  unvettedIn,
  writtenProblem,
} from "../submission/index.js";
import {
  askedLedgerTime,
  checkSubmission,
  type CommandSubmission,
  namingProblem,
  refusalOfLarge,
  timeText,
  whileReading,
  whileRunning,
} from "../intake/index.js";
import { isLarge, type PackageChoosing, type Prepared } from "../interpretation/index.js";

/** A node gives details of hashes where it was started so. */
export interface PreparationContext extends SubmissionContext {
  readonly verboseHashing: boolean;
}

/** In place of the details: of a node that gives none, and of a hash that has more of them than one is told. */
const detailsDisabled = "Verbose hashing is disabled on this participant. Contact the node administrator for more details.",
  detailsTooLong = `The details of this hash take more than ${limits.hashingDetailsCharsMax} characters.`;

export interface Preparation {
  readonly submission: CommandSubmission;
  readonly maxRecordTime: bigint | undefined;
  /** Undefined: the request says that it names none. */
  readonly hashingScheme: HashingScheme | undefined;
  /** Whether it asks how the transaction is hashed. */
  readonly verboseHashing?: boolean;
  /** What is wrong about the rest that is only said of a preparation: told after what is wrong about the command. */
  readonly unfit?: LedgerErrorData | undefined;
}
type ByScheme = Omit<Preparation, "unfit"> & { readonly hashingScheme: HashingScheme; readonly verboseHashing: boolean };

export interface PreparedForSigning {
  readonly transaction: Uint8Array;
  readonly hash: Uint8Array;
  /** How it was hashed, or why that is not told; undefined where nobody asked. */
  readonly hashingDetails: string | undefined;
  /** When it was prepared, microseconds. */
  readonly preparedAt: bigint;
}

const recordTimeProblem = (micros: bigint | undefined): LedgerErrorData | undefined =>
  micros === undefined || timestampInRange(micros)
    ? undefined
    : invalidArgument(`Can not represent ledger time ${timeText(micros)} as a Daml timestamp`);

export async function prepare(
  { submission, maxRecordTime, hashingScheme, verboseHashing, unfit }: Preparation,
  context: PreparationContext,
): Answer<PreparedForSigning> {
  const refused = isLarge(submission.disclosedContracts) ? await refusalOfLarge(submission, context) : undefined;
  const malformed = refused ?? checkSubmission(submission, context);
  if (malformed) return fail(whileReading(malformed));
  const behindNames = (problem: LedgerErrorData): LedgerErrorData => namingProblem(submission, context) ?? problem,
    misfit = recordTimeProblem(maxRecordTime) ?? unfit;
  if (misfit) return fail(whileReading(behindNames(misfit)));
  if (hashingScheme === undefined) return fail(whileReading(behindNames(invalidField("hashing_scheme_version", "Unspecified version"))));
  // Packages are chosen for whoever acts first, before anything runs; of the others only who is told of it has to be known.
  const absent = firstSubmitterProblem(submission, context);
  if (absent) return fail(whileReading((await writtenProblem(submission, context)) ?? absent));
  const impeded = context.impediments.refusal();
  if (impeded) return fail(impeded);
  const submittedAt = context.clock.nowMicros();
  const prepared = await new Preparing(
    { submission, maxRecordTime, hashingScheme, verboseHashing: verboseHashing === true },
    context,
  ).run();
  // What is only prepared is not deduplicated.
  return isFailure(prepared)
    ? fail(whileRunning(prepared.error, submission, { submissionId: submission.submissionId, submittedAt, longest: 0n }))
    : prepared;
}

/**
 * On each synchronizer where it may be, until what comes of it can be on one, for all who would be told: as a command that is submitted.
 */
class Preparing {
  readonly #preparation: ByScheme;
  readonly #context: PreparationContext;
  readonly #now: bigint;
  readonly #ledgerTime: bigint;
  readonly #actAs: readonly Party[];

  constructor(preparation: ByScheme, context: PreparationContext) {
    this.#preparation = preparation;
    this.#context = context;
    this.#now = context.clock.nowMicros();
    const asked = askedLedgerTime(preparation.submission, this.#now);
    this.#ledgerTime = asked > this.#now ? asked : this.#now;
    this.#actAs = [...new Set(preparation.submission.actAs)].sort();
  }

  async run(): Answer<PreparedForSigning> {
    const { synchronizers, packages, parties } = this.#context,
      { submission } = this.#preparation,
      own = synchronizers.find(submission.synchronizerId),
      known = this.#actAs.flatMap((party) => parties.get(party) ?? []);
    const candidates = own
      ? [own]
      : synchronizers.ranked.filter(({ number }) => known.every((party) => party.synchronizers.includes(number)));
    const perhaps = new Set(perhapsPrescribed(submission, synchronizers)),
      tried = new Set<Synchronizer>(),
      left = [...perhaps, ...packages.newestFirst(candidates, this.#now, submission.commands)];
    const unchosen = new Map<Synchronizer, LedgerErrorData>();
    let refusal: LedgerErrorData | undefined, chosenOn: readonly Synchronizer[] | undefined;
    for (let synchronizer = left.shift(); synchronizer !== undefined; synchronizer = left.shift()) {
      const isPerhaps = perhaps.delete(synchronizer);
      if (tried.has(synchronizer)) continue;
      const prepared = await this.#prepareOn(synchronizer);
      if (isFailure(prepared)) {
        tried.add(synchronizer);
        refusal ??= prepared.error;
        if (isUnchosen(prepared.error)) unchosen.set(synchronizer, prepared.error);
        continue;
      }
      const prescribed = prescribedBy(submission, prepared.ok.inputs, synchronizers);
      if (isFailure(prescribed)) return prescribed;
      if (prescribed.ok !== synchronizer && (prescribed.ok !== undefined || isPerhaps)) continue;
      tried.add(synchronizer);
      const route = await this.#routeOf(prepared.ok, prescribed.ok);
      if (isFailure(route)) {
        if (chosenOn === undefined) refusal = route.error;
        chosenOn ??= await this.#chosenAgainOn(candidates, prepared.ok);
        continue;
      }
      const { bytes: transaction, hash } = prepared.ok,
        best = synchronizers.at(route.ok.synchronizer);
      if (best === synchronizer || tried.has(best))
        return ok({ transaction, hash, hashingDetails: this.#detailsOf(prepared.ok), preparedAt: this.#now });
      left.unshift(best);
    }
    return fail(nowhereChosen(chosenOn, unchosen) ?? refusal ?? noCommonSynchronizer(this.#actAs, synchronizers));
  }

  #chosenAgainOn(candidates: readonly Synchronizer[], { packagesByInformee, usedPackages }: Prepared): Promise<readonly Synchronizer[]> {
    const { submission } = this.#preparation,
      informees = new Set(Object.keys(packagesByInformee));
    return chosenAgainOn(candidates, { submission, informees, usedPackages }, this.#context);
  }

  #detailsOf({ hashingDetails }: Prepared): string | undefined {
    if (!this.#preparation.verboseHashing) return undefined;
    return this.#context.verboseHashing ? (hashingDetails ?? detailsTooLong) : detailsDisabled;
  }

  #prepareOn(synchronizer: Synchronizer): Answer<Prepared> {
    const { submission } = this.#preparation,
      chosen = { submission, synchronizer: synchronizer.number, at: this.#now, ledgerTime: this.#ledgerTime };
    return inPasses(chosen, this.#context, (choosing) => this.#try(synchronizer, choosing));
  }

  /** Perhaps one of several tries: all who would be told have to have vetted what that uses. */
  async #try(synchronizer: Synchronizer, choosing: PackageChoosing | undefined): Promise<Tried<Prepared>> {
    const { interpreter, ledgerEnd, packages, participantId } = this.#context,
      { submission, maxRecordTime, hashingScheme, verboseHashing } = this.#preparation;
    const prepared = await interpreter.prepare({
      submission: {
        actAs: this.#actAs,
        readAs: submission.readAs,
        commands: submission.commands,
        disclosed: submission.disclosedContracts.map(({ createdEventBlob }) => createdEventBlob),
        packageIdSelectionPreference: submission.packageIdSelectionPreference,
        selectionPassesMax: submission.selectionPassesMax,
        keyHints: submission.keyHints,
        choosing,
        ledgerTime: this.#ledgerTime,
        submissionSeed: randomBytes(32),
        atOffset: ledgerEnd.offset,
        packagesRevision: packages.revision,
        synchronizer: synchronizer.number,
        readableOn: readableOn(submission, this.#context),
        participantId,
      },
      commandCount: submission.commandCount,
      preparationTime: this.#ledgerTime, // as the reference's engine has it: one, also where that lies ahead
      commandId: submission.commandId,
      synchronizerId: physicalSynchronizerId(synchronizer.id),
      transactionUuid: randomUUID(),
      maxRecordTime,
      hashingScheme,
      describesHash: verboseHashing && this.#context.verboseHashing,
    });
    if (isFailure(prepared)) {
      const { error } = prepared;
      return "phase" in error && error.phase === "preparation"
        ? { outcome: fail(notPreparable(error.message, submission)), seen: undefined }
        : { outcome: fail(fromInterpretFailure(error, submission, packages)), seen: unvettedIn(error) };
    }
    const { packagesByInformee, inputs } = prepared.ok,
      unknown = checkKnown(Object.keys(packagesByInformee), this.#context);
    if (unknown) return { outcome: fail(unknown), seen: undefined };
    const told = { packagesByInformee, synchronizer: synchronizer.number, ledgerTime: this.#ledgerTime },
      lacking = lackText(lackedBy(this.#context.others, told));
    if (lacking === undefined) return { outcome: prepared, seen: undefined };
    const isBound = inputs.length > 0 || submission.synchronizerId !== "";
    return { outcome: fail(inTextOnly(notVetted(lacking, isBound))), seen: packagesByInformee };
  }

  #routeOf({ packagesByInformee, inputs, usedPackages }: Prepared, prescribed: Synchronizer | undefined): Answer<Route> {
    const { submission } = this.#preparation,
      { readAs, disclosedContracts } = submission,
      { others } = this.#context,
      ledgerTime = this.#ledgerTime;
    return findRoute(
      {
        submitters: [],
        informees: new Set(Object.keys(packagesByInformee)),
        inputs,
        usedPackages,
        ledgerTime,
        prescribed,
        isNamed: submission.synchronizerId !== "",
        readers: [...new Set([...this.#actAs, ...readAs])].sort(),
        disclosed: new Set(disclosedContracts.map(({ contractId }) => contractId)),
        lackedByOthers: async (synchronizer) => lackText(lackedBy(others, { packagesByInformee, synchronizer, ledgerTime })),
        isChosenAgain: (informees) => isChosenAgain({ submission, informees, usedPackages }, this.#context),
      },
      this.#context,
    );
  }
}

/** That there are several commands is found before they run; what then cannot be hashed, by who does not know the submission. */
function notPreparable(reason: string, { commandCount }: CommandSubmission): LedgerErrorData {
  const error = ledgerError("FAILED_TO_PREPARE_TRANSACTION", `The participant failed to prepare the transaction: ${reason}`);
  return commandCount > 1 ? error : whileRouting(error);
}

/** It has to be known, and to be on the synchronizer that is named. */
function firstSubmitterProblem({ actAs, synchronizerId }: CommandSubmission, context: SubmissionContext): LedgerErrorData | undefined {
  const [first] = actAs as [Party],
    unknown = checkKnown([first], context);
  return unknown ?? namedElsewhere(synchronizerId, context.parties.get(first)!.synchronizers, context.synchronizers);
}

function checkKnown(parties: readonly Party[], context: SubmissionContext): LedgerErrorData | undefined {
  const unknown = [...new Set(parties)].filter((party) => !context.parties.get(party));
  return unknown.length > 0 ? unknownInformees(unknown) : undefined;
}
