/** Amulet set aside for settlements by the token standard, of either generation. */
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { isOf } from "../contracts.js";
import { byAge, describeContracts, type DescribedContract } from "../described-contract.js";
import { javaInstant } from "../instants.js";
import { interfaces, templates } from "../names.js";
import type { AmuletRules } from "../network.js";
import { type Answer, notFound, type Refusal } from "../refusal.js";
import type { Generation } from "../registry/registry.js";
import type { Submission } from "../submitter.js";
import { amountOf, timeOf } from "../amounts.js";
import { holdingInputsOf } from "./amulets.js";
import { accountOf, commandIdOf, extraArgs, metadata, type Meta } from "./commands.js";
import { instructionResult } from "./instruction-result.js";
import { spendAs } from "./spending.js";
import { ownContracts, type Listed } from "./own-contracts.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface SettlementReference {
  readonly id: string;
  readonly cid: string | undefined;
}

/** Times are microseconds since the epoch. */
export interface AllocationRequestV1 {
  readonly settlement: {
    readonly executor: Party;
    readonly reference: SettlementReference;
    readonly requestedAt: number;
    readonly allocateBefore: number;
    readonly settleBefore: number;
    readonly meta: Meta;
  };
  readonly transferLegId: string;
  readonly transferLeg: { readonly receiver: Party; readonly amount: string; readonly meta: Meta };
}

export interface AllocationRequestV2 {
  readonly settlement: {
    readonly executors: readonly Party[];
    readonly reference: SettlementReference;
    readonly deadline: number | undefined;
    readonly meta: Meta;
  };
  readonly legSides: readonly {
    readonly transferLegId: string;
    readonly side: "SenderSide" | "ReceiverSide";
    readonly otherside: Party;
    readonly amount: string;
    readonly meta: Meta;
  }[];
  /** By instrument. */
  readonly nextIterationFunding: Meta | undefined;
  readonly committed: boolean;
  readonly meta: Meta;
}

/** As clients see it. */
export interface AllocationResult {
  readonly output: { readonly allocation_cid: string } | { readonly allocation_instruction_cid: string } | { readonly dummy?: object };
  readonly sender_change_cids: readonly string[];
  readonly meta: Meta;
}

const withoutDebug = { excludeDebugFields: true };

/** The same leg of the same settlement gives the first result again. */
export async function allocateV1(
  context: WalletContext,
  owner: Owner,
  { settlement, transferLegId, transferLeg }: AllocationRequestV1,
): Answer<AllocationResult> {
  const amount = amountOf(transferLeg.amount, "transfer_leg.amount");
  if (isFailure(amount)) return amount;
  const times = timesOf({
    requestedAt: settlement.requestedAt,
    allocateBefore: settlement.allocateBefore,
    settleBefore: settlement.settleBefore,
  });
  if (isFailure(times)) return times;
  const { executor, reference, meta } = settlement;
  const argumentOf = ({ dso }: AmuletRules, inputHoldingCids: readonly string[]): object => ({
    expectedAdmin: dso,
    allocation: {
      settlement: { executor, settlementRef: referenceOf(reference), ...times.ok, meta: metadata(meta) },
      transferLegId,
      transferLeg: {
        sender: owner.party,
        receiver: transferLeg.receiver,
        amount: transferLeg.amount,
        instrumentId: { admin: dso, id: "Amulet" },
        meta: metadata(transferLeg.meta),
      },
    },
    requestedAt: javaInstant(context.ledger.nowMicros()),
    inputHoldingCids,
  });
  const words = [owner.party, executor, reference.id, reference.cid ?? "", transferLegId];
  return allocate(context, owner, { generation: "v1", argumentOf, spends: true, commandId: commandIdOf("allocateAmulet", ...words) });
}

export async function allocateV2(context: WalletContext, owner: Owner, request: AllocationRequestV2): Answer<AllocationResult> {
  for (const { amount } of request.legSides) {
    const read = amountOf(amount, "transfer_leg_sides.amount");
    if (isFailure(read)) return read;
  }
  const {
    settlement: { executors, reference, deadline, meta },
  } = request;
  const settlementDeadline: Result<string | null, Refusal> =
    deadline === undefined ? ok(null) : timeOf(deadline, "settlement.settlement_deadline");
  if (isFailure(settlementDeadline)) return settlementDeadline;
  const spends = request.legSides.some(({ side }) => side === "SenderSide") || request.nextIterationFunding !== undefined;
  const argumentOf = ({ dso }: AmuletRules, inputHoldingCids: readonly string[]): object => ({
    settlement: { executors, id: reference.id, cid: reference.cid ?? null, meta: metadata(meta) },
    allocation: {
      admin: dso,
      authorizer: accountOf(owner.party),
      transferLegSides: request.legSides.map(({ otherside, meta: sideMeta, ...side }) => ({
        ...side,
        otherside: accountOf(otherside),
        instrumentId: "Amulet",
        meta: metadata(sideMeta),
      })),
      settlementDeadline: settlementDeadline.ok,
      nextIterationFunding: request.nextIterationFunding ?? null,
      committed: request.committed,
      meta: metadata(request.meta),
    },
    requestedAt: javaInstant(context.ledger.nowMicros()),
    inputHoldingCids,
    actors: [owner.party],
  });
  const words = [owner.party, reference.id, reference.cid ?? "", ...executors];
  return allocate(context, owner, {
    generation: "v2",
    argumentOf,
    spends,
    commandId: commandIdOf("allocateAmulet.v2", ...words),
    deduplicationSeconds: limits.allocationDeduplicationSeconds,
  });
}

