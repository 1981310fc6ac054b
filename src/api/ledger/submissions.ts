/** JsCommands to a submission. The commands themselves stay text: the engine reads them by their LF types. */
import { randomUUID } from "node:crypto";
import { assert } from "../../base/assert.js";
import { fail, ok, type Result } from "../../base/result.js";
import { type Caller, type Claims, type RequiredClaim } from "../../auth/index.js";
import type { CommandSubmission } from "../../ledger/index.js";
import { toBytes } from "../base64.js";
import type { RequestFailure } from "../errors.js";
import { invalidArgument } from "../failures.js";
import type { Apart, BodyParts } from "../body.js";
import type { Trace } from "../trace.js";
import { commandsShape } from "./commands-shape.js";
import { toWholeInt64, toMicroseconds, toOptionalInt32 } from "./decoding.js";
import type { Command, DisclosedContract, JsCommands } from "./types/commands.js";
import type { JsPrepareSubmissionRequest, MinLedgerTime } from "./types/interactive.js";
import type { Duration } from "./types/common.js";

type Deduplication = CommandSubmission["deduplication"];

const checkCommand = typia.createValidate<Command>();
export const commandsParts: BodyParts = { shape: commandsShape, element: checkCommand };
export const wrappedCommandsParts: BodyParts = { shape: { members: new Map([["commands", commandsShape]]) }, element: checkCommand };

/** The commands themselves are not in `wire`. */
export function submissionOf(wire: JsCommands, commands: Apart, caller: Caller, trace: Trace): Result<CommandSubmission, RequestFailure> {
  const submissionId = wire.submissionId || randomUUID(); // named in errors, so it is chosen here and not deeper
  const problem = hintProblem(wire);
  if (problem !== undefined) return fail({ ...problem, correlationId: submissionId });
  assert(commands.text !== "", "checked commands have a commands field");
  return ok({
    commands: commands.text,
    commandCount: commands.count,
    commandId: wire.commandId,
    userId: wire.userId || (caller.userId ?? ""),
    submissionId,
    workflowId: wire.workflowId ?? "",
    actAs: wire.actAs,
    readAs: wire.readAs ?? [],
    deduplication: deduplicationOf(wire.deduplicationPeriod),
    minLedgerTimeAbs: wire.minLedgerTimeAbs == null ? undefined : toMicroseconds(wire.minLedgerTimeAbs),
    minLedgerTimeRel: wire.minLedgerTimeRel == null ? undefined : durationMicroseconds(wire.minLedgerTimeRel),
    disclosedContracts: (wire.disclosedContracts ?? []).map(disclosedContractOf),
    synchronizerId: wire.synchronizerId ?? "",
    packageIdSelectionPreference: wire.packageIdSelectionPreference ?? [],
    selectionPassesMax: toOptionalInt32(wire.tapsMaxPasses),
    ...keyHintsOf(wire),
    trace: trace.context,
  });
}

/** Keys are read in process, so that hints of them change nothing here. They are checked all the same, by their types on an engine thread. */
const keyHintsOf = ({ prefetchContractKeys }: JsCommands): Pick<CommandSubmission, "keyHints"> =>
  prefetchContractKeys == null || prefetchContractKeys.length === 0 ? {} : { keyHints: JSON.stringify(prefetchContractKeys) };

/** A negative limit is a large one, as the number has no sign where it is meant. */
const hintProblem = ({ prefetchContractKeys }: JsCommands): RequestFailure | undefined =>
  prefetchContractKeys?.some(({ limit }) => limit === 0)
    ? invalidArgument("the limit of a prefetched contract key must be positive, but is 0")
    : undefined;

/** The same of a command that is only prepared: it has no submission yet, so errors name none, and is part of no workflow. */
export function preparationOf(
  wire: JsPrepareSubmissionRequest,
  commands: Apart,
  caller: Caller,
  trace: Trace,
): Result<CommandSubmission, RequestFailure> {
  const { minLedgerTime, ...common } = wire;
  const submission = submissionOf(common, commands, caller, trace);
  if (submission.error === undefined) return ok({ ...submission.ok, submissionId: "", workflowId: "", ...minLedgerTimeOf(minLedgerTime) });
  const { correlationId: _none, ...failure } = submission.error;
  return fail(failure);
}

type LedgerTime = Pick<CommandSubmission, "minLedgerTimeAbs" | "minLedgerTimeRel">;
const anyTime: LedgerTime = { minLedgerTimeAbs: undefined, minLedgerTimeRel: undefined };

export function minLedgerTimeOf(wire: MinLedgerTime | null | undefined): LedgerTime {
  const time = wire?.time;
  if (time === undefined || "Empty" in time) return anyTime;
  if ("MinLedgerTimeRel" in time) return { ...anyTime, minLedgerTimeRel: durationMicroseconds(time.MinLedgerTimeRel.value) };
  return { ...anyTime, minLedgerTimeAbs: toMicroseconds(time.MinLedgerTimeAbs.value) };
}

export function submissionClaims(wire: Pick<JsCommands, "actAs" | "readAs" | "userId">): readonly RequiredClaim[] {
  const claims: RequiredClaim[] = [{ kind: "authenticated" }, { kind: "user", userId: wire.userId ?? "" }];
  for (const party of wire.actAs) claims.push({ kind: "actAs", party });
  if (wire.readAs == null || wire.readAs.length === 0) return claims;
  const actors = new Set(wire.actAs);
  for (const party of wire.readAs) if (!actors.has(party)) claims.push({ kind: "readAs", party });
  return claims;
}

export const submissionClaimsOf = ({ body }: { readonly body: JsCommands }): Claims => submissionClaims(body);

export function deduplicationOf(wire: JsCommands["deduplicationPeriod"]): Deduplication {
  if (wire == null || "Empty" in wire) return { kind: "none" };
  if ("DeduplicationOffset" in wire) return { kind: "offset", offset: toWholeInt64(wire.DeduplicationOffset.value ?? 0) };
  const { seconds, nanos } = wire.DeduplicationDuration.value ?? noTime;
  return { kind: "duration", seconds: toWholeInt64(seconds ?? 0), nanos: Number(nanos ?? 0) };
}

function durationMicroseconds(wire: Duration | null): bigint {
  const { seconds, nanos } = wire ?? noTime;
  return BigInt(seconds ?? 0) * 1_000_000n + BigInt(Math.trunc(Number(nanos ?? 0) / 1_000));
}
/** What null stands for. */
const noTime: Duration = {};

const disclosedContractOf = (wire: DisclosedContract): CommandSubmission["disclosedContracts"][number] => ({
  contractId: wire.contractId ?? "",
  templateId: wire.templateId ?? "",
  createdEventBlob: toBytes(wire.createdEventBlob ?? ""),
  synchronizerId: wire.synchronizerId ?? "",
});
