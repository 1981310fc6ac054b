/**
 * Records of a transaction before its place is known: offset, record time and update id have their final width in them, so that the commit
 * only fills them in (`placeUpdate`, `placeCompletion`). Made on engine threads; the main thread has nothing to encode.
 */
import { microsPerSecond } from "../../base/clock.js";
import { RecordWriter } from "../../store/index.js";
import type { InterpretedTransaction, RecordFacts, UnplacedArchive, UnplacedCreate, UnplacedTransaction } from "../interpretation/index.js";
import { acceptedStatus, type Completion, type Party, type StoredEvent, updateIdChars } from "../model/index.js";
import { encodeUnsealedCompletion } from "./completion-record.js";
import { encodeInstance } from "./contract-record.js";
import { takesSteps } from "./event-steps.js";
import { Transients } from "./transients.js";
import { indexVisitor } from "./update-index.js";
import type { EventNumbers } from "./update-head.js";
import { TransactionEncoder } from "./update-record.js";

export interface ToRecord {
  readonly transaction: InterpretedTransaction;
  readonly facts: RecordFacts;
  /** Hex, of what was signed elsewhere. */
  readonly externalTransactionHash?: string | undefined;
  /** Sorted, without duplicates. */
  readonly actAs: readonly Party[];
  readonly ledgerTime: bigint;
}

/** The numbers that stand for parties and templates; undefined of one that has none yet. */
export interface Numbers {
  party(party: Party): number | undefined;
  template(packageName: string, templateId: string): number | undefined;
}

const updateIdRoom = "0".repeat(updateIdChars);

/** Undefined when somebody or something in it has no number yet, or it is large. */
export function encodeUnplaced(writer: RecordWriter, toRecord: ToRecord, known: Numbers): UnplacedTransaction | undefined {
  const { transaction, facts, actAs } = toRecord,
    { events, untold, inputs, keyInputs, ignoredByKeys, minLedgerTime, maxLedgerTime, usedPackages } = transaction;
  if (takesSteps(transaction)) return undefined;
  const submitters = numbersOf(actAs, known);
  if (submitters === undefined || untold.some(({ party }) => known.party(party) === undefined)) return undefined;
  const numbers = numbersOfEvents(events, known);
  if (numbers === undefined) return undefined;
  const { offsetDigits } = facts,
    index = indexOf(numbers),
    update = encodeUpdate(writer, toRecord, numbers, submitters),
    completion = encodeUnsealedCompletion(writer, completionOf(toRecord), submitters, facts.changeKey, facts.synchronizerIdJson),
    creates = createsOf(writer, events, numbers),
    archives = archivesOf(events, numbers);
  return {
    update,
    completion,
    offsetDigits,
    submitters,
    index,
    creates,
    archives,
    inputs,
    keyInputs,
    ignoredByKeys,
    minLedgerTime,
    maxLedgerTime,
    usedPackages,
  };
}

/** Undefined when one of them has none. */
function numbersOfEvents(events: readonly StoredEvent[], known: Numbers): readonly EventNumbers[] | undefined {
  const numbers: EventNumbers[] = [];
  for (const { packageName, templateId, stakeholders, witnesses } of events) {
    const template = known.template(packageName, templateId),
      holders = numbersOf(stakeholders, known);
    const seers = witnesses === stakeholders ? holders : numbersOf(witnesses, known);
    if (template === undefined || holders === undefined || seers === undefined) return undefined;
    numbers.push({ template, stakeholders: holders, witnesses: seers });
  }
  return numbers;
}

/** Parties and templates in turn. */
function indexOf(numbers: readonly EventNumbers[]): readonly number[] {
  const index: number[] = [];
  numbers.forEach(
    indexVisitor((party, template) => {
      index.push(party, template);
    }),
  );
  return index;
}

/** By their number of digits. */
const leastOffsets = Array.from({ length: 17 }, (_, digits) => 10 ** Math.max(0, digits - 1));
const offsetOf = ({ offsetDigits }: RecordFacts): number => leastOffsets[offsetDigits]!;
const recordTimeOf = (ledgerTime: bigint): bigint => ledgerTime - (ledgerTime % microsPerSecond) + 1n;

function encodeUpdate(
  writer: RecordWriter,
  { transaction: { events }, facts, externalTransactionHash, ledgerTime }: ToRecord,
  numbers: readonly EventNumbers[],
  submitters: readonly number[],
): Uint8Array {
  const { commandId, workflowId, trace, synchronizerIdJson } = facts;
  const encoder = new TransactionEncoder(
    writer,
    {
      offset: offsetOf(facts),
      recordTime: recordTimeOf(ledgerTime),
      updateId: updateIdRoom,
      commandId,
      workflowId,
      effectiveAt: ledgerTime,
      trace,
      externalTransactionHash,
      synchronizer: 0,
      events,
    },
    synchronizerIdJson,
  );
  for (let at = 0; at < events.length; at++) encoder.addEvent(at);
  encoder.begin(numbers, submitters);
  for (let at = 0; at < events.length; at++) encoder.writeEvent(at, numbers[at]!);
  return encoder.finishUnsealed();
}

function completionOf({ facts, actAs, ledgerTime }: ToRecord): Completion {
  const { commandId, submissionId, userId, trace, deduplication } = facts;
  return {
    offset: offsetOf(facts),
    commandId,
    submissionId,
    userId,
    actAs,
    updateId: updateIdRoom,
    recordTime: recordTimeOf(ledgerTime),
    trace,
    deduplication,
    status: acceptedStatus,
  };
}

function createsOf(writer: RecordWriter, events: readonly StoredEvent[], numbers: readonly EventNumbers[]): readonly UnplacedCreate[] {
  const creates: UnplacedCreate[] = [],
    transients = new Transients();
  for (const event of events) transients.add(event);
  for (let at = 0; at < events.length; at++) {
    const event = events[at]!;
    if (event.kind === "exercise") continue;
    const { nodeId, contractId, keyHash, activates } = event,
      { template, stakeholders } = numbers[at]!;
    creates.push({
      nodeId,
      contractId,
      template,
      stakeholders,
      keyHash,
      activates,
      archivedBy: activates ? undefined : transients.endOf(contractId),
      instance: encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance: event.createdEventBlob }),
    });
  }
  return creates;
}

function archivesOf(events: readonly StoredEvent[], numbers: readonly EventNumbers[]): readonly UnplacedArchive[] {
  const archives: UnplacedArchive[] = [];
  for (let at = 0; at < events.length; at++) {
    const event = events[at]!;
    if (event.kind === "create" || !event.deactivates) continue;
    const { nodeId, contractId } = event,
      { template, stakeholders } = numbers[at]!;
    archives.push({ nodeId, contractId, template, stakeholders });
  }
  return archives;
}

function numbersOf(parties: readonly Party[], known: Numbers): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const party of parties) {
    const number = known.party(party);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return numbers;
}
