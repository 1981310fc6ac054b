/**
 * Records of a transaction before its place is known: offset, record time and update id have their final width in them, so that the commit
 * only fills them in (`placeUpdate`, `placeCompletion`). Made on engine threads; the main thread has nothing to encode.
 */
import { RecordWriter } from "../../store/index.js";
import type { InterpretedTransaction, RecordFacts, UnplacedArchive, UnplacedCreate, UnplacedTransaction } from "../interpretation/index.js";
import { acceptedStatus, type Completion, type Party, updateIdChars } from "../model/index.js";
import { encodeUnsealedCompletion } from "./completion-record.js";
import { encodeInstance } from "./contract-record.js";
import { takesSteps } from "./event-steps.js";
import { templateName } from "./template-names.js";
import { Transients } from "./transients.js";
import { indexVisitor } from "./update-index.js";
import { type EventNumbers, TransactionEncoder } from "./update-record.js";

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
  template(name: string): number | undefined;
}

const updateIdRoom = "0".repeat(updateIdChars),
  microsPerSecond = 1_000_000n;

/** Undefined when somebody or something in it has no number yet, or it is large. */
export function encodeUnplaced(
  writer: RecordWriter,
  { transaction, facts, externalTransactionHash, actAs, ledgerTime }: ToRecord,
  known: Numbers,
): UnplacedTransaction | undefined {
  const { events, untold, inputs, keyInputs, ignoredByKeys, minLedgerTime, maxLedgerTime, usedPackages } = transaction;
  if (takesSteps(transaction)) return undefined;
  const submitters = numbersOf(actAs, known),
    numbers: EventNumbers[] = [],
    transients = new Transients();
  if (submitters === undefined || untold.some(({ party }) => known.party(party) === undefined)) return undefined;
  for (const event of events) {
    const { packageName, templateId, stakeholders, witnesses } = event,
      template = known.template(templateName(packageName, templateId)),
      holders = numbersOf(stakeholders, known);
    const seers = witnesses === stakeholders ? holders : numbersOf(witnesses, known);
    if (template === undefined || holders === undefined || seers === undefined) return undefined;
    numbers.push({ template, stakeholders: holders, witnesses: seers });
    transients.add(event);
  }
  const { commandId, workflowId, trace, synchronizerIdJson, offsetDigits } = facts;
  const offset = 10 ** (offsetDigits - 1),
    recordTime = ledgerTime - (ledgerTime % microsPerSecond) + 1n,
    updateId = updateIdRoom;
  const encoder = new TransactionEncoder(
    writer,
    {
      offset,
      recordTime,
      updateId,
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
  const index: number[] = [],
    visitIndex = indexVisitor((party, template) => {
      index.push(party, template);
    });
  for (let at = 0; at < events.length; at++) {
    visitIndex(numbers[at]!);
    encoder.addEvent(at);
  }
  encoder.begin(numbers, submitters);
  for (let at = 0; at < events.length; at++) encoder.writeEvent(at, numbers[at]!);
  const update = encoder.finishUnsealed(),
    { submissionId, userId, deduplication } = facts;
  const told: Completion = {
    offset,
    commandId,
    submissionId,
    userId,
    actAs,
    updateId,
    recordTime,
    trace,
    deduplication,
    status: acceptedStatus,
  };
  const completion = encodeUnsealedCompletion(writer, told, submitters, facts.changeKey, synchronizerIdJson);
  const creates: UnplacedCreate[] = [],
    archives: UnplacedArchive[] = [];
  for (let at = 0; at < events.length; at++) {
    const event = events[at]!,
      { nodeId, contractId } = event,
      { template, stakeholders } = numbers[at]!;
    if (event.kind === "exercise") {
      if (event.deactivates) archives.push({ nodeId, contractId, template, stakeholders });
      continue;
    }
    const { keyHash, activates } = event,
      instance = encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance: event.createdEventBlob });
    creates.push({
      nodeId,
      contractId,
      template,
      stakeholders,
      keyHash,
      activates,
      archivedBy: activates ? undefined : transients.endOf(contractId),
      instance,
    });
  }
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

function numbersOf(parties: readonly Party[], known: Numbers): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const party of parties) {
    const number = known.party(party);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return numbers;
}
