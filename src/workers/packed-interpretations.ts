/** A batch of submissions on its way to a thread, and what came of it on its way back: most of all that crosses. */
import { assert } from "../base/assert.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import type {
  EngineRefusal,
  InterpretedFacts,
  InterpretedTransaction,
  InterpretRequest,
  PackageChoosing,
  RecordFacts,
  StoredEvent,
  SubmissionFacts,
  UnplacedTransaction,
  UnreadOutcome,
  UnreadRequest,
} from "../ledger/engine/index.js";
import { Packer, Unpacker, type Packed } from "./packing.js";

/** With all fields that it may have, so that nobody forgets one that may be left out: it would be lost on the way without a word. */
type Whole<T> = Required<T>;

export type InterpretOutcome = Result<InterpretedTransaction | UnplacedTransaction, EngineRefusal>;

/** A request, and the number of the participant that asks. */
export type PlacedRequest = { readonly participant: number } & (
  { readonly request: InterpretRequest; readonly unread?: undefined } | { readonly request?: undefined; readonly unread: UnreadRequest }
);

export function packRequests(requests: readonly PlacedRequest[]): Packed {
  const packer = new Packer();
  for (const { participant, request, unread } of requests) {
    packer.number(participant);
    packer.flag(unread !== undefined);
    if (unread === undefined) packRequest(packer, request);
    else packUnread(packer, unread);
  }
  return packer.finish();
}

export function unpackRequests(packed: Packed): PlacedRequest[] {
  const unpacker = new Unpacker(packed),
    requests: PlacedRequest[] = [];
  while (!unpacker.isEmpty) {
    const participant = unpacker.number();
    requests.push(unpacker.flag() ? { participant, unread: unpackUnread(unpacker) } : { participant, request: unpackRequest(unpacker) });
  }
  return requests;
}

function packUnread(packer: Packer, unread: UnreadRequest): void {
  const { traceparent, tracestate } = unread.trace;
  packer.bytes(unread.body);
  packer.text(unread.userId);
  packer.text(unread.submissionId);
  packer.text(traceparent ?? "");
  packer.text(tracestate ?? "");
  packer.integer(unread.ledgerTime);
  packer.bytes(unread.submissionSeed);
  packer.number(unread.atOffset);
  packer.number(unread.packagesRevision);
  packer.text(unread.participantId);
  packer.text(unread.synchronizerIdJson);
  packer.flag(unread.findsFresh);
  packer.number(unread.prunedTo);
  packer.number(unread.offsetDigits);
}

function unpackUnread(unpacker: Unpacker): Whole<UnreadRequest> {
  const body = unpacker.bytes(),
    userId = unpacker.text(),
    submissionId = unpacker.text(),
    traceparent = unpacker.text() || null,
    tracestate = unpacker.text() || null;
  return {
    body,
    userId,
    submissionId,
    trace: { traceparent, tracestate },
    ledgerTime: unpacker.integer(),
    submissionSeed: unpacker.bytes(),
    atOffset: unpacker.number(),
    packagesRevision: unpacker.number(),
    participantId: unpacker.text(),
    synchronizerIdJson: unpacker.text(),
    findsFresh: unpacker.flag(),
    prunedTo: unpacker.number(),
    offsetDigits: unpacker.number(),
  };
}

const unlimited = -1;

function packRequest(packer: Packer, request: InterpretRequest): void {
  assert(typeof request.commands === "string", "commands come to a thread as text");
  packer.texts(request.actAs);
  packer.texts(request.readAs);
  packer.text(request.commands);
  packer.number(request.disclosed.length);
  for (const blob of request.disclosed) packer.bytes(blob);
  packer.texts(request.packageIdSelectionPreference);
  packer.number(request.selectionPassesMax ?? unlimited);
  packer.text(request.keyHints ?? "");
  packer.flag(request.choosing !== undefined);
  if (request.choosing !== undefined) packChoosing(packer, request.choosing);
  packer.integer(request.ledgerTime);
  packer.bytes(request.submissionSeed);
  packer.number(request.atOffset);
  packer.number(request.packagesRevision);
  packer.number(request.synchronizer);
  packer.number(request.readableOn.length);
  for (const synchronizer of request.readableOn) packer.number(synchronizer);
  packer.text(request.participantId);
  packer.flag(request.facts !== undefined);
  if (request.facts !== undefined) packFacts(packer, request.facts);
}

