/** A ledger over a real LMDB in a temporary folder, with an interpreter that does what its commands say. */
import { createHash } from "node:crypto";
import assert from "node:assert/strict";
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Clock } from "../../src/base/clock.js";
import type { Cursor, ElementWriter } from "../../src/base/element-writer.js";
import { fail, isFailure, ok, type Result } from "../../src/base/result.js";
import {
  type CommandSubmission,
  type EventFormatRequest,
  fromEngineError,
  type InterpretedTransaction,
  type Interpreter,
  type InterpretRequest,
  type Ledger,
  type LedgerErrorData,
  type PackageSummary,
  type UpdateFormatRequest,
  verifyLedger,
} from "../../src/ledger/index.js";
import { limits } from "../../src/config.js";
import type { Participant } from "../../src/ledger/participant/index.js";
import type { StoredEvent } from "../../src/ledger/model/model.js";
import {
  checkDisclosed,
  encodeUnplaced,
  factsOfPlain,
  KnownNumbers,
  type PlainSubmission,
  readSigned,
  requestOfPlain,
  type UnplacedTransaction,
  type UnreadOutcome,
  type UnreadRequest,
} from "../../src/ledger/engine/index.js";
import { interpretationError } from "../../src/lf/errors.js";
import { checkFile, dataFile, RecordWriter, openStore, type Store, type Tables } from "../../src/store/index.js";
import { createLedger, type LedgerOptions } from "./create-ledger.js";
import { removeFolder, temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

/** One node of a scripted transaction. */
export type Step =
  | {
      readonly create: string;
      readonly template?: string;
      readonly signatories: readonly string[];
      readonly observers?: readonly string[];
      readonly text?: string;
      readonly key?: string;
    }
  | {
      readonly exercise: string;
      readonly by: readonly string[];
      readonly consuming?: boolean;
      readonly choice?: string;
      readonly children?: readonly Step[];
    }
  /** A node id that no event gets: a fetch, of which knows who sees what it is nested in. */
  | { readonly fetch: string }
  /** A key query that expects these contracts. */
  | { readonly lookup: string; readonly found: readonly string[] };

interface Contract {
  readonly contractId: string;
  readonly template: string;
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
  readonly keyHash: string;
}

export const contractIdOf = (name: string): string =>
  `00${createHash("sha256").update(name).digest("hex")}ca121220${createHash("sha256").update(`suffix ${name}`).digest("hex")}`;
export const keyHashOf = (key: string): string => createHash("sha256").update(`key ${key}`).digest("hex");

export const packagePayload = Buffer.from("test package");
export const packageId = createHash("sha256").update(packagePayload).digest("hex");
export const packageName = "test-model";
export const summaryOf = (changes: Partial<PackageSummary> = {}): PackageSummary => ({
  packageId,
  name: packageName,
  version: "1.0.0",
  lfVersion: "2.1",
  isUtility: false,
  dependencies: [],
  templates: ["M:Asset", "M:Other", "M:Keyed", "M:Unmade"],
  interfaces: ["M:Holding", "M:Promise", "M:Bare"],
  implements: { "M:Asset": [`${packageId}:M:Holding`], "M:Unmade": [`${packageId}:M:Promise`] },
  ...changes,
});

/** Those that a node informs by itself, where others witness it, too. */
const ownOf = (informees: readonly string[], witnesses: readonly string[]): readonly string[] | undefined =>
  new Set(informees).size === witnesses.length ? undefined : informees;

const quoted = (texts: readonly string[]): string => JSON.stringify(texts);

/** Runs scripts; knows every contract it made, active or not, so that only the commit decides about races. */
export class ScriptedInterpreter implements Interpreter {
  readonly contracts = new Map<string, Contract>();
  /** Called before every answer: where a test may hold or change things. */
  beforeAnswer: (request: InterpretRequest) => Promise<void> | void = () => {};
  /** Makes another transaction of what a command gave. */
  alter: (transaction: InterpretedTransaction, request: InterpretRequest) => InterpretedTransaction = (transaction) => transaction;
  interpreted = 0;
  darsRead = 0;
  dar: Result<Awaited<ReturnType<Interpreter["readDar"]>>["ok"] & object, never> | undefined;

  /** Of the ledger's parties and templates: with them every other transaction comes as records, where it may. */
  numbers: KnownNumbers | undefined;

  /** Of the ledger: with them bodies are read, which are JSON of a `PlainSubmission`. */
  tables: Tables | undefined;

  async interpretUnread(unread: UnreadRequest): Promise<UnreadOutcome> {
    const plain = JSON.parse(Buffer.from(unread.body).toString()) as PlainSubmission,
      { tables } = this,
      facts = tables && factsOfPlain(plain, unread, (party) => tables.parties.read(party) !== undefined);
    if (facts === undefined) return undefined;
    const outcome = await this.interpret(requestOfPlain(unread, JSON.stringify(plain.commands), facts));
    return isFailure(outcome) ? { refusal: outcome.error } : { facts, transaction: outcome.ok };
  }

  async interpret(request: InterpretRequest): Promise<Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData>> {
    this.interpreted++;
    const steps = JSON.parse(request.commands as string) as readonly (Step | { readonly error: string })[];
    const failing = steps.find((step) => "error" in step);
    if (failing && "error" in failing)
      return fail(fromEngineError(interpretationError("UserError", failing.error, { message: failing.error })));
    await this.beforeAnswer(request);
    const transaction = this.alter(this.#run(steps as readonly Step[]), request),
      { facts, actAs, ledgerTime } = request;
    if (facts === undefined || this.numbers === undefined || this.interpreted % 2 === 0) return ok(transaction);
    return ok(encodeUnplaced(new RecordWriter(), { transaction, facts, actAs, ledgerTime }, this.numbers) ?? transaction);
  }

  #run(steps: readonly Step[]): InterpretedTransaction {
    const events: StoredEvent[] = [],
      local = new Set<string>(),
      archived = new Set<string>(),
      inputs = new Set<string>();
    const keyInputs: InterpretedTransaction["keyInputs"][number][] = [],
      untoldNodes: InterpretedTransaction["untoldNodes"][number][] = [];
    let nodeId = 0;
    const run = (step: Step, parents: readonly string[]): void => {
      const id = nodeId++;
      if ("lookup" in step || "fetch" in step) untoldNodes.push({ witnesses: parents, nodeIds: [id] });
      if ("lookup" in step) {
        keyInputs.push({ keyHash: keyHashOf(step.lookup), contractIds: step.found.map(contractIdOf), exhaustive: true, ignoring: 0 });
        return;
      }
      if ("fetch" in step) {
        const contractId = contractIdOf(step.fetch);
        if (!local.has(contractId)) inputs.add(contractId);
        return;
      }
      if ("create" in step) {
        local.add(contractIdOf(step.create));
        events.push(this.#create(step, id, parents));
        return;
      }
      const contract = this.contracts.get(contractIdOf(step.exercise));
      if (!contract) throw new Error(`script uses unknown contract ${step.exercise}`);
      const { contractId } = contract,
        consuming = step.consuming ?? true;
      if (!local.has(contractId)) inputs.add(contractId);
      if (consuming) archived.add(contractId);
      const informees = consuming ? [...contract.stakeholders, ...step.by] : [...contract.signatories, ...step.by];
      const witnesses = [...new Set([...informees, ...parents])].sort();
      const at = events.length;
      for (const child of step.children ?? []) run(child, witnesses);
      const templateId = `${packageId}:${contract.template}`,
        choice = step.choice ?? "Archive";
      events.splice(at, 0, {
        kind: "exercise",
        nodeId: id,
        contractId,
        templateId,
        packageName,
        stakeholders: contract.stakeholders,
        witnesses,
        informees: ownOf(informees, witnesses),
        json: `,"interfaceId":null,"choice":"${choice}","choiceArgument":{},"actingParties":${quoted(step.by)},"consuming":${consuming}`,
        jsonAfter: `"lastDescendantNodeId":${nodeId - 1},"exerciseResult":{},"packageName":"${packageName}"`,
        consuming,
        deactivates: consuming && !local.has(contractId),
      });
    };
    for (const step of steps) run(step, []);
    const settled = events.map((event) => (event.kind === "create" ? { ...event, activates: !archived.has(event.contractId) } : event));
    return {
      events: settled,
      keyInputs,
      ignoredByKeys: [],
      minLedgerTime: -(2n ** 62n),
      maxLedgerTime: 2n ** 62n,
      usedPackages: [packageId],
      untold: [],
      untoldNodes,
      inputs: [...inputs],
    };
  }

  #create(step: Extract<Step, { create: string }>, nodeId: number, parents: readonly string[]): StoredEvent {
    const contractId = contractIdOf(step.create),
      template = step.template ?? "M:Asset",
      templateId = `${packageId}:${template}`;
    const observers = [...(step.observers ?? [])].sort(),
      signatories = [...step.signatories].sort();
    const stakeholders = [...new Set([...signatories, ...observers])].sort(),
      keyHash = step.key === undefined ? "" : keyHashOf(step.key);
    this.contracts.set(contractId, { contractId, template, signatories, stakeholders, keyHash });
    return {
      kind: "create",
      nodeId,
      contractId,
      templateId,
      packageName,
      stakeholders,
      witnesses: [...new Set([...stakeholders, ...parents])].sort(),
      informees: ownOf(stakeholders, [...new Set([...stakeholders, ...parents])]),
      json: `,"contractKey":null,"contractKeyHash":"${keyHash}","createArgument":{"name":${JSON.stringify(step.text ?? step.create)}}`,
      jsonAfter: `"signatories":${quoted(signatories)},"observers":${quoted(observers)},"createdAt":"2026-01-01T00:00:00Z","packageName":"${packageName}","representativePackageId":"${packageId}"`,
      activates: true,
      createdEventBlob: Buffer.from(`instance of ${step.create}`),
      keyHash,
    };
  }

  async prepare(): ReturnType<Interpreter["prepare"]> {
    return fail({ phase: "preparation", message: "scripts are not signed" });
  }
  async replay(): ReturnType<Interpreter["replay"]> {
    return fail({ phase: "preparation", message: "scripts are not signed" });
  }

  async checkCommands(): ReturnType<Interpreter["checkCommands"]> {
    return ok(undefined);
  }

  async checkDisclosed(contracts: Parameters<Interpreter["checkDisclosed"]>[0]): ReturnType<Interpreter["checkDisclosed"]> {
    const wrong = checkDisclosed(contracts);
    return wrong === undefined ? ok(undefined) : fail(wrong);
  }
  async readSigned(request: Parameters<Interpreter["readSigned"]>[0]): ReturnType<Interpreter["readSigned"]> {
    return readSigned(request);
  }

  async listDar(): ReturnType<Interpreter["listDar"]> {
    return fail("no DAR was scripted");
  }
  async readDar(): ReturnType<Interpreter["readDar"]> {
    this.darsRead++;
    return this.dar ?? fail({ phase: "archive", code: "INVALID_DAR", class: "InvalidDar", message: "no DAR was scripted" });
  }

  async describeTypes(positions: Parameters<Interpreter["describeTypes"]>[0]): ReturnType<Interpreter["describeTypes"]> {
    return positions.map(() => [{ kind: "record", id: "p:M:R", fields: [] }]);
  }

  async describePackage(id: string): ReturnType<Interpreter["describePackage"]> {
    return ok(JSON.stringify({ packageId: id }));
  }

  async computeViews(requests: Parameters<Interpreter["computeViews"]>[0]): ReturnType<Interpreter["computeViews"]> {
    return requests.map(({ instance }) => ({ json: JSON.stringify({ of: Buffer.from(instance).toString() }) }));
  }
}

/** Stands still unless moved; starts at a readable time. */
export class TestClock implements Clock {
  now = 1_767_225_600_000_000n; // 2026-01-01
  #passed = 0n;
  nowMicros(): bigint {
    return this.now;
  }
  elapsedMicros(): bigint {
    return this.#passed;
  }
  /** Time passes; to change `now` alone is to set the clock. */
  pass(micros: bigint): void {
    this.now += micros;
    this.#passed += micros;
  }
}

export interface Fixture {
  readonly ledger: Ledger;
  readonly store: Store;
  readonly interpreter: ScriptedInterpreter;
  readonly clock: TestClock;
  readonly folder: string;
  readonly parties: Readonly<Record<string, string>>;
}

/** A test, or whoever else cleans up after itself. */
export type Cleaner = Pick<TestContext, "after">;

export async function openFixture(
  folder: string,
  {
    keepsReserve = false,
    ...parts
  }: { interpreter?: ScriptedInterpreter; clock?: TestClock; keepsReserve?: boolean } & Partial<LedgerOptions> = {},
): Promise<Omit<Fixture, "parties">> {
  const store = await openStore({ folder, keepsReserve });
  const interpreter = parts.interpreter ?? new ScriptedInterpreter(),
    clock = parts.clock ?? new TestClock();
  interpreter.numbers = new KnownNumbers().at(store.tables);
  interpreter.tables = store.tables;
  const ledger = await createLedger({
    builtInPackages: async () => [{ summary: summaryOf(), payload: packagePayload }],
    turns: ownTurns(),
    ...parts,
    store,
    interpreter,
    clock,
  });
  return { ledger, store, interpreter, clock, folder };
}

export async function closeFixture({ ledger, store, folder }: Pick<Fixture, "ledger" | "store" | "folder">): Promise<void> {
  await ledger.close();
  await store.close();
  if (existsSync(folder)) assert.equal(checkFile(folder)?.error?.text, undefined, "the file holds what was written to it");
}

/** Ends it; nothing is wrong with what it leaves. */
export async function soundAgain(fixture: Pick<Fixture, "ledger" | "store" | "folder">): Promise<void> {
  await closeFixture(fixture);
  const { sound, text } = await verifyLedger(fixture.folder);
  assert.ok(sound, text);
}

/**
 * Of the folder of a ledger that runs: pages of a commit that is under way are not reachable yet. Its meta pages are those from before the
 * copy began, as the file may grow by such a commit behind where the copy ends.
 */
export function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), "copy"),
    metaPages = Buffer.alloc(2 * limits.pageSizeBytes);
  mkdirSync(copy);
  const from = openSync(join(folder, dataFile), "r");
  readSync(from, metaPages, 0, metaPages.length, 0);
  closeSync(from);
  copyFileSync(join(folder, dataFile), join(copy, dataFile));
  const to = openSync(join(copy, dataFile), "r+");
  writeSync(to, metaPages, 0, metaPages.length, 0);
  closeSync(to);
  return copy;
}

