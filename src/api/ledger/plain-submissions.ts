/**
 * Bodies of submissions as most clients write them, read on engine threads (`src/engine-thread.ts`). So that these need not load the
 * API, nothing of it is imported but what takes JSON apart and the types.
 */
import { limits } from "../../config.js";
import type { PlainSubmission } from "../../ledger/index.js";
import { glancerFor } from "../json-glance.js";
import { commandsShape } from "./commands-shape.js";
import type { Command, JsCommands, JsSubmitAndWaitForTransactionRequest } from "./types/commands.js";

const glance = glancerFor(commandsShape),
  glanceWrapped = glancerFor({ members: new Map([["commands", commandsShape]]) }),
  areCommands = typia.createIs<JsCommands>(),
  areWrapped = typia.createIs<JsSubmitAndWaitForTransactionRequest>(),
  isCommand = typia.createIs<Command>();

/** What stands beside the commands where they are wrapped. */
export type BesideCommands = Pick<JsSubmitAndWaitForTransactionRequest, "transactionFormat">;

/** Undefined of one that says more than every submission has to, or is wrong. */
export function readPlainSubmission(body: Uint8Array): PlainSubmission | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length),
    plain = glance(bytes);
  if (plain?.apart !== undefined) return areCommands(plain.value) ? plainSubmission(plain.value, plain.apart.elements, "") : undefined;
  const wrapped = glanceWrapped(bytes);
  if (wrapped?.apart === undefined || !areWrapped(wrapped.value)) return undefined;
  const { commands, transactionFormat = null } = wrapped.value,
    beside: BesideCommands = { transactionFormat };
  return plainSubmission(commands, wrapped.apart.elements, JSON.stringify(beside));
}

function plainSubmission(wire: JsCommands, commands: readonly unknown[], beside: string): PlainSubmission | undefined {
  if (isSpecial(wire) || !commands.every((command) => isCommand(command))) return undefined;
  return {
    commands,
    commandId: wire.commandId,
    userId: wire.userId ?? "",
    submissionId: wire.submissionId ?? "",
    workflowId: wire.workflowId ?? "",
    actAs: wire.actAs,
    readAs: wire.readAs ?? [],
    beside,
  };
}

const isSpecial = (wire: JsCommands): boolean =>
  wire.minLedgerTimeAbs != null
  || wire.minLedgerTimeRel != null
  || wire.tapsMaxPasses != null
  || (wire.synchronizerId ?? "") !== ""
  || (wire.packageIdSelectionPreference ?? []).length > 0
  || (wire.disclosedContracts ?? []).length > 0
  || (wire.prefetchContractKeys ?? []).length > 0
  || !isPlainPeriod(wire.deduplicationPeriod);

/**
 * Where the change was not accepted before, it makes no difference how long it must not have been; but a longer period than is kept may
 * begin before there is time.
 */
function isPlainPeriod(period: JsCommands["deduplicationPeriod"]): boolean {
  if (period == null || "Empty" in period) return true;
  if ("DeduplicationOffset" in period) return false;
  const { seconds, nanos } = period.DeduplicationDuration.value ?? { seconds: 0, nanos: 0 },
    wholeSeconds = Number(seconds ?? 0);
  return wholeSeconds >= 0 && wholeSeconds <= limits.deduplicationDurationMaxSeconds && Number(nanos ?? 0) >= 0;
}