function packChoosing(packer: Packer, { at, pass, needs }: PackageChoosing): void {
  packer.integer(at);
  packer.number(pass);
  packer.number(needs.length);
  for (const { hosts, names } of needs) {
    packer.numbers(hosts);
    packer.texts(names);
  }
}

const unpackChoosing = (unpacker: Unpacker): Whole<PackageChoosing> => ({
  at: unpacker.integer(),
  pass: unpacker.number(),
  needs: times(unpacker.number(), () => ({ hosts: unpacker.numbers(), names: unpacker.texts() })),
});

function packFacts(packer: Packer, facts: RecordFacts): void {
  packer.text(facts.userId);
  packer.text(facts.commandId);
  packer.text(facts.submissionId);
  packer.text(facts.workflowId);
  packer.text(JSON.stringify([facts.trace, facts.deduplication]));
  packer.text(facts.changeKey);
  packer.text(facts.synchronizerIdJson);
  packer.number(facts.offsetDigits);
}

function unpackFacts(unpacker: Unpacker): Whole<RecordFacts> {
  const userId = unpacker.text(),
    commandId = unpacker.text(),
    submissionId = unpacker.text(),
    workflowId = unpacker.text();
  const [trace, deduplication] = JSON.parse(unpacker.text()) as [RecordFacts["trace"], RecordFacts["deduplication"]];
  return {
    userId,
    commandId,
    submissionId,
    workflowId,
    trace,
    deduplication,
    changeKey: unpacker.text(),
    synchronizerIdJson: unpacker.text(),
    offsetDigits: unpacker.number(),
  };
}

/** What it is traced by nobody needs here. */
function unpackRequest(unpacker: Unpacker): Whole<Omit<InterpretRequest, "traceparent">> {
  const actAs = unpacker.texts(),
    readAs = unpacker.texts(),
    commands = unpacker.text();
  const disclosed = times(unpacker.number(), () => unpacker.bytes());
  const packageIdSelectionPreference = unpacker.texts(),
    passes = unpacker.number(),
    keyHints = unpacker.text(),
    choosing = unpacker.flag() ? unpackChoosing(unpacker) : undefined;
  return {
    actAs,
    readAs,
    commands,
    disclosed,
    packageIdSelectionPreference,
    selectionPassesMax: passes === unlimited ? undefined : passes,
    keyHints: keyHints === "" ? undefined : keyHints,
    choosing,
    ledgerTime: unpacker.integer(),
    submissionSeed: unpacker.bytes(),
    atOffset: unpacker.number(),
    packagesRevision: unpacker.number(),
    synchronizer: unpacker.number(),
    readableOn: times(unpacker.number(), () => unpacker.number()),
    participantId: unpacker.text(),
    facts: unpacker.flag() ? unpackFacts(unpacker) : undefined,
  };
}

export interface PackedOutcomes {
  readonly packed: Packed;
  /** They are few, and of many forms. */
  readonly failures: readonly EngineRefusal[];
}

/** What stands before an outcome. */
const outcomeKinds = { transaction: 0, failure: 1, read: 2, refused: 3, unread: 4 } as const;

/** Without those that were taken back. */
export function packOutcomes(outcomes: readonly (InterpretOutcome | UnreadOutcome)[]): PackedOutcomes {
  const packer = new Packer(),
    failures: EngineRefusal[] = [];
  for (const outcome of outcomes) {
    if (outcome === undefined) packer.number(outcomeKinds.unread);
    else if ("facts" in outcome) {
      packer.number(outcomeKinds.read);
      packSubmissionFacts(packer, outcome.facts);
      packTransaction(packer, outcome.transaction);
    } else if ("refusal" in outcome) {
      packer.number(outcomeKinds.refused);
      failures.push(outcome.refusal);
    } else if (isFailure(outcome)) {
      packer.number(outcomeKinds.failure);
      failures.push(outcome.error);
    } else {
      packer.number(outcomeKinds.transaction);
      packTransaction(packer, outcome.ok);
    }
  }
  return { packed: packer.finish(), failures };
}

export function unpackOutcomes({ packed, failures }: PackedOutcomes): (InterpretOutcome | UnreadOutcome)[] {
  const unpacker = new Unpacker(packed),
    outcomes: (InterpretOutcome | UnreadOutcome)[] = [];
  let failed = 0;
  while (!unpacker.isEmpty) {
    const kind = unpacker.number();
    if (kind === outcomeKinds.read) outcomes.push({ facts: unpackSubmissionFacts(unpacker), transaction: unpackTransaction(unpacker) });
    else if (kind === outcomeKinds.transaction) outcomes.push(ok(unpackTransaction(unpacker)));
    else if (kind === outcomeKinds.failure) outcomes.push(fail(failures[failed++]!));
    else outcomes.push(kind === outcomeKinds.refused ? { refusal: failures[failed++]! } : undefined);
  }
  return outcomes;
}