/** A fresh ledger with parties alice, bob, carol and dave. */
export async function startLedger(
  t: Cleaner,
  options: Partial<Omit<LedgerOptions, "interpreter" | "clock" | "store">> & { readonly keepsReserve?: boolean } = {},
): Promise<Fixture> {
  const fixture = await openFixture(temporaryFolder(), options);
  t.after(async () => {
    await closeFixture(fixture);
    removeFolder(fixture.folder);
  });
  const parties: Record<string, string> = {};
  for (const name of ["alice", "bob", "carol", "dave"]) {
    const details = await fixture.ledger.allocateParty({
      hint: name,
      annotations: {},
      identityProviderId: "",
      synchronizerId: "",
      userId: "",
    });
    parties[name] = success(details).party;
  }
  return { ...fixture, parties };
}

export function success<T>(result: Result<T, unknown>): T {
  if (isFailure(result)) throw new Error(`unexpected failure: ${JSON.stringify(result.error)}`);
  return result.ok;
}
export function failure<T>(result: Result<T, LedgerErrorData>): LedgerErrorData {
  if (!isFailure(result)) throw new Error(`unexpected success: ${JSON.stringify(result.ok)}`);
  return result.error;
}

let commandNumber = 0;
export function submission(
  actAs: readonly string[],
  steps: readonly unknown[],
  changes: Partial<CommandSubmission> = {},
): CommandSubmission {
  return {
    commands: JSON.stringify(steps),
    commandCount: steps.length,
    commandId: `command-${++commandNumber}`,
    userId: "user",
    submissionId: "",
    workflowId: "",
    actAs,
    readAs: [],
    deduplication: { kind: "none" },
    minLedgerTimeAbs: undefined,
    minLedgerTimeRel: undefined,
    disclosedContracts: [],
    synchronizerId: "",
    packageIdSelectionPreference: [],
    trace: { traceparent: null, tracestate: null },
    ...changes,
  };
}

