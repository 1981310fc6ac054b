/**
 * Most submissions say what every one has to, and nothing else: such a one is read where it is interpreted, and nobody else looks into its
 * body.
 */
import { randomUUID } from "node:crypto";
import type { InterpretRequest, RecordFacts, SubmissionFacts, UnreadRequest } from "../interpretation/index.js";
import type { Party } from "../model/index.js";
import { changeKey } from "./deduplication.js";
import { areFit } from "./submission-fields.js";

/** What a body says. */
export interface PlainSubmission {
  /** The `commands` of the Ledger API, parsed. */
  readonly commands: readonly unknown[];
  readonly commandId: string;
  readonly userId: string; // "" = of who sends it
  readonly submissionId: string; // "" = a fresh UUID
  readonly workflowId: string;
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  /** JSON of what came with it and is no matter of the ledger, "" for nothing. */
  readonly beside: string;
}

/** Undefined of a body that is wrong or unusual in any way: what it is takes a closer look. */
export type SubmissionReader = (body: Uint8Array) => PlainSubmission | undefined;

/** Undefined where a rule is broken, or a party is not known: somebody else finds out what to say of it. */
export function factsOfPlain(
  plain: PlainSubmission,
  unread: Pick<UnreadRequest, "userId" | "submissionId">,
  isKnown: (party: Party) => boolean,
): SubmissionFacts | undefined {
  const { commandId, workflowId, readAs, beside, commands } = plain,
    userId = plain.userId || unread.userId,
    givenId = plain.submissionId || unread.submissionId,
    submissionId = givenId || randomUUID();
  const actAs = plain.actAs.length === 1 ? plain.actAs : [...new Set(plain.actAs)];
  if (!actAs.every(isKnown) || !readAs.every(isKnown)) return undefined;
  if (!areFit({ userId, commandId, submissionId: givenId, workflowId, actAs, readAs, commandCount: commands.length })) return undefined;
  const key = changeKey({ userId, commandId, actAs });
  return { userId, commandId, submissionId, workflowId, actAs, readAs, changeKey: key, beside };
}

/** What the engine is asked, then. */
export function requestOfPlain(unread: UnreadRequest, commands: InterpretRequest["commands"], facts: SubmissionFacts): InterpretRequest {
  const { ledgerTime, submissionSeed, atOffset, packagesRevision, participantId } = unread;
  return {
    actAs: facts.actAs,
    readAs: facts.readAs,
    commands,
    disclosed: [],
    packageIdSelectionPreference: [],
    readableOn: [],
    synchronizer: 0,
    ledgerTime,
    submissionSeed,
    atOffset,
    packagesRevision,
    participantId,
    facts: unread.offsetDigits === 0 ? undefined : recordFactsOf(unread, facts),
  };
}

function recordFactsOf(
  { trace, synchronizerIdJson, offsetDigits, prunedTo }: UnreadRequest,
  { userId, commandId, submissionId, workflowId, changeKey: key }: SubmissionFacts,
): RecordFacts {
  const deduplication = { kind: "offset", offset: prunedTo } as const;
  return { userId, commandId, submissionId, workflowId, trace, deduplication, changeKey: key, synchronizerIdJson, offsetDigits };
}