function packSubmissionFacts(packer: Packer, facts: SubmissionFacts): void {
  packer.text(facts.userId);
  packer.text(facts.commandId);
  packer.text(facts.submissionId);
  packer.text(facts.workflowId);
  packer.texts(facts.actAs);
  packer.texts(facts.readAs);
  packer.text(facts.changeKey);
  packer.text(facts.beside);
}

const unpackSubmissionFacts = (unpacker: Unpacker): Whole<SubmissionFacts> => ({
  userId: unpacker.text(),
  commandId: unpacker.text(),
  submissionId: unpacker.text(),
  workflowId: unpacker.text(),
  actAs: unpacker.texts(),
  readAs: unpacker.texts(),
  changeKey: unpacker.text(),
  beside: unpacker.text(),
});

/** One by itself. */
export function packedTransaction(transaction: InterpretedTransaction | UnplacedTransaction): Packed {
  const packer = new Packer();
  packTransaction(packer, transaction);
  return packer.finish();
}
export const unpackedTransaction = (packed: Packed): InterpretedTransaction | UnplacedTransaction =>
  unpackTransaction(new Unpacker(packed));

function packTransaction(packer: Packer, transaction: InterpretedTransaction | UnplacedTransaction): void {
  packer.flag("update" in transaction);
  if ("update" in transaction) packRecords(packer, transaction);
  else {
    packer.number(transaction.events.length);
    for (const event of transaction.events) packEvent(packer, event);
    packer.number(transaction.untold.length);
    for (const { party, packageIds } of transaction.untold) {
      packer.text(party);
      packer.texts(packageIds);
    }
    packer.number(transaction.untoldNodes.length);
    for (const { witnesses, nodeIds } of transaction.untoldNodes) {
      packer.texts(witnesses);
      packer.numbers(nodeIds);
    }
  }
  packer.texts(transaction.inputs);
  packer.number(transaction.keyInputs.length);
  for (const { keyHash, contractIds, exhaustive, ignoring } of transaction.keyInputs) {
    packer.text(keyHash);
    packer.texts(contractIds);
    packer.flag(exhaustive);
    packer.number(ignoring);
  }
  packer.texts(transaction.ignoredByKeys);
  packer.integer(transaction.minLedgerTime);
  packer.integer(transaction.maxLedgerTime);
  packer.texts(transaction.usedPackages);
}

/**
 * Fields stand in the order in which they were packed. Objects are made in one piece here and elsewhere on a command's way: to spread one
 * into another costs more than all the rest.
 */
function unpackTransaction(unpacker: Unpacker): Whole<InterpretedTransaction> | Whole<UnplacedTransaction> {
  if (!unpacker.flag()) {
    return {
      events: times(unpacker.number(), () => unpackEvent(unpacker)),
      untold: times(unpacker.number(), () => ({ party: unpacker.text(), packageIds: unpacker.texts() })),
      untoldNodes: times(unpacker.number(), () => ({ witnesses: unpacker.texts(), nodeIds: unpacker.numbers() })),
      inputs: unpacker.texts(),
      keyInputs: unpackKeyInputs(unpacker),
      ignoredByKeys: unpacker.texts(),
      minLedgerTime: unpacker.integer(),
      maxLedgerTime: unpacker.integer(),
      usedPackages: unpacker.texts(),
    };
  }
  return {
    update: unpacker.bytes(),
    completion: unpacker.bytes(),
    offsetDigits: unpacker.number(),
    submitters: unpacker.numbers(),
    index: unpacker.numbers(),
    creates: times(unpacker.number(), () => unpackCreate(unpacker)),
    archives: times(unpacker.number(), () => unpackArchive(unpacker)),
    inputs: unpacker.texts(),
    keyInputs: unpackKeyInputs(unpacker),
    ignoredByKeys: unpacker.texts(),
    minLedgerTime: unpacker.integer(),
    maxLedgerTime: unpacker.integer(),
    usedPackages: unpacker.texts(),
  };
}

const unpackKeyInputs = (unpacker: Unpacker): Whole<InterpretedFacts["keyInputs"][number]>[] =>
  times(unpacker.number(), () => ({
    keyHash: unpacker.text(),
    contractIds: unpacker.texts(),
    exhaustive: unpacker.flag(),
    ignoring: unpacker.number(),
  }));

