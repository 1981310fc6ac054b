/** The questions that a participant may have for the engine. */
import type { Log } from "../base/log.js";
import { fail, isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import type {
  CheckRequest,
  Disclosed,
  InterfaceViewReply,
  InterfaceViewRequest,
  InterpretRequest,
  PrepareRequest,
  ReplayRequest,
  SignedRequest,
  UnreadOutcome,
  UnreadRequest,
  ValuePosition,
} from "../ledger/engine/index.js";
import { type Interpreter, ledgerError, type LedgerErrorData, nodeStopped } from "../ledger/index.js";
import type { TypeDescription } from "../lf/index.js";
import { type DarReader, DeadlinePassed } from "./dar-reader.js";
import type { Work } from "./job.js";
import type { JobQueue } from "./job-queue.js";
import type {
  CheckOutcome,
  DisclosedOutcome,
  NewPackage,
  PackagePair,
  PrepareOutcome,
  ReplayOutcome,
  SignedOutcome,
  UpgradeOutcome,
  WorkerReplies,
} from "./messages.js";
import { type InterpretOutcome, unpackedTransaction } from "./packed-interpretations.js";
import { EngineClosed, hadTooLittleMemory } from "./threads.js";
import { isThrownByTask } from "./thrown.js";

export interface ParticipantEngineOptions {
  readonly queue: JobQueue;
  readonly dars: DarReader;
  readonly log: Log;
  /** Its number. */
  readonly participant: number;
}

export class ParticipantEngine implements Interpreter {
  readonly #queue: JobQueue;
  readonly #dars: DarReader;
  readonly #log: Log;
  readonly #participant: number;

  constructor({ queue, dars, log, participant }: ParticipantEngineOptions) {
    this.#queue = queue;
    this.#dars = dars;
    this.#log = log;
    this.#participant = participant;
  }

  interpret(request: InterpretRequest): Promise<InterpretOutcome> {
    return this.#outcome({ kind: "interpret", participant: this.#participant, request }, false);
  }
  interpretUnread(unread: UnreadRequest): Promise<UnreadOutcome> {
    return new Promise((resolve, reject) => {
      const stopped = (refusal: LedgerErrorData): void => resolve({ refusal });
      this.#queue.add({
        work: { kind: "interpret", participant: this.#participant, unread },
        deadlineMs: limits.interpretDeadlineMs,
        alone: false,
        resolve,
        stopped,
        reject,
      });
    });
  }
  checkCommands(request: CheckRequest): Promise<CheckOutcome> {
    return this.#outcome({ kind: "checkCommands", participant: this.#participant, request }, true);
  }
  prepare(request: PrepareRequest): Promise<PrepareOutcome> {
    return this.#outcome({ kind: "prepare", participant: this.#participant, request }, true);
  }
  async replay(request: ReplayRequest): Promise<ReplayOutcome> {
    const reply = await this.#outcome<WorkerReplies["replay"]>({ kind: "replay", participant: this.#participant, request }, true);
    return isFailure(reply) ? reply : ok(unpackedTransaction(reply.ok));
  }
  checkDisclosed(contracts: Disclosed): Promise<DisclosedOutcome> {
    return this.#outcome({ kind: "checkDisclosed", contracts }, true);
  }
  readSigned(request: SignedRequest): Promise<SignedOutcome> {
    return this.#outcome({ kind: "readSigned", request }, true);
  }

  #outcome<O>(work: Work, alone: boolean): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#queue.add({
        work,
        deadlineMs: limits.interpretDeadlineMs,
        alone,
        resolve,
        stopped: (error) => resolve(fail(error) as O),
        reject,
      });
    });
  }

  /** A view that takes too long has failed; the others are computed without it. */
  async computeViews(requests: readonly InterfaceViewRequest[]): Promise<readonly InterfaceViewReply[]> {
    const replies = new Map<InterfaceViewRequest, InterfaceViewReply>();
    for (;;) {
      const open = requests.filter((request) => !replies.has(request));
      const answer = await this.#views(open);
      if ("stopped" in answer) replies.set(open[answer.part]!, { error: answer.stopped });
      else {
        open.forEach((request, index) => replies.set(request, answer.views[index]!));
        return requests.map((request) => replies.get(request)!);
      }
    }
  }

  #views(
    requests: readonly InterfaceViewRequest[],
  ): Promise<{ readonly views: readonly InterfaceViewReply[] } | { readonly stopped: LedgerErrorData; readonly part: number }> {
    return new Promise((resolve, reject) => {
      this.#queue.add({
        work: { kind: "computeViews", participant: this.#participant, requests },
        deadlineMs: limits.viewDeadlineMs,
        alone: true,
        resolve: (views: readonly InterfaceViewReply[]) => resolve({ views }),
        stopped: (stopped, part) => resolve({ stopped, part }),
        reject,
      });
    });
  }

  describeTypes(positions: readonly ValuePosition[]): Promise<readonly (TypeDescription | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.#queue.add({
        work: { kind: "describeTypes", participant: this.#participant, positions },
        deadlineMs: limits.interpretDeadlineMs,
        alone: true,
        resolve,
        stopped: (error) => reject(new Error(error.cause)),
        reject,
      });
    });
  }

  /** `bytes` may be given away. */
  async readDar(bytes: Uint8Array): ReturnType<Interpreter["readDar"]> {
    try {
      return await this.#dars.ask({ kind: "readDar", participant: this.#participant, bytes });
    } catch (error) {
      if (error instanceof EngineClosed) return fail(nodeStopped());
      const message = whyNotRead(error as Error);
      this.#log.warn("a DAR could not be read", { reason: message });
      if (!isOfDar(error)) return fail(ledgerError("SERVICE_NOT_RUNNING", message)); // nothing is wrong with it
      return fail({ phase: "archive", code: "DAR_PARSE_ERROR", class: "LimitExceeded", message });
    }
  }

  /** By the thread that will be asked for upgrades among them. `bytes` may be given away. */
  async listDar(bytes: Uint8Array): ReturnType<Interpreter["listDar"]> {
    try {
      const listed = await this.#dars.ask({ kind: "listDar", participant: this.#participant, bytes });
      return isFailure(listed) ? fail(listed.error.message) : listed;
    } catch (error) {
      return fail(whyNotRead(error as Error));
    }
  }

  /** `added`: those that are not stored yet. */
  checkUpgrades(pairs: readonly PackagePair[], added: readonly NewPackage[]): Promise<UpgradeOutcome> {
    return this.#dars.ask({ kind: "checkUpgrades", participant: this.#participant, pairs, added });
  }

  describePackage(packageId: string): Promise<WorkerReplies["describePackage"]> {
    return this.#dars.ask({ kind: "describePackage", participant: this.#participant, packageId });
  }
}

/** It took more than it may, or would fail again on any thread: others are lost for reasons of their own. */
const isOfDar = (error: unknown): boolean => error instanceof DeadlinePassed || hadTooLittleMemory(error) || isThrownByTask(error);

const whyNotRead = (error: Error): string =>
  error instanceof DeadlinePassed
    ? `reading the DAR took more than ${limits.darDeadlineMs} ms`
    : `reading the DAR failed: ${error.message}`;
