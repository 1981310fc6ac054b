/**
 * Amulets that were locked for a transfer or an allocation, and that nobody moved in time, go back to their owner. Those whose
 * business it is have a day for it: who looks at what expired should find it.
 */
import { limits } from "../../config.js";
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { generationOf } from "../generations.js";
import { instantOf } from "../instants.js";
import { packageNames, templates, type Name } from "../names.js";
import { byRules, dueAt, nothingDue, type Due, type Economy, type Trigger } from "./trigger.js";

interface OfInstrument {
  readonly instrumentId: { readonly admin: Party };
}
interface TransferInstruction {
  readonly lockedAmulet: string;
  readonly transfer: OfInstrument & { readonly sender: Party; readonly receiver: Party; readonly executeBefore: string };
}
interface Allocation {
  readonly lockedAmulet: string;
  readonly expiresAt?: string | null;
  readonly allocation: {
    readonly settlement: { readonly executor: Party; readonly settleBefore: string };
    readonly transferLeg: OfInstrument & { readonly sender: Party };
  };
}
interface AllocationV2 {
  readonly lockedAmulet?: string | null;
  readonly expiresAt: string;
  readonly settlement: { readonly executors: readonly Party[] };
  readonly allocation: { readonly admin: Party; readonly authorizer: { readonly owner?: Party | null } };
}

const restSeconds = limits.automationRestSeconds;
const keptMicros = BigInt(limits.expiredKeptHours) * 3_600_000_000n;

export const expireTransfers: Trigger = {
  name: "expire-transfers",
  what: "gives back what was locked for transfers that expired a day ago",
  restSeconds,
  async due(economy, now) {
    if (!knowsExpiry(economy)) return nothingDue;
    const { dso, amuletRules } = economy;
    const offers = await allOf<TransferInstruction>(economy, templates.amuletTransferInstruction, ({ transfer }) => transfer);
    return dueAt(
      now,
      offers.map(({ contractId, payload: { lockedAmulet, transfer } }) => ({
        at: instantOf(transfer.executeBefore) + keptMicros,
        task: () => ({
          key: contractId,
          submission: async () =>
            byRules(economy, "DsoRules_Amulet_ExpireTransferInstructions", {
              amuletRulesCid: amuletRules.contractId,
              transferInsts: {
                expectedDso: dso,
                observers: [...new Set([transfer.sender, transfer.receiver])],
                inputs: [{ transferInstructionCid: contractId, expireLock: await isLocked(economy, lockedAmulet) }],
              },
            }),
        }),
      })),
    );
  },
};

export const expireAllocations: Trigger = {
  name: "expire-allocations",
  what: "the same for allocations of the first generation of the token standard",
  restSeconds,
  due: (economy, now) => dueAllocations(economy, now, allocationsV1),
};

export const expireAllocationsV2: Trigger = {
  name: "expire-allocations-v2",
  what: "the same for those of the second generation",
  restSeconds,
  due: (economy, now) => dueAllocations(economy, now, allocationsV2),
};

async function dueAllocations(economy: Economy, now: bigint, allocations: typeof allocationsV1): Promise<Due> {
  if (!knowsExpiry(economy)) return nothingDue;
  const external = await economy.network.externalPartyAmuletRules(economy.dso);
  if (external.error !== undefined) return { tasks: [], obstacle: external.error.message };
  return dueAt(now, await allocations(economy, external.ok.contractId));
}

async function allocationsV1(economy: Economy, extAmuletRulesCid: string) {
  const { dso } = economy,
    allocations = await allOf<Allocation>(economy, templates.amuletAllocation, ({ allocation }) => allocation.transferLeg);
  return allocations.map(({ contractId, payload: { lockedAmulet, expiresAt, allocation } }) => {
    const { settlement, transferLeg } = allocation;
    const submission = async () =>
      byRules(economy, "DsoRules_ExpireAmuletAllocations", {
        extAmuletRulesCid,
        expireAllocations: {
          expectedDso: dso,
          observers: [...new Set([transferLeg.sender, settlement.executor])],
          inputs: [{ allocationCid: contractId, expireLock: await isLocked(economy, lockedAmulet) }],
        },
      });
    return { at: instantOf(expiresAt ?? settlement.settleBefore) + keptMicros, task: () => ({ key: contractId, submission }) };
  });
}

/** Of a receiver there is no lock. */
async function allocationsV2(economy: Economy, extAmuletRulesCid: string) {
  const { dso } = economy,
    allocations = await allOf<AllocationV2>(economy, templates.amuletAllocationV2, ({ allocation }) => ({ instrumentId: allocation }));
  return allocations.map(({ contractId, payload: { lockedAmulet, expiresAt, settlement, allocation } }) => {
    const { owner } = allocation.authorizer;
    const submission = async () => {
      const value = lockedAmulet ? await isLocked(economy, lockedAmulet) : false,
        context = { values: { "expire-lock": { tag: "AV_Bool", value } } };
      const cancel = { actors: [dso], extraArgs: { context, meta: { values: {} } } };
      return byRules(economy, "DsoRules_ExpireAmuletAllocationsV2", {
        extAmuletRulesCid,
        choiceArg: {
          cancellations: [{ _1: contractId, _2: cancel }],
          observers: [...new Set([...(owner ? [owner] : []), ...settlement.executors])],
        },
      });
    };
    return { at: instantOf(expiresAt) + keptMicros, task: () => ({ key: contractId, submission }) };
  });
}

/** The older generation leaves it to the owners. */
const knowsExpiry = ({ newest }: Economy): boolean => {
  const amulet = newest(packageNames.amulet);
  return amulet !== undefined && generationOf(amulet) === "configStates";
};

async function allOf<P>({ contracts, dso }: Economy, template: Name, of: (payload: P) => OfInstrument): Promise<readonly Contract<P>[]> {
  const page = await contracts.page<P>({ templates: [template], limit: Infinity });
  assert(!isFailure(page), `what is active now can be read: ${page.error?.cause}`);
  return page.ok.filter(({ payload }) => of(payload).instrumentId.admin === dso);
}

/** The owner may have taken it back already. */
const isLocked = async ({ contracts }: Economy, lockedAmulet: string): Promise<boolean> =>
  (await contracts.findOf(templates.lockedAmulet, lockedAmulet)) !== undefined;