function packRecords(
  packer: Packer,
  { update, completion, offsetDigits, submitters, index, creates, archives }: UnplacedTransaction,
): void {
  packer.bytes(update);
  packer.bytes(completion);
  packer.number(offsetDigits);
  packer.numbers(submitters);
  packer.numbers(index);
  packer.number(creates.length);
  for (const { nodeId, contractId, template, stakeholders, keyHash, activates, archivedBy, instance } of creates) {
    packer.number(nodeId);
    packer.text(contractId);
    packer.number(template);
    packer.numbers(stakeholders);
    packer.text(keyHash);
    packer.flag(activates);
    if (!activates) packEnd(packer, archivedBy);
    packer.bytes(instance);
  }
  packer.number(archives.length);
  for (const { nodeId, contractId, template, stakeholders } of archives) {
    packer.number(nodeId);
    packer.text(contractId);
    packer.number(template);
    packer.numbers(stakeholders);
  }
}

function unpackCreate(unpacker: Unpacker): Whole<UnplacedTransaction["creates"][number]> {
  const nodeId = unpacker.number(),
    contractId = unpacker.text(),
    template = unpacker.number(),
    stakeholders = unpacker.numbers(),
    keyHash = unpacker.text(),
    activates = unpacker.flag(),
    archivedBy = activates ? undefined : unpackEnd(unpacker);
  return { nodeId, contractId, template, stakeholders, keyHash, activates, archivedBy, instance: unpacker.bytes() };
}

/** Only what does not become active is asked where it ends. */
function packEnd(packer: Packer, archivedBy: number | undefined): void {
  packer.flag(archivedBy !== undefined);
  if (archivedBy !== undefined) packer.number(archivedBy);
}
const unpackEnd = (unpacker: Unpacker): number | undefined => (unpacker.flag() ? unpacker.number() : undefined);

const unpackArchive = (unpacker: Unpacker): Whole<UnplacedTransaction["archives"][number]> => ({
  nodeId: unpacker.number(),
  contractId: unpacker.text(),
  template: unpacker.number(),
  stakeholders: unpacker.numbers(),
});

function packEvent(packer: Packer, event: StoredEvent): void {
  const hasOwnWitnesses = event.witnesses !== event.stakeholders;
  packer.flag(event.kind === "create");
  packer.number(event.nodeId);
  packer.text(event.contractId);
  packer.text(event.templateId);
  packer.text(event.packageName);
  packer.texts(event.stakeholders);
  packer.flag(hasOwnWitnesses);
  if (hasOwnWitnesses) packer.texts(event.witnesses);
  packer.flag(event.informees !== undefined);
  if (event.informees !== undefined) packer.texts(event.informees);
  packer.text(event.json);
  packer.text(event.jsonAfter);
  if (event.kind === "create") {
    packer.flag(event.activates);
    packer.bytes(event.createdEventBlob);
    packer.text(event.keyHash);
  } else {
    packer.flag(event.consuming);
    packer.flag(event.deactivates);
  }
}

function unpackEvent(unpacker: Unpacker): Whole<StoredEvent> {
  const isCreate = unpacker.flag();
  const nodeId = unpacker.number(),
    contractId = unpacker.text(),
    templateId = unpacker.text(),
    packageName = unpacker.text();
  const stakeholders = unpacker.texts(),
    witnesses = unpacker.flag() ? unpacker.texts() : stakeholders,
    informees = unpacker.flag() ? unpacker.texts() : undefined;
  const json = unpacker.text(),
    jsonAfter = unpacker.text();
  if (!isCreate) {
    const consuming = unpacker.flag(),
      deactivates = unpacker.flag();
    return {
      kind: "exercise",
      nodeId,
      contractId,
      templateId,
      packageName,
      stakeholders,
      witnesses,
      informees,
      json,
      jsonAfter,
      consuming,
      deactivates,
    };
  }
  const activates = unpacker.flag(),
    createdEventBlob = unpacker.bytes(),
    keyHash = unpacker.text();
  return {
    kind: "create",
    nodeId,
    contractId,
    templateId,
    packageName,
    stakeholders,
    witnesses,
    informees,
    json,
    jsonAfter,
    activates,
    createdEventBlob,
    keyHash,
  };
}

function times<T>(count: number, make: () => T): T[] {
  const made: T[] = [];
  for (let left = count; left > 0; left--) made.push(make());
  return made;
}
