/** Transfers of Amulet by the token standard, of either generation, with contexts as everybody gets them from the registry. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { showDecimal } from "../decimal.js";
import { javaInstant } from "../instants.js";
import { interfaces } from "../names.js";
import { type Answer, identifierProblem } from "../refusal.js";
import type { Generation } from "../registry/registry.js";
import { timeOf, wideAmountOf } from "../amounts.js";
import type { Submission } from "../submitter.js";
import { holdingInputsOf } from "./amulets.js";
import { accountOf, commandIdOf, extraArgs, metadata, reasonKey, type Meta } from "./commands.js";
import { instructionResult } from "./instruction-result.js";
import { spendAs } from "./spending.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

export interface TransferRequest {
  readonly receiver: Party;
  readonly amount: string;
  readonly description: string;
  /** Microseconds since the epoch. */
  readonly expiresAt: number;
  readonly trackingId: string;
}

/** As clients see it. */
export interface TransferResult {
  readonly output:
    { readonly transfer_instruction_cid: string } | { readonly receiver_holding_cids: readonly string[] } | { readonly dummy?: object };
  readonly sender_change_cids: readonly string[];
  readonly meta: Meta;
}

const withoutDebug = { excludeDebugFields: true };

/** The same tracking id gives the first result again. */
export async function createTransfer(
  context: WalletContext,
  owner: Owner,
  generation: Generation,
  request: TransferRequest,
): Answer<TransferResult> {
  const malformed = identifierProblem(request.receiver);
  if (malformed) return malformed;
  const amount = wideAmountOf(request.amount),
    executeBefore = timeOf(request.expiresAt, "expires_at");
  if (isFailure(amount)) return amount;
  if (isFailure(executeBefore)) return executeBefore;
  const sent = await spendAs(context, owner, { payer: owner.party }, () =>
    prepareTransfer(context, owner, generation, { ...request, amount: showDecimal(amount.ok), executeBefore: executeBefore.ok }),
  );
  return isFailure(sent) ? sent : ok(resultOf(sent.ok.exerciseResult));
}

async function prepareTransfer(
  context: WalletContext,
  owner: Owner,
  generation: Generation,
  request: TransferRequest & { readonly executeBefore: string },
): Answer<Omit<Submission, "userId">> {
  const rules = await context.network.amuletRules();
  if (isFailure(rules)) return rules;
  const { dso } = rules.ok.payload,
    ofGeneration = generation === "v1" ? (party: Party) => party : accountOf;
  const transfer = {
    sender: ofGeneration(owner.party),
    receiver: ofGeneration(request.receiver),
    amount: request.amount,
    instrumentId: { admin: dso, id: "Amulet" },
    requestedAt: javaInstant(context.ledger.nowMicros()),
    executeBefore: request.executeBefore,
    inputHoldingCids: await holdingInputsOf(context, owner.party, rules.ok.payload),
    meta: metadata(request.description === "" ? {} : { [reasonKey]: request.description }),
  };
  const argument = { transfer, ...(generation === "v1" ? { expectedAdmin: dso } : { actors: [owner.party] }) };
  const factory = await context.registry.transferFactory(generation, { ...argument, extraArgs: extraArgs() }, withoutDebug);
  if (isFailure(factory)) return factory;
  const { factoryId, choiceContext } = factory.ok;
  return ok({
    actAs: [owner.party],
    commands: [
      exercise(interfaces[generation].transferFactory, factoryId, "TransferFactory_Transfer", {
        ...argument,
        extraArgs: extraArgs(choiceContext),
      }),
    ],
    disclosed: choiceContext.disclosedContracts,
    commandId: commandIdOf(`createTokenStandardTransfer.${generation}`, owner.party, request.trackingId),
  });
}

const choices = {
  accept: "TransferInstruction_Accept",
  reject: "TransferInstruction_Reject",
  withdraw: "TransferInstruction_Withdraw",
} as const;

export async function endTransfer(
  context: WalletContext,
  owner: Owner,
  { generation, contractId, step }: { readonly generation: Generation; readonly contractId: string; readonly step: keyof typeof choices },
): Answer<TransferResult> {
  const choiceContext = await context.registry.transferInstructionContext(generation, contractId, step, withoutDebug);
  if (isFailure(choiceContext)) return choiceContext;
  const argument = { ...(generation === "v1" ? {} : { actors: [owner.party] }), extraArgs: extraArgs(choiceContext.ok) };
  const ended = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(interfaces[generation].transferInstruction, contractId, choices[step], argument)],
    disclosed: choiceContext.ok.disclosedContracts,
  });
  return isFailure(ended) ? ended : ok(resultOf(ended.ok.exerciseResult));
}

interface Made {
  readonly transferInstructionCid?: string;
  readonly receiverHoldingCids?: readonly string[];
}

const resultOf = (json: unknown): TransferResult =>
  instructionResult(json, ({ transferInstructionCid, receiverHoldingCids }: Made): TransferResult["output"] => {
    if (transferInstructionCid !== undefined) return { transfer_instruction_cid: transferInstructionCid };
    return receiverHoldingCids === undefined ? {} : { receiver_holding_cids: receiverHoldingCids };
  });
