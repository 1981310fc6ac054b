import { fail, ok, type Result } from "../../base/result.js";
import { missingClaim } from "../../auth/index.js";
import {
  type Admission,
  type CommandSubmission,
  type EarlierRefusal,
  isInRecords,
  isNameProblem,
  type Ledger,
  type Told,
  type UpdateElementForm,
  type UpdateFormatRequest,
} from "../../ledger/index.js";
import { jsonBody } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { ofSubmission } from "../failures.js";
import { type Attempted, json, operation, type Handled, type Undecoded } from "../operation.js";
import type { Services } from "../services.js";
import { type Spliced, spliced } from "../wire.js";
import { transactionFormatClaims } from "./format-claims.js";
import { onlyTransactions, transactionFormatOf, wildcardFor } from "./formats.js";
import { commandsParts, submissionClaims, submissionClaimsOf, submissionOf, wrappedCommandsParts } from "./submissions.js";
import type { BesideCommands } from "./plain-submissions.js";
import type {
  JsCommands,
  JsSubmitAndWaitForTransactionRequest,
  JsSubmitAndWaitForTransactionResponse,
  JsSubmitAndWaitForTransactionTreeResponse,
  SubmitAndWaitResponse,
  SubmitResponse,
} from "./types/commands.js";

/** Made once: a validator is some ten thousand characters of JavaScript. */
const commandsBody = jsonBody(typia.createValidate<JsCommands>(), typia.createAssert<JsCommands>(), commandsParts);

export const admitCommand = ({ ledger }: Pick<Services, "ledger">, signal: () => AbortSignal): Handled<Admission> => ledger.admit(signal);

export const commandOperations = {
  submitAndWait: operation({
    route: "POST /v2/commands/submit-and-wait",
    summary: "Submits commands and waits until their transaction is durable.",
    claims: submissionClaimsOf,
    admit: admitCommand,
    body: commandsBody,
    reply: json<SubmitAndWaitResponse>(),
    attempt: async ({ ledger }, request) => {
      const accepts: Accepts = (facts) =>
        facts.beside === "" && missingClaim(request.caller, submissionClaims(facts)) === undefined ? { isToldEarly: true } : undefined;
      const attempted = attemptedOf(await ledger.submitUnread(unreadOf(request, accepts), request.admission));
      if ("refusal" in attempted) return attempted;
      const { error, ok: accepted } = attempted.done;
      return { done: error === undefined ? ok(acceptedOf(accepted)) : fail(error) };
    },
    handle: async ({ ledger }, { body, apart, caller, trace, admission, refusal }) => {
      const submission = submissionOf(body, apart, caller, trace);
      if (submission.error !== undefined) return submission;
      const accepted = await ledger.submit(submission.ok, admission, refusal, { isToldEarly: true });
      return accepted.error === undefined ? ok(acceptedOf(accepted.ok)) : fail(ofSubmission(accepted.error, submission.ok.submissionId));
    },
  }),

  submitAndWaitForTransaction: operation({
    route: "POST /v2/commands/submit-and-wait-for-transaction",
    summary: "Submits commands and answers with their transaction.",
    claims: ({ body }) => [...submissionClaims(body.commands), ...transactionFormatClaims(body.transactionFormat)],
    admit: admitCommand,
    body: jsonBody(
      typia.createValidate<JsSubmitAndWaitForTransactionRequest>(),
      typia.createAssert<JsSubmitAndWaitForTransactionRequest>(),
      wrappedCommandsParts,
    ),
    reply: json<JsSubmitAndWaitForTransactionResponse>(),
    attempt: async ({ ledger }, request) => {
      let format: UpdateFormatRequest | undefined;
      const accepts: Accepts = (facts) => {
        if (facts.beside === "") return undefined;
        const body = JSON.parse(facts.beside) as BesideCommands, // checked where it was read
          asked = transactionFormat(body, facts);
        if (asked.error !== undefined || formatProblem(ledger, asked.ok, "flat") !== undefined) return undefined;
        format = asked.ok;
        const claims = [...submissionClaims(facts), ...transactionFormatClaims(body.transactionFormat)];
        return missingClaim(request.caller, claims) === undefined ? { isToldEarly: isInRecords(format) } : undefined;
      };
      const attempted = attemptedOf(await ledger.submitUnread(unreadOf(request, accepts), request.admission));
      if ("refusal" in attempted) return attempted;
      const { error, ok: told } = attempted.done;
      if (error !== undefined) return { done: fail(error) };
      return { done: await readTransaction<JsSubmitAndWaitForTransactionResponse>(ledger, told, format!, "flat", "transaction") };
    },
    handle: async ({ ledger }, { body, apart, caller, trace, admission, refusal }) => {
      const submission = submissionOf(body.commands, apart, caller, trace);
      if (submission.error !== undefined) return submission;
      const format = transactionFormat(submission.ok.actAs.length === 0 ? {} : body, submission.ok);
      if (format.error !== undefined) return fail(ofSubmission(format.error, submission.ok.submissionId));
      return submitAndRead<JsSubmitAndWaitForTransactionResponse>(
        ledger,
        { submission: submission.ok, admission, refusal },
        format.ok,
        "flat",
        "transaction",
      );
    },
  }),

  submitAndWaitForTransactionTree: operation({
    route: "POST /v2/commands/submit-and-wait-for-transaction-tree",
    summary: "Submits commands and answers with their transaction as a tree.",
    deprecated: true,
    claims: submissionClaimsOf,
    admit: admitCommand,
    body: commandsBody,
    reply: json<JsSubmitAndWaitForTransactionTreeResponse>(),
    handle: async ({ ledger }, { body, apart, caller, trace, admission }) => {
      const submission = submissionOf(body, apart, caller, trace);
      if (submission.error !== undefined) return submission;
      const format = onlyTransactions(wildcardFor(submission.ok.actAs), "ledgerEffects");
      return submitAndRead<JsSubmitAndWaitForTransactionTreeResponse>(
        ledger,
        { submission: submission.ok, admission },
        format,
        "tree",
        "transactionTree",
      );
    },
  }),

  submitAsync: operation({
    route: "POST /v2/commands/async/submit",
    summary: "Submits commands; their outcome is a completion.",
    claims: submissionClaimsOf,
    admit: admitCommand,
    body: commandsBody,
    reply: json<SubmitResponse>(),
    handle: async ({ ledger }, { body, apart, caller, trace, admission }) => {
      const submission = submissionOf(body, apart, caller, trace);
      if (submission.error !== undefined) return submission;
      const accepted = await ledger.submitAsync(submission.ok, admission);
      return accepted.error === undefined ? ok({}) : fail(ofSubmission(accepted.error, submission.ok.submissionId));
    },
  }),
};