interface Allocating {
  readonly generation: Generation;
  /** Of the factory's choice, but for its context. */
  readonly argumentOf: (rules: AmuletRules, inputs: readonly string[]) => object;
  /** False: the owner only receives. */
  readonly spends: boolean;
  readonly commandId: string;
  readonly deduplicationSeconds?: number;
}

async function allocate(context: WalletContext, owner: Owner, allocating: Allocating): Answer<AllocationResult> {
  const allocated = await spendAs(context, owner, { payer: owner.party }, () => prepare(context, owner, allocating));
  return isFailure(allocated) ? allocated : ok(resultOf(allocated.ok.exerciseResult));
}

async function prepare(
  context: WalletContext,
  owner: Owner,
  { generation, argumentOf, spends, commandId, deduplicationSeconds }: Allocating,
): Answer<Omit<Submission, "userId">> {
  const rules = await context.network.amuletRules();
  if (isFailure(rules)) return rules;
  const { payload } = rules.ok,
    argument = argumentOf(payload, spends ? await holdingInputsOf(context, owner.party, payload) : []);
  const factory = await context.registry.allocationFactory(generation, { ...argument, extraArgs: extraArgs() }, withoutDebug);
  if (isFailure(factory)) return factory;
  const { factoryId, choiceContext } = factory.ok;
  return ok({
    actAs: [owner.party],
    commands: [
      exercise(interfaces[generation].allocationFactory, factoryId, "AllocationFactory_Allocate", {
        ...argument,
        extraArgs: extraArgs(choiceContext),
      }),
    ],
    disclosed: choiceContext.disclosedContracts,
    commandId,
    ...(deduplicationSeconds === undefined ? {} : { deduplicationSeconds }),
  });
}

function timesOf<K extends string>(times: Readonly<Record<K, number>>): Result<Record<K, string>, Refusal> {
  const read = {} as Record<K, string>;
  for (const [field, micros] of Object.entries<number>(times)) {
    const time = timeOf(micros, `settlement.${field}`);
    if (isFailure(time)) return time;
    read[field as K] = time.ok;
  }
  return ok(read);
}

const referenceOf = ({ id, cid }: SettlementReference) => ({ id, cid: cid ?? null });

interface Made {
  readonly allocationCid?: string;
  readonly allocationInstructionCid?: string;
}

const resultOf = (json: unknown): AllocationResult =>
  instructionResult(json, ({ allocationCid, allocationInstructionCid }: Made): AllocationResult["output"] => {
    if (allocationCid !== undefined) return { allocation_cid: allocationCid };
    return allocationInstructionCid === undefined ? {} : { allocation_instruction_cid: allocationInstructionCid };
  });

export interface WithdrawnV1 {
  readonly sender_holding_cids: readonly string[];
  readonly meta: Meta;
}
export interface WithdrawnV2 {
  readonly authorizer_holding_cids: Readonly<Record<string, readonly string[]>>;
  readonly meta: Meta;
}

export async function withdrawV1(context: WalletContext, owner: Owner, contractId: string): Answer<WithdrawnV1> {
  const withdrawn = await withdraw(context, owner, "v1", contractId);
  if (isFailure(withdrawn)) return withdrawn;
  const { senderHoldingCids, meta } = withdrawn.ok as {
    readonly senderHoldingCids: readonly string[];
    readonly meta: { readonly values: Meta };
  };
  return ok({ sender_holding_cids: senderHoldingCids, meta: meta.values });
}

/** Allocations of the first generation too. */
export async function withdrawV2(context: WalletContext, owner: Owner, contractId: string): Answer<WithdrawnV2> {
  const withdrawn = await withdraw(context, owner, "v2", contractId);
  if (isFailure(withdrawn)) return withdrawn;
  const { authorizerHoldingCids, meta } = withdrawn.ok as {
    readonly authorizerHoldingCids: Readonly<Record<string, readonly string[]>>;
    readonly meta: { readonly values: Meta };
  };
  return ok({ authorizer_holding_cids: authorizerHoldingCids, meta: meta.values });
}

async function withdraw(context: WalletContext, owner: Owner, generation: Generation, contractId: string): Answer<unknown> {
  const allocation = await context.contracts.find(contractId);
  const isOwn =
    allocation !== undefined
    && [templates.amuletAllocation, templates.amuletAllocationV2].some((template) => isOf(allocation, template))
    && allocation.signatories.includes(owner.party);
  if (!isOwn) return notFound(`AmuletAllocation '${contractId}' not found.`);
  const choiceContext = await context.registry.allocationContext(generation, contractId, "withdraw", withoutDebug);
  if (isFailure(choiceContext)) return choiceContext;
  const argument = { ...(generation === "v1" ? {} : { actors: [owner.party] }), extraArgs: extraArgs(choiceContext.ok) };
  const withdrawn = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(interfaces[generation].allocation, contractId, "Allocation_Withdraw", argument)],
    disclosed: choiceContext.ok.disclosedContracts,
  });
  return isFailure(withdrawn) ? withdrawn : ok(withdrawn.ok.exerciseResult);
}

/** Of both generations, the oldest first. */
export async function allocationsOf(context: WalletContext, { party }: Owner): Answer<readonly DescribedContract[]> {
  const both = await Promise.all(
    (["amuletAllocationV2", "amuletAllocation"] as const).map((template) => ownContracts<Listed>(context, party, template)),
  );
  return ok(byAge(await describeContracts(context.types, both.flat())));
}
