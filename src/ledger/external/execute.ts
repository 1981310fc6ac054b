/**
 * A signed transaction's way to an offset: signatures, change id, interpretation anew, commit. What is committed is what
 * this node's engine makes of the command; the signed transaction only says what that has to be.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { assert } from "../../base/assert.js";
import { fail, isFailure, ok } from "../../base/result.js";
import {
  acceptanceOf,
  answeredEarly,
  bringTogether,
  commitInterpreted,
  type CommitOutcome,
  duplicateProblem,
  type ExternallySigned,
  findRoute,
  informeesOf,
  lackedByOthers,
  ledgerTimeTolerance,
  ledgerTimeTooFar,
  notVetted,
  type Place,
  recordFacts,
  recordRejection,
  type SubmissionContext,
  type Submitting,
  type Telling,
  type Told,
  toldLate,
  toldOf,
  unknowablePeriod,
  unknownPartiesProblem,
  waitFor,
} from "../submission/index.js";
import {
  type Acceptance,
  type Admission,
  askedLedgerTime,
  changeKey,
  checkExecution,
  checkLedgerTime,
  checkSubmission,
  type CommandSubmission,
  noPeriod,
  readAcceptance,
  signedForMicros,
} from "../intake/index.js";
import {
  type Answer,
  instantText,
  ledgerError,
  type LedgerErrorData,
  logicalSynchronizerId,
  type Party,
  type Synchronizer,
  whileElsewhere,
} from "../model/index.js";
import {
  type InterpretedTransaction,
  isUnplaced,
  type PreparationError,
  type RecordFacts,
  type SignedFacts,
  type UnplacedTransaction,
} from "../interpretation/index.js";
import type { ExternalParties } from "./external-parties.js";
import { checkSigned, checkSigners, checkSignersHosted, type KeysOf, type SignedTransaction } from "./signed-transaction.js";

export interface Execution
  extends
    SignedTransaction,
    Pick<CommandSubmission, "userId" | "submissionId" | "deduplication" | "minLedgerTimeAbs" | "minLedgerTimeRel" | "trace"> {}

export interface ExecutionContext extends SubmissionContext {
  readonly externalParties: ExternalParties;
  /** Of all participants of the network: what was signed is good for once, wherever it is brought. Until the file has it. */
  readonly signedUnderWay: Set<string>;
}

interface Checked extends Pick<Submitting, "submissionId" | "submittedAt"> {
  readonly submission: CommandSubmission;
  readonly facts: SignedFacts;
  readonly prepared: Uint8Array;
  /** All for whom there is a signature, or room for one. */
  readonly signers: readonly Party[];
}

interface Executing extends Checked, Omit<Submitting, "submission"> {
  readonly external: ExternallySigned;
  readonly place: Place;
}

export class Executions {
  readonly #context: ExecutionContext;
  /** Replay keys between verification and when the file has them. */
  readonly #underWay: Set<string>;

  constructor(context: ExecutionContext) {
    this.#context = context;
    this.#underWay = context.signedUnderWay;
  }

