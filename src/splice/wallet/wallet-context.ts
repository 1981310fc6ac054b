/** What a wallet works with, and whose it is. */
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Participant, Party } from "../../ledger/index.js";
import type { Contract, Contracts } from "../contracts.js";
import type { Network } from "../network.js";
import type { OffsetsByText } from "../history/offsets-by-text.js";
import { type Answer, ledgerRefusal } from "../refusal.js";
import { disclosed, type DisclosedContract } from "../registry/choice-context.js";
import type { Registry } from "../registry/registry.js";
import type { Submission, Submitted, Submitter } from "../submitter.js";
import type { ValueTypes } from "../values/value-types.js";
import type { WalletUsers } from "../wallet-users.js";
import type { Lines } from "./lines.js";
import type { OwnAmulets } from "./own-amulets.js";

export interface WalletContext {
  readonly ledger: Pick<
    Participant,
    | "nowMicros"
    | "openUpdates"
    | "readUpdate"
    | "ledgerEnd"
    | "prunedOffsets"
    | "synchronizerId"
    | "synchronizerOf"
    | "participantId"
    | "getParties"
    | "packageSummary"
    | "external"
  >;
  /** The process's. */
  readonly turns: Turns;
  readonly contracts: Contracts;
  readonly network: Network;
  readonly registry: Registry;
  readonly types: ValueTypes;
  readonly tracked: OffsetsByText;
  readonly submitter: Submitter;
  readonly amulets: OwnAmulets;
  /** By party. */
  readonly payments: Lines;
  readonly users: WalletUsers;
  /** The user whose primary party operates the validator. */
  readonly operator: string;
}

/** A user with a party of his own. */
export interface Owner {
  readonly userId: string;
  readonly party: Party;
}

/** For commands that use them; the ledger refuses those that need one that is on its way between synchronizers. */
export const disclosedFrom = ({ ledger }: Pick<WalletContext, "ledger">, contracts: readonly Contract[]): readonly DisclosedContract[] =>
  contracts.map((contract) => disclosed(contract, ledger.synchronizerOf(contract.contractId) ?? ""));

/** As the owner; with a command id that was accepted not long before it gives what it gave then. */
export function submitted(
  { submitter }: Pick<WalletContext, "submitter">,
  { userId }: Owner,
  submission: Omit<Submission, "userId">,
): Promise<Result<Submitted, LedgerErrorData>> {
  const { commandId, deduplicationSeconds = limits.walletDeduplicationSeconds } = submission;
  return commandId === undefined
    ? submitter.submit({ ...submission, userId })
    : submitter.submitOnce({ ...submission, commandId, deduplicationSeconds, userId });
}

/** The same; what the ledger refuses is told in this room's form. */
export async function submitAs(context: WalletContext, owner: Owner, submission: Omit<Submission, "userId">): Answer<Submitted> {
  const done = await submitted(context, owner, submission);
  return isFailure(done) ? ledgerRefusal(done.error) : ok(done.ok);
}
