/**
 * Transfers of parties with keys of their own to those who approve of them in advance: the party signs a command for its validator, which
 * sends the transfer once the party's counter comes to it. So there is time between signing and sending.
 */
import { assert } from "../../base/assert.js";
import { isFailure, ok } from "../../base/result.js";
import { readTransaction, splitPrepared } from "../../lf/index.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { plainDecimal } from "../decimal.js";
import { instantProblem, javaInstant, parseInstant } from "../instants.js";
import { templates } from "../names.js";
import { type Answer, identifierProblem, invalid, ledgerRefusal } from "../refusal.js";
import { commandsOf } from "../submitter.js";
import type { ExternalContext, PreparedForParty } from "./external-context.js";
import { disclosedFrom, type Owner } from "./wallet-context.js";

export interface ExternalTransfer {
  readonly sender: Party;
  readonly receiver: Party;
  /** A number of JSON or its text. */
  readonly amount: string;
  /** ISO 8601, with its offset. */
  readonly expiresAt: string;
  /** What the sender's counter has to be at: a number of JSON or its text. */
  readonly nonce: string;
  readonly description: string | undefined;
  readonly verboseHashing: boolean;
}
export interface PreparedTransfer extends PreparedForParty {
  /** What the id of the command's contract begins with. */
  readonly contractIdPrefix: string;
}

/** For the sender to sign. */
export async function prepareTransfer(context: ExternalContext, validator: Owner, transfer: ExternalTransfer): Answer<PreparedTransfer> {
  const { ledger, network } = context,
    { sender, receiver, amount, description = null } = transfer;
  const malformed = identifierProblem(sender) ?? identifierProblem(receiver);
  if (malformed) return malformed;
  const nonce = int64In(transfer.nonce);
  if (nonce === undefined) return invalid("Field `nonce` must be a whole number of 64 bits.");
  const expiresAt = parseInstant(transfer.expiresAt);
  if (expiresAt === undefined) return invalid(instantProblem(transfer.expiresAt));
  const dso = await network.dso();
  if (isFailure(dso)) return dso;
  if (!(await network.transferPreapproval(dso.ok, receiver))) return invalid(`Receiver ${receiver} does not have a TransferPreapproval`);
  const rules = await network.externalPartyAmuletRules(dso.ok);
  if (isFailure(rules)) return rules;
  const command = exercise(templates.externalPartyAmuletRules, rules.ok.contractId, "ExternalPartyAmuletRules_CreateTransferCommand", {
    sender,
    receiver,
    delegate: validator.party,
    amount: plainDecimal(amount),
    expiresAt: javaInstant(expiresAt),
    nonce: String(nonce),
    description,
    expectedDso: dso.ok,
  });
  const prepared = await ledger.interactive.prepare({
    submission: commandsOf({ actAs: [sender], commands: [command], disclosed: disclosedFrom(context, [rules.ok]) }, validator.userId),
    maxRecordTime: undefined,
    hashingScheme: "V2",
    verboseHashing: transfer.verboseHashing,
  });
  if (isFailure(prepared)) return ledgerRefusal(prepared.error);
  const { transaction, hash, hashingDetails } = prepared.ok;
  return ok({ transaction, hash, hashingDetails, contractIdPrefix: createdIn(transaction) });
}

function int64In(number: string): bigint | undefined {
  const whole = /^([+-]?\d{1,19})(?:\.0*)?$/.exec(plainDecimal(number))?.[1];
  if (whole === undefined) return undefined;
  const value = BigInt(whole);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function createdIn(prepared: Uint8Array): string {
  const parts = splitPrepared(prepared),
    bytes = parts.ok?.transaction;
  assert(bytes !== undefined, "what was prepared here has a transaction");
  const read = readTransaction(bytes);
  assert(!isFailure(read), "and can be read");
  const created = [...read.ok.nodes.values()].find(({ kind }) => kind === "create");
  assert(created?.kind === "create", "whose choice makes a command");
  return created.contractId;
}