  /** Resolves when the transaction is durable. */
  execute(execution: Execution, admission: Admission | undefined, telling: Telling): Answer<Told> {
    return this.#inPlace(execution, admission, async (executing) => {
      const duplicate = await this.#rejectRepeated(executing);
      return duplicate ? fail(duplicate) : this.#run(executing, telling);
    });
  }

  /** Resolves once the signatures are found good; what follows is told by a completion. */
  executeAsync(execution: Execution, admission: Admission | undefined): Answer<void> {
    return answeredEarly(this.#context.log, (answer) =>
      this.#inPlace<void>(execution, admission, async (executing) => {
        answer(ok(undefined));
        if (!(await this.#rejectRepeated(executing))) await this.#run(executing, toldLate);
        return ok(undefined);
      }),
    );
  }

  /** Signatures and field rules, then `work` in a place among the commands in flight. */
  async #inPlace<T>(execution: Execution, admission: Admission | undefined, work: (executing: Executing) => Answer<T>): Answer<T> {
    const submissionId = execution.submissionId || randomUUID(),
      submittedAt = this.#context.ledgerEnd.promised;
    const signatures = checkSigned(execution, {
      before: () => checkExecution(execution),
      behind: () => checkLedgerTime(execution, this.#context),
    });
    if (isFailure(signatures)) {
      const { error } = signatures;
      return fail(error.origin === "json" ? error : { ...error, correlationId: submissionId });
    }
    const facts = await this.#read(execution);
    if (isFailure(facts)) return facts;
    const { number } = this.#synchronizer({ facts: facts.ok }),
      keysOf: KeysOf = (party) => this.#context.externalParties.onboarded(party, number)?.mapping;
    const unsigned = checkSigners(facts.ok, signatures.ok, keysOf);
    if (unsigned) return fail(unsigned);
    const submission = submissionOf(execution, facts.ok);
    const unfit = checkSubmission(submission, this.#context) ?? this.#context.impediments.refusal();
    if (unfit) return fail({ ...unfit, correlationId: submissionId });
    const signers = signatures.ok.map(({ party }) => party);
    return this.#enter({ submission, submissionId, submittedAt, facts: facts.ok, prepared: execution.prepared, signers }, admission, work);
  }

  #read({ prepared, hashingScheme = "V2" }: Execution): Answer<SignedFacts> {
    const { interpreter, synchronizers } = this.#context;
    return interpreter.readSigned({ prepared, hashingScheme, synchronizerIds: synchronizers.connected.map(({ id }) => id) });
  }

  async #enter<T>(checked: Checked, admission: Admission | undefined, work: (executing: Executing) => Answer<T>): Answer<T> {
    const { inFlight } = this.#context,
      { submission, submissionId, facts } = checked;
    const { actAs, commandId, preparationTime, maxRecordTime } = facts.metadata;
    const change = { userId: submission.userId, commandId, actAs },
      key = changeKey(change);
    const hash = Buffer.from(facts.hash).toString("hex"),
      replayKey = replayKeyOf(facts);
    if (this.#underWay.has(replayKey))
      return fail(ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", "The signed transaction is already being processed."));
    const place = inFlight.enter({ key, change, submissionId, synchronizerId: synchronizerIdOf(facts) }, admission);
    if (isFailure(place)) return place;
    return place.ok.during(async () => {
      this.#underWay.add(replayKey);
      try {
        return await work({
          ...checked,
          actAs,
          changeKey: key,
          ...acceptanceOf(submission, key, this.#context),
          external: { hash, replayKey, preparationTime, maxRecordTime },
          place: place.ok,
        });
      } finally {
        void this.#leave(replayKey);
      }
    });
  }

  /** Whoever brings it again finds it in the file from then on. */
  async #leave(replayKey: string): Promise<void> {
    await this.#context.ledgerEnd.caughtUp();
    this.#underWay.delete(replayKey);
  }

  /** By change id within its period here; and a signed transaction is good for once, as long as its preparation is not too old anyway. */
  async #rejectRepeated(executing: Executing): Promise<LedgerErrorData | undefined> {
    const duplicate = duplicateProblem(executing, this.#context);
    if (duplicate) return this.#reject(executing, duplicate);
    const untold = unknowablePeriod(executing, this.#context);
    if (untold) return this.#reject({ ...executing, deduplication: noPeriod }, untold);
    const repeated = this.#repeated(executing);
    return repeated && this.#reject(executing, repeated);
  }

  /** Whoever brought it, wherever, and whatever came of it: what is told of that is no more than that it came. */
  #repeated({ facts, external }: Executing): LedgerErrorData | undefined {
    const { tables, others, clock } = this.#context,
      keys = [external.replayKey, formerKeyOf(external)],
      now = clock.nowMicros();
    for (const each of [tables, ...others.map(({ commits }) => commits.tables)])
      for (const key of keys) {
        const use = readAcceptance(each, key);
        if (use !== undefined && now <= usedUntil(use)) return duplicateTransaction(facts, use);
      }
    return undefined;
  }

  async #run(began: Executing, telling: Telling): Answer<Told> {
    const { clock, ledgerEnd } = this.#context,
      beganAt = clock.nowMicros(),
      time = await this.#ledgerTime(began);
    if (isFailure(time)) return fail(await this.#reject(began, time.error));
    // While it waited for its ledger time another command of the same change may have been accepted, and others were done.
    const executing = {
        ...began,
        submittedAt: time.ok > beganAt ? ledgerEnd.promised : began.submittedAt,
        ...acceptanceOf(began.submission, began.changeKey, this.#context),
      },
      duplicate = executing.acceptance?.offset === began.acceptance?.offset ? undefined : await this.#rejectRepeated(executing);
    if (duplicate) return fail(duplicate);
    const outcome = await this.#commit(executing, time.ok, recordFacts(executing, this.#context), telling);
    if (isFailure(outcome)) return outcome;
    switch (outcome.ok.kind) {
      case "accepted":
        return ok(toldOf(outcome.ok));
      case "rejected":
        return fail(outcome.ok.error);
      case "stale":
        return fail(await this.#reject(executing, outcome.ok.error)); // what was signed cannot be interpreted into something else
    }
  }

  /** `facts`: where its records may be made early. */
  async #commit(
    executing: Executing,
    ledgerTime: bigint,
    facts: RecordFacts | undefined,
    telling: Telling,
  ): Answer<Exclude<CommitOutcome, { kind: "outgrown" }>> {
    const keysReadAt = this.#context.ledgerEnd.offset,
      replayed = await this.#replay(executing, ledgerTime, facts);
    if (isFailure(replayed)) return fail(await this.#reject(executing, replayed.error));
    const unmoved = isUnplaced(replayed.ok) ? undefined : await this.#bringTogether(executing, replayed.ok, ledgerTime);
    const refused = unmoved ?? this.#checkHosted(executing);
    if (refused !== undefined) return fail(await this.#reject(executing, refused));
    const toCommit = {
      submitting: executing,
      transaction: replayed.ok,
      synchronizer: this.#synchronizer(executing).number,
      ledgerTime,
      keysReadAt,
      external: executing.external,
    };
    const outcome = await commitInterpreted(toCommit, telling, this.#context);
    if (isFailure(outcome)) return outcome;
    const settled = outcome.ok;
    if (settled.kind !== "outgrown") return ok(settled);
    await this.#context.ledgerEnd.caughtUp();
    return this.#commit(executing, ledgerTime, undefined, telling);
  }

  /** Also those who need not have signed. */
  #checkHosted(executing: Executing): LedgerErrorData | undefined {
    const { number } = this.#synchronizer(executing),
      { parties } = this.#context;
    return checkSignersHosted(executing.signers, (party) => parties.get(party)?.synchronizers.includes(number) === true);
  }

  /** Contracts that this participant knows to be elsewhere come to where the transaction was signed to be. */
  async #bringTogether(
    executing: Executing,
    transaction: InterpretedTransaction,
    ledgerTime: bigint,
  ): Promise<LedgerErrorData | undefined> {
    const { synchronizers, turns } = this.#context,
      { inputs, usedPackages } = transaction,
      { actAs, submission, submissionId } = executing;
    if (synchronizers.all.length === 1) return undefined;
    const route = await findRoute(
      {
        submitters: [],
        informees: await informeesOf(transaction, turns),
        inputs,
        usedPackages,
        ledgerTime,
        prescribed: this.#synchronizer(executing),
        isNamed: true,
        readers: actAs,
        disclosed: new Set(inputs),
        lackedByOthers: (synchronizer) => lackedByOthers(transaction, { synchronizer, ledgerTime }, this.#context),
        isChosenAgain: undefined,
      },
      this.#context,
    );
    return isFailure(route) ? route.error : bringTogether(route.ok, { ...submission, submissionId }, this.#context);
  }

  /** The one that was signed for. */
  #synchronizer({ facts }: Pick<Checked, "facts">): Synchronizer {
    const found = this.#context.synchronizers.find(synchronizerIdOf(facts));
    assert(found, "what was signed was held against the connected synchronizers");
    return found;
  }

  async #replay(
    executing: Executing,
    ledgerTime: bigint,
    facts: RecordFacts | undefined,
  ): Answer<InterpretedTransaction | UnplacedTransaction> {
    const { prepared, facts: signed, submission } = executing,
      { packages, ledgerEnd, participantId, interpreter } = this.#context,
      { number: synchronizer, id: synchronizerId } = this.#synchronizer(executing);
    const unvetted = signed.packages.find((packageId) => !packages.isVetted(packageId, synchronizer, ledgerTime));
    if (unvetted !== undefined) return fail({ ...notVetted(unvetted, true), context: { synchronizerId } });
    const replayed = await interpreter.replay({
      prepared,
      ledgerTime,
      submissionSeed: randomBytes(32),
      atOffset: ledgerEnd.offset,
      packagesRevision: packages.revision,
      synchronizer,
      participantId,
      facts,
      externalTransactionHash: executing.external.hash,
      traceparent: submission.trace.traceparent,
    });
    if (isFailure(replayed)) return fail(replayFailure(replayed.error, signed));
    if (isUnplaced(replayed.ok)) return replayed; // all in it have numbers
    const unknown = await unknownPartiesProblem(replayed.ok, this.#context);
    return unknown ? fail(unknown) : replayed;
  }

  /** The asked time, moved into the bounds within which the transaction stays the same. Nobody waits for one that is too far ahead. */
  async #ledgerTime({ submission, facts, prepared, place }: Executing): Answer<bigint> {
    const now = this.#context.clock.nowMicros(),
      asked = askedLedgerTime(submission, now),
      atLeast = asked > now ? asked : now;
    const { minLedgerTime = atLeast, maxLedgerTime = atLeast } = facts.metadata,
      time = minLedgerTime > atLeast ? minLedgerTime : maxLedgerTime < atLeast ? maxLedgerTime : atLeast;
    if (time + ledgerTimeTolerance < now)
      return fail(ledgerError("NOT_SEQUENCED_TIMEOUT", "The ledger time up to which the transaction is good has passed."));
    if (time > now + ledgerTimeTolerance) return fail(ledgerTimeTooFar());
    const refusal = await waitFor(time, place, prepared.length, this.#context);
    return refusal ? fail(refusal) : ok(time);
  }

  #reject(executing: Executing, error: LedgerErrorData): Promise<LedgerErrorData> {
    return recordRejection(executing, error, this.#context, executing.external);
  }
}

const usedUntil = ({ recordTime }: Acceptance): bigint => recordTime + signedForMicros;

function duplicateTransaction({ metadata: { transactionUuid: uuid } }: SignedFacts, use: Acceptance): LedgerErrorData {
  const expireAfter = instantText(usedUntil(use));
  const error = ledgerError(
    "DUPLICATE_CONFIRMATION_REQUEST_UUID",
    `A transaction with the UUID ${uuid} came to be recorded before. None can have it again until ${expireAfter}.`,
    { context: { uuid, expireAfter } },
  );
  return whileElsewhere(error);
}

const synchronizerIdOf = ({ metadata }: SignedFacts): string => logicalSynchronizerId(metadata.synchronizerId);

/** As mediators tell requests apart: by the UUID, whatever else stands beside it and by whichever scheme it was hashed and signed. */
const replayKeyOf = (facts: SignedFacts): string => keyOf(`${synchronizerIdOf(facts)} ${facts.metadata.transactionUuid.toLowerCase()}`);
/** Under which folders have what was recorded by nodes that went by the hash: it can be brought again for `signedForMicros`. */
const formerKeyOf = ({ hash }: ExternallySigned): string => keyOf(hash);

const replayKeyChars = 32;
const keyOf = (transaction: string): string =>
  createHash("sha256").update(`signed transaction ${transaction}`).digest("hex").slice(0, replayKeyChars);

/** The one command has no text any more: it is the root of the transaction. */
const submissionOf = (execution: Execution, { metadata }: SignedFacts): CommandSubmission => ({
  commands: "[]",
  commandCount: 1,
  commandId: metadata.commandId,
  userId: execution.userId,
  submissionId: execution.submissionId,
  workflowId: "",
  actAs: metadata.actAs,
  readAs: [],
  deduplication: execution.deduplication,
  minLedgerTimeAbs: execution.minLedgerTimeAbs,
  minLedgerTimeRel: execution.minLedgerTimeRel,
  disclosedContracts: [],
  synchronizerId: logicalSynchronizerId(metadata.synchronizerId),
  packageIdSelectionPreference: [],
  trace: execution.trace,
});

/** What was looked up by key may have changed since it was signed; everything else is fixed by what was signed. */
function replayFailure(error: LedgerErrorData | PreparationError, { usesKeys }: SignedFacts): LedgerErrorData {
  if (!("phase" in error)) return error;
  if (usesKeys)
    return ledgerError("INCONSISTENT_CONTRACT_KEY", "What the transaction found by contract keys when it was prepared is not so now.");
  return ledgerError(
    "LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK",
    `The signed transaction does not conform to its model: ${error.message}`,
  );
}
