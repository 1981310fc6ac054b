/** An Amulet ledger: the DSO's rules and rounds, and what its registry hands to those who use the token standard. */
import { createdIn, eventsOf, exercise, type Json, type World } from "./world.js";

export const amulet = {
  rules: "#splice-amulet:Splice.AmuletRules:AmuletRules",
  external: "#splice-amulet:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules",
  transferFactory: "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
  transferInstruction: "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction",
  allocationFactory: "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory",
  allocation: "#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation",
  allocationRequest: "#splice-api-token-allocation-request-v1:Splice.Api.Token.AllocationRequestV1:AllocationRequest",
  holding: "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding",
} as const;

const issuance = (amuletToIssuePerYear: string, validatorRewardPercentage: string, appRewardPercentage: string): Json => ({
  amuletToIssuePerYear,
  validatorRewardPercentage,
  appRewardPercentage,
  validatorRewardCap: "0.2",
  featuredAppRewardCap: "100.0",
  unfeaturedAppRewardCap: "0.6",
  optValidatorFaucetCap: "2.85",
});
const microseconds = (seconds: number): Json => ({ microseconds: String(seconds * 1_000_000) });

/** The parameters of a development network. */
const configuration = (synchronizer: string): Json => ({
  transferConfig: {
    createFee: { fee: "0.03" },
    holdingFee: { rate: "0.00002" },
    lockHolderFee: { fee: "0.005" },
    extraFeaturedAppRewardAmount: "1.0",
    transferFee: {
      initialRate: "0.01",
      steps: [
        { _1: "100.0", _2: "0.001" },
        { _1: "1000.0", _2: "0.0001" },
        { _1: "1000000.0", _2: "0.00001" },
      ],
    },
    maxNumInputs: "100",
    maxNumOutputs: "100",
    maxNumLockHolders: "50",
  },
  issuanceCurve: {
    initialValue: issuance("40000000000.0", "0.05", "0.15"),
    futureValues: [{ _1: microseconds(15_768_000), _2: issuance("20000000000.0", "0.12", "0.4") }],
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: { map: [[synchronizer, {}]] },
    activeSynchronizer: synchronizer,
    fees: {
      baseRateTrafficLimits: { burstAmount: "400000", burstWindow: microseconds(1_200) },
      extraTrafficPrice: "16.67",
      readVsWriteScalingFactor: "4",
      minTopupAmount: "200000",
    },
  },
  tickDuration: microseconds(600),
  packageConfig: {
    amulet: "0.1.13",
    amuletNameService: "0.1.13",
    dsoGovernance: "0.1.18",
    validatorLifecycle: "0.1.5",
    wallet: "0.1.13",
    walletPayments: "0.1.13",
  },
  transferPreapprovalFee: null,
  featuredAppActivityMarkerAmount: "1.0",
});

type Created = { readonly contractId: string; readonly templateId: string; readonly createdEventBlob: string };

export class AmuletWorld {
  private constructor(
    readonly world: World,
    readonly dso: string,
    readonly rules: Created,
    readonly external: Created,
    readonly round: Created,
  ) {}

  /** Rules, external rules and three rounds, of which the first is open for a day. */
  static async bootstrap(world: World): Promise<AmuletWorld> {
    const dso = await world.party("dso");
    const rules = await world.create([dso], amulet.rules, {
      dso,
      configSchedule: { initialValue: configuration("global::synchronizer"), futureValues: [] },
      isDevNet: true,
    });
    const external = await world.create([dso], amulet.external, { dso });
    const rounds = await world.transact(
      [dso],
      [
        exercise(amulet.rules, rules.contractId, "AmuletRules_Bootstrap_Rounds", {
          amuletPrice: "1.0",
          round0Duration: microseconds(86_400),
          initialRound: null,
        }),
      ],
    );
    return new AmuletWorld(world, dso, rules, external, createdIn(rounds, "OpenMiningRound"));
  }

  get instrument(): Json {
    return { admin: this.dso, id: "Amulet" };
  }

  /** What a registry answers: contracts for the choice context, and the same contracts disclosed. */
  extraArgs(more: Json = {}): Json {
    const contract = ({ contractId }: Created): Json => ({ tag: "AV_ContractId", value: contractId });
    return {
      context: { values: { "amulet-rules": contract(this.rules), "open-round": contract(this.round), ...more } },
      meta: { values: {} },
    };
  }

  disclosed(...others: readonly Created[]): Json {
    return {
      disclosedContracts: [this.rules, this.round, this.external, ...others].map(({ contractId, templateId, createdEventBlob }) => ({
        contractId,
        templateId,
        createdEventBlob,
        synchronizerId: "",
      })),
    };
  }

  tap(receiver: string, amount: string): Promise<Json> {
    return this.world.transact(
      [receiver],
      [exercise(amulet.rules, this.rules.contractId, "AmuletRules_DevNet_Tap", { receiver, amount, openRound: this.round.contractId })],
      this.disclosed(),
    );
  }

  transfer(sender: string, receiver: string, amount: string, inputHoldingCids: readonly string[]): Promise<Json> {
    const transfer = {
      sender,
      receiver,
      amount,
      instrumentId: this.instrument,
      requestedAt: ago(60),
      executeBefore: ago(-3_600),
      inputHoldingCids,
      meta: { values: {} },
    };
    return this.world.transact(
      [sender],
      [
        exercise(amulet.transferFactory, this.external.contractId, "TransferFactory_Transfer", {
          expectedAdmin: this.dso,
          transfer,
          extraArgs: this.extraArgs(),
        }),
      ],
      this.disclosed(),
    );
  }

  allocate(sender: string, allocation: Json, inputHoldingCids: readonly string[]): Promise<Json> {
    const argument = { expectedAdmin: this.dso, allocation, requestedAt: ago(60), inputHoldingCids, extraArgs: this.extraArgs() };
    return this.world.transact(
      [sender],
      [exercise(amulet.allocationFactory, this.external.contractId, "AllocationFactory_Allocate", argument)],
      this.disclosed(),
    );
  }

  /** Amounts of a party's holdings, locked ones with an L, by the standard's view. */
  async holdings(owner: string): Promise<readonly string[]> {
    const contracts = await this.views(amulet.holding, owner);
    return contracts
      .filter(({ view }) => view.owner === owner)
      .map(({ view }) => `${Number(view.amount).toFixed(4)}${view.lock === null ? "" : "L"}`)
      .sort();
  }

  async views(interfaceId: string, party: string): Promise<readonly { readonly contractId: string; readonly view: Json }[]> {
    const filter = {
      identifierFilter: { InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, includeCreatedEventBlob: false } } },
    };
    return (await this.world.activeContracts({ parties: [party], filters: [filter] })).map(
      ({ contractId, interfaceViews: [first] }: Json) => ({ contractId, view: first.viewValue }),
    );
  }
}

/** An instant that lies so many seconds back. */
export const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

/** The tree of a transaction in ledger effects, a line each event, indented by depth. */
export function treeOf(transaction: Json): readonly string[] {
  const open: number[] = [];
  return eventsOf(transaction).map((event) => {
    while (open.length > 0 && event.nodeId > open.at(-1)!) open.pop();
    const indent = "  ".repeat(open.length),
      name = event.templateId.split(":").at(-1);
    if (event.kind === "created") return `${indent}create ${name}`;
    open.push(event.lastDescendantNodeId);
    return `${indent}exercise ${name}.${event.choice}${event.consuming ? " (consuming)" : ""}`;
  });
}