export const wildcard = (...parties: readonly string[]): EventFormatRequest => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative: [] }])),
  filtersForAnyParty: undefined,
  verbose: true,
});
/** What a party sees of an interface, with its views. */
export const viewsOf = (party: string, name = "Holding"): EventFormatRequest => ({
  filtersByParty: {
    [party]: {
      cumulative: [
        { kind: "interface", interfaceId: `#${packageName}:M:${name}`, includeInterfaceView: true, includeCreatedEventBlob: false },
      ],
    },
  },
  filtersForAnyParty: undefined,
  verbose: true,
});
export const updates = (eventFormat: EventFormatRequest, shape: "acsDelta" | "ledgerEffects" = "acsDelta"): UpdateFormatRequest => ({
  includeTransactions: { eventFormat, shape },
  includeReassignments: undefined,
  includeTopologyEvents: undefined,
});

/** Keeps elements as texts. */
export class Collector implements ElementWriter {
  readonly elements: string[] = [];
  #open: Buffer[] = [];
  begin(): void {
    this.#open = [];
  }
  bytes(source: Uint8Array): void {
    this.#open.push(Buffer.from(source));
  }
  run(source: Uint8Array, from: number, to: number): void {
    this.bytes(source.subarray(from, to));
  }
  text(source: string): void {
    this.#open.push(Buffer.from(source));
  }
  end(): void {
    this.elements.push(Buffer.concat(this.#open).toString("utf8"));
  }
  settle(): void {}
}

/* eslint-disable @typescript-eslint/no-explicit-any */
/** Reads a cursor until it has nothing more; the elements as parsed JSON. */
export async function drain(opened: Result<Cursor, LedgerErrorData>, batch = 100): Promise<any[]> {
  const cursor = success(opened),
    out = new Collector();
  for (;;) {
    const written = await cursor.read(batch, out);
    assert.ok(written <= batch, `${written} elements where ${batch} were asked for`);
    if (cursor.ended || written === 0) break;
  }
  cursor.close();
  return out.elements.map((element) => JSON.parse(element));
}

export async function transactions(
  ledger: Ledger,
  eventFormat: EventFormatRequest,
  shape: "acsDelta" | "ledgerEffects" = "acsDelta",
  range: { begin?: number; end?: number; descending?: boolean } = {},
): Promise<any[]> {
  const endInclusive = range.end ?? ledger.ledgerEnd();
  const elements = await drain(
    ledger.openUpdates({
      beginExclusive: range.begin ?? 0,
      endInclusive,
      format: updates(eventFormat, shape),
      form: "update",
      descending: range.descending ?? false,
    }),
  );
  return elements.map((element) => element.update.Transaction.value);
}

export async function activeContracts(ledger: Ledger, format: EventFormatRequest, activeAtOffset = ledger.ledgerEnd()): Promise<any[]> {
  const elements = await drain(ledger.openActiveContracts({ activeAtOffset, format }));
  return elements.map((element) => element.contractEntry.JsActiveContract.createdEvent);
}

/** Until what was submitted for a later ledger time is interpreted, and stands aside. */
export async function areAside(ledger: Ledger): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while ((ledger as Participant).commandsInFlight() > 0);
}

/** As the API does it: unread, and read where that does not go. */
export async function submitAsWritten(
  ledger: Ledger,
  asked: CommandSubmission,
  telling = { isToldEarly: false },
): Promise<Awaited<ReturnType<Ledger["submit"]>>> {
  let refusal: Parameters<Ledger["submit"]>[2];
  if (asked.deduplication.kind !== "offset") {
    const submitted = await ledger.submitUnread({ ...unread(asked), accepts: () => telling });
    if (submitted.kind === "submitted") return submitted.result;
    ({ refusal } = submitted);
  }
  await ledger.caughtUp();
  return ledger.submit(asked, undefined, refusal);
}

/** As `ScriptedInterpreter` reads it. */
export function unread({
  commands,
  commandId,
  userId,
  submissionId,
  workflowId,
  actAs,
  readAs,
  trace,
}: CommandSubmission): UnreadSubmission {
  const steps = JSON.parse(commands) as readonly unknown[];
  const plain: PlainSubmission = { commands: steps, commandId, userId, submissionId, workflowId, actAs, readAs, beside: "" };
  return { body: Buffer.from(JSON.stringify(plain)), userId: "", trace, accepts: () => ({ isToldEarly: false }) };
}

type UnreadSubmission = Parameters<Ledger["submitUnread"]>[0];
