/**
 * Two legs of a trade on the public trading app of the token standard, settled in one transaction: the recording has its time and nodes,
 * not its steps.
 */
import { assert } from "../../src/base/assert.js";
import { parseTimestamp } from "../../src/lf/value/time.js";
import type { EngineCase } from "./figures.js";
import type { BenchLedger, Circumstances, JsonCommand } from "./ledger.js";

/** Contracts of the recorded ledger that the DSO's registry would hand out, and a holding of each trader. */
export interface AmuletContracts {
  readonly rules: string;
  readonly external: string;
  readonly round: string;
  readonly holdings: readonly [string, string];
}

const venue = "venue::1220cc",
  dso = "dso::1220dd",
  alice = "alice::1220aa",
  bob = "bob::1220bb";
const trade = "#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTrade",
  proposal = `${trade}Proposal`;
const allocationFactory = "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory";

const circumstances: Circumstances = { readAs: [dso], ledgerTime: parseTimestamp("2022-01-01T00:05:00Z")! };
const times = {
  requestedAt: "2022-01-01T00:05:00Z",
  allocateBefore: "2022-01-01T06:00:00Z",
  settleBefore: "2022-01-01T12:00:00Z",
} as const;
const noMeta = { values: {} };

const leg = (sender: string, receiver: string, amount: string) => ({
  sender,
  receiver,
  amount,
  instrumentId: { admin: dso, id: "Amulet" },
  meta: noMeta,
});
const legs = { leg0: leg(alice, bob, "30.0"), leg1: leg(bob, alice, "20.0") } as const;
const exercise = (template: string, contractId: string, choice: string, argument: unknown): JsonCommand => ({
  kind: "exercise",
  template,
  contractId,
  choice,
  argument,
});

export function tradingApp(ledger: BenchLedger, contracts: AmuletContracts): EngineCase {
  const one = (actAs: string, command: JsonCommand, readAs: readonly string[] = []): string => {
    const created = ledger.commit([actAs], [command], { ...circumstances, readAs: [dso, ...readAs] });
    const [first] = created.slice(-1);
    assert(first !== undefined, "the command creates something");
    return first;
  };
  const proposed = one(alice, {
    kind: "create",
    template: proposal,
    argument: { venue, tradeCid: null, transferLegs: legs, approvers: [alice] },
  });
  const accepted = one(bob, exercise(proposal, proposed, "OTCTradeProposal_Accept", { approver: bob }), [alice]);
  const tradeCid = one(
    venue,
    exercise(proposal, accepted, "OTCTradeProposal_InitiateSettlement", {
      prepareUntil: times.allocateBefore,
      settleBefore: times.settleBefore,
    }),
  );
  const extraArgs = choiceContext(contracts);
  const allocations = (
    [
      [alice, "leg0"],
      [bob, "leg1"],
    ] as const
  ).map(([trader, transferLegId], index) => {
    const settlement = { executor: venue, settlementRef: { id: "OTCTradeProposal", cid: proposed }, ...times, meta: noMeta };
    const allocation = { settlement, transferLegId, transferLeg: legs[transferLegId] };
    const argument = {
      expectedAdmin: dso,
      allocation,
      requestedAt: times.requestedAt,
      inputHoldingCids: [contracts.holdings[index]],
      extraArgs,
    };
    return [
      transferLegId,
      { _1: one(trader, exercise(allocationFactory, contracts.external, "AllocationFactory_Allocate", argument)), _2: extraArgs },
    ] as const;
  });
  const settle = exercise(trade, tradeCid, "OTCTrade_Settle", { allocationsWithContext: Object.fromEntries(allocations) });
  return ledger.submission("trading app: settle two legs", [venue], [settle], { ...circumstances, readAs: [dso, alice, bob] });
}

const choiceContext = ({ rules, round }: AmuletContracts) => ({
  context: { values: { "amulet-rules": { tag: "AV_ContractId", value: rules }, "open-round": { tag: "AV_ContractId", value: round } } },
  meta: noMeta,
});
