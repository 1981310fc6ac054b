/** What became of transfers that parties with keys of their own asked the network to send for them. */
import { microsOf } from "../base/clock.js";
import { isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import type { Participant, Party } from "../ledger/index.js";
import type { Contracts } from "./contracts.js";
import { describeContracts, type DescribedContract } from "./described-contract.js";
import { partyFormat, transactionPages } from "./history/reading.js";
import type { Exercised, LedgerEvent } from "./history/transaction.js";
import { reasonText, type InvalidTransferReason } from "./invalid-transfers.js";
import { reference, templates } from "./names.js";
import { type Answer, identifierProblem, notFound, refuse } from "./refusal.js";
import type { ValueTypes } from "./values/value-types.js";

interface TransferCommand {
  readonly sender: Party;
  readonly nonce: string;
}

export type TransferCommandStatus =
  | { readonly status: "created" | "sent" }
  | { readonly status: "failed"; readonly failure_kind: "failed" | "expired" | "withdrawn"; readonly reason: string };
export interface TransferCommandWithStatus {
  readonly contract: DescribedContract;
  readonly status: TransferCommandStatus;
}

export interface TransferCommandsContext {
  readonly ledger: Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets" | "offsetAt" | "nowMicros">;
  readonly contracts: Contracts;
  readonly types: ValueTypes;
}

const searchedMicros = microsOf(limits.transferCommandsSearchedSeconds);

/** By contract id. Several commands may have one number: of them at most one is sent. */
export async function transferCommands(
  context: TransferCommandsContext,
  { sender, nonce }: { readonly sender: Party; readonly nonce: bigint },
): Answer<Readonly<Record<string, TransferCommandWithStatus>>> {
  const malformed = identifierProblem(sender);
  if (malformed) return malformed;
  const missing = notFound(`Couldn't find transfer command for sender ${sender} with nonce ${nonce} created in the last 24h`);
  if (!context.contracts.knows(templates.transferCommand)) return missing;
  const ended = new Map<string, TransferCommandStatus>(),
    found: [string, TransferCommandStatus][] = [];
  const { ledger } = context,
    filter = { kind: "template", templateId: reference(templates.transferCommand), includeCreatedEventBlob: false } as const;
  const { participantPrunedUpToInclusive: pruned } = ledger.prunedOffsets(),
    since = ledger.offsetAt(ledger.nowMicros() - searchedMicros) ?? pruned;
  const span = { after: since, to: ledger.ledgerEnd(), descending: true };
  for await (const page of transactionPages(ledger, { ...span, format: partyFormat({ [sender]: { cumulative: [filter] } }) })) {
    if (isFailure(page)) return refuse("internal", page.error.cause);
    for (const event of page.ok.flatMap(({ events }) => [...events].reverse())) {
      if (isCreateOf(event, sender, nonce))
        found.push([event.CreatedEvent.contractId, ended.get(event.CreatedEvent.contractId) ?? { status: "created" }]);
      else if (event.ExercisedEvent?.consuming) ended.set(event.ExercisedEvent.contractId, endedBy(event.ExercisedEvent));
    }
    if (found.length >= limits.transferCommandsMax) break;
  }
  return found.length === 0 ? missing : ok(await described(context, found.slice(0, limits.transferCommandsMax)));
}

type Create = Extract<LedgerEvent, { readonly ExercisedEvent?: undefined }>;
function isCreateOf(event: LedgerEvent, sender: Party, nonce: bigint): event is Create {
  const command = event.CreatedEvent?.createArgument as TransferCommand | undefined;
  return command?.sender === sender && command.nonce === String(nonce);
}

function endedBy({ choice, exerciseResult }: Exercised): TransferCommandStatus {
  if (choice.endsWith("_Withdraw") || choice === "Archive")
    return { status: "failed", failure_kind: "withdrawn", reason: "The TransferCommand has been withdrawn by the sender" };
  if (choice.endsWith("_Expire")) return { status: "failed", failure_kind: "expired", reason: "The TransferCommand has expired" };
  const { result } = exerciseResult as {
    readonly result?: { readonly tag: string; readonly value: { readonly reason: InvalidTransferReason } };
  };
  return result?.tag === "TransferCommandResultFailure"
    ? { status: "failed", failure_kind: "failed", reason: reasonText(result.value.reason) }
    : { status: "sent" };
}

async function described({ contracts, types }: TransferCommandsContext, found: readonly (readonly [string, TransferCommandStatus])[]) {
  const read = await Promise.all(
    found.map(async ([id, status]) => ({ status, contract: await contracts.everCreated(id, { withBlob: true }) })),
  );
  const known = read.flatMap(({ contract, status }) => (contract ? [{ contract, status }] : []));
  const texts = await describeContracts(
    types,
    known.map(({ contract }) => contract),
  );
  return Object.fromEntries(texts.map((contract, index) => [contract.contract_id, { contract, status: known[index]!.status }]));
}
