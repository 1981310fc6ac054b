/** Commands that this process submits itself for parties that are hosted here: bootstrap, automation and wallets. */
import { randomUUID } from "node:crypto";
import { isFailure, ok, type Result } from "../base/result.js";
import type { Accepted, CommandSubmission, LedgerErrorData, Offset, Participant, Party } from "../ledger/index.js";
import { contractOf, type Contract, type CreatedEvent } from "./contracts.js";
import { effects, partyFormat } from "./history/reading.js";
import type { Exercised } from "./history/transaction.js";
import type { DisclosedContract } from "./registry/choice-context.js";

export interface Submission {
  readonly actAs: readonly Party[];
  readonly readAs?: readonly Party[];
  /** In the Ledger JSON API's form: `{CreateCommand:{..}}`, `{ExerciseCommand:{..}}`, .. */
  readonly commands: readonly object[];
  /** As the registry's contexts give them. */
  readonly disclosed?: readonly DisclosedContract[];
  /** A fixed one makes it happen once: the second time is refused as DUPLICATE_COMMAND. Left out: a fresh one. */
  readonly commandId?: string;
  /** For so long; undefined: as long as the ledger remembers. */
  readonly deduplicationSeconds?: number;
  readonly userId?: string;
  /** Package ids that are preferred where a command names packages by name. */
  readonly packagePreference?: readonly string[];
}

export interface Submitted {
  readonly updateId: string;
  readonly offset: Offset;
  /** Of the first exercise that the submitters see, in the ledger's JSON; undefined: there is none. */
  readonly exerciseResult: unknown;
  /** Contracts that are there now and that those who act or read are stakeholders of. */
  readonly created: readonly Contract[];
}

type Ledger = Pick<Participant, "submit" | "readUpdate">;

type SubmittedEvent =
  | { readonly CreatedEvent: CreatedEvent; readonly ExercisedEvent?: undefined }
  | { readonly ExercisedEvent: Exercised; readonly CreatedEvent?: undefined };

/** Codes of a command that wanted a contract which somebody else had taken, or was about to take. */
export const takenCodes: ReadonlySet<string> = new Set([
  "CONTRACT_NOT_FOUND",
  "LOCAL_VERDICT_INACTIVE_CONTRACTS",
  "LOCAL_VERDICT_LOCKED_CONTRACTS",
]);

/** Whether the command may go if it is made again with other contracts. `subject`: contract id of what it cannot do without. */
export const wasTaken = ({ code, resources }: LedgerErrorData, subject?: string): boolean =>
  takenCodes.has(code) && !resources.some(([, id]) => id === subject);

/** Whether somebody else came first: the subject itself is gone, or about to go. */
export const isLost = ({ code, resources }: Pick<LedgerErrorData, "code" | "resources">, subject: string): boolean =>
  takenCodes.has(code) && resources.some(([, id]) => id === subject);

export class Submitter {
  readonly #ledger: Ledger;
  readonly #defaults: { readonly userId: string };
  /** The last of those that are to happen once, by who asks and for what. */
  readonly #onceUnderWay = new Map<string, Promise<unknown>>();

  constructor(ledger: Ledger, defaults: { readonly userId: string }) {
    this.#ledger = ledger;
    this.#defaults = defaults;
  }

  /** Resolves when the transaction is durable; every refusal is the ledger's. */
  async submit(submission: Submission): Promise<Result<Submitted, LedgerErrorData>> {
    const accepted = await this.#ledger.submit(commandsOf(submission, submission.userId ?? this.#defaults.userId));
    return isFailure(accepted) ? accepted : this.#read(accepted.ok, [...submission.actAs, ...(submission.readAs ?? [])]);
  }

  /**
   * The same, where a command id that was accepted before gives what it gave then, also to who asks while that is under way. It is a
   * duplicate where what it gave then is pruned.
   */
  async submitOnce(submission: Submission & { readonly commandId: string }): Promise<Result<Submitted, LedgerErrorData>> {
    const underWay = this.#onceUnderWay,
      { userId = this.#defaults.userId, actAs, commandId } = submission,
      key = JSON.stringify([userId, actAs, commandId]);
    const before = underWay.get(key),
      done = before === undefined ? this.#submitOnce(submission) : before.then(() => this.#submitOnce(submission));
    const ended = done.catch(() => undefined); // who asked for it hears of it
    underWay.set(key, ended);
    try {
      return await done;
    } finally {
      if (underWay.get(key) === ended) underWay.delete(key);
    }
  }

  async #submitOnce(submission: Submission): Promise<Result<Submitted, LedgerErrorData>> {
    const submitted = await this.submit(submission);
    const offset = isFailure(submitted) && submitted.error.code === "DUPLICATE_COMMAND" && submitted.error.context["completion_offset"];
    if (!offset) return submitted;
    const readers = [...submission.actAs, ...(submission.readAs ?? [])],
      given = await this.#read({ updateId: undefined, completionOffset: Number(offset) }, readers);
    return isFailure(given) ? submitted : given;
  }

  async #read(
    { updateId, completionOffset: offset }: Pick<Accepted, "completionOffset"> & { readonly updateId: string | undefined },
    readers: readonly Party[],
  ): Promise<Result<Submitted, LedgerErrorData>> {
    const read = await this.#ledger.readUpdate({ by: { offset }, format: seenBy(readers), form: "flat", emptyWhenHidden: true });
    if (isFailure(read)) return read;
    const { updateId: ownId, events } = JSON.parse(read.ok) as { readonly updateId: string; readonly events: readonly SubmittedEvent[] };
    const exercised = events.flatMap(({ ExercisedEvent }) => ExercisedEvent ?? []);
    const archived = new Set(exercised.filter(({ consuming }) => consuming).map(({ contractId }) => contractId));
    const isTheirs = ({ contractId, signatories, observers }: CreatedEvent): boolean =>
      !archived.has(contractId) && readers.some((party) => signatories.includes(party) || observers.includes(party));
    const created = events.flatMap(({ CreatedEvent }) => (CreatedEvent && isTheirs(CreatedEvent) ? contractOf(CreatedEvent) : []));
    return ok({ updateId: updateId ?? ownId, offset, exerciseResult: exercised[0]?.exerciseResult, created });
  }
}

/** Everything that one of them sees, with what happened below. */
function seenBy(readers: readonly Party[]) {
  const cumulative = [{ kind: "wildcard", includeCreatedEventBlob: true }] as const;
  return effects(partyFormat(Object.fromEntries(readers.map((party) => [party, { cumulative }]))));
}

/** As the ledger takes it. */
export const commandsOf = (submission: Submission, userId: string): CommandSubmission => ({
  commands: JSON.stringify(submission.commands),
  commandCount: submission.commands.length,
  commandId: submission.commandId ?? randomUUID(),
  userId,
  submissionId: "",
  workflowId: "",
  actAs: submission.actAs,
  readAs: submission.readAs ?? [],
  deduplication:
    submission.deduplicationSeconds === undefined
      ? { kind: "none" }
      : { kind: "duration", seconds: submission.deduplicationSeconds, nanos: 0 },
  minLedgerTimeAbs: undefined,
  minLedgerTimeRel: undefined,
  disclosedContracts: (submission.disclosed ?? []).map((contract) => ({
    contractId: contract.contractId,
    templateId: contract.templateId,
    createdEventBlob: Buffer.from(contract.createdEventBlob, "base64"),
    synchronizerId: contract.synchronizerId,
  })),
  synchronizerId: "",
  packageIdSelectionPreference: submission.packagePreference ?? [],
  trace: { traceparent: null, tracestate: null },
});