type Unread = Parameters<Ledger["submitUnread"]>[0];
type Accepts = Unread["accepts"];

const unreadOf = ({ bytes, caller, trace }: Undecoded, accepts: Accepts): Unread => ({
  body: bytes,
  userId: caller.userId ?? "",
  trace: trace.context,
  accepts,
});

function attemptedOf(attempted: Awaited<ReturnType<Ledger["submitUnread"]>>): Attempted<Told> {
  if (attempted.kind === "to be read") return { refusal: attempted.refusal };
  const { result, submissionId } = attempted;
  return { done: result.error === undefined ? result : fail(ofSubmission(result.error, submissionId)) };
}

/** Of what is told of it here, as answers have it. */
export const acceptedOf = <W extends SubmitAndWaitResponse>({ updateId, completionOffset }: Told): Spliced<W> =>
  spliced<W>(`{"updateId":"${updateId}","completionOffset":${completionOffset}}`);

/** Without a format: what changed for each submitting or reading party (`submit-and-wait-for-transaction`, `transaction_format`). */
export function transactionFormat(
  body: Pick<JsSubmitAndWaitForTransactionRequest, "transactionFormat">,
  { actAs, readAs }: Pick<CommandSubmission, "actAs" | "readAs">,
): Result<UpdateFormatRequest, RequestFailure> {
  if (body.transactionFormat == null) return ok(onlyTransactions(wildcardFor([...actAs, ...readAs]), "acsDelta"));
  const format = transactionFormatOf(body.transactionFormat);
  return format.error === undefined ? ok(onlyTransactions(format.ok.eventFormat, format.ok.shape)) : format;
}

interface ToSubmit {
  readonly submission: CommandSubmission;
  readonly admission: Admission | undefined;
  readonly refusal?: EarlierRefusal | undefined;
}

async function submitAndRead<W>(
  ledger: Ledger,
  { submission, admission, refusal }: ToSubmit,
  format: UpdateFormatRequest,
  form: UpdateElementForm,
  member: string,
): Promise<Result<Spliced<W>, RequestFailure>> {
  // A command of nobody is refused for that, whatever its format; where it names none that would be one for nobody.
  const wrong = submission.actAs.length === 0 ? undefined : formatProblem(ledger, format, form);
  if (wrong !== undefined) return fail(ofSubmission(wrong, submission.submissionId));
  const told = await ledger.submit(submission, admission, refusal, { isToldEarly: isInRecords(format) });
  return told.error === undefined
    ? readTransaction<W>(ledger, told.ok, format, form, member)
    : fail(ofSubmission(told.error, submission.submissionId));
}

export async function readTransaction<W>(
  ledger: Ledger,
  { update, completionOffset }: Told,
  format: UpdateFormatRequest,
  form: UpdateElementForm,
  member: string,
): Promise<Result<Spliced<W>, RequestFailure>> {
  const transaction = await ledger.readUpdateAs(member, {
    by: update ?? { offset: completionOffset },
    format,
    form,
    emptyWhenHidden: true,
  });
  return transaction.error === undefined ? ok(spliced<W>(transaction.ok)) : transaction;
}

/**
 * A malformed format must not cost a transaction: it is tried on a stream that nobody reads. Names that no package has are
 * another matter: the reference looks them up when it reads the transaction, so the command runs and the answer is 404.
 */
export function formatProblem(ledger: Ledger, format: UpdateFormatRequest, form: UpdateElementForm): RequestFailure | undefined {
  const trial = ledger.openUpdates({ beginExclusive: ledger.ledgerEnd(), endInclusive: undefined, format, form, descending: false });
  if (trial.error !== undefined) return isNameProblem(trial.error) ? undefined : trial.error;
  trial.ok.close();
  return undefined;
}
