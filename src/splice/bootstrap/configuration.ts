/** What a new network is made with: the argument of governance's newest bootstrap template, in the ledger's JSON. */
import type { Party } from "../../ledger/index.js";
import type { NetworkPackages } from "./network-packages.js";

export interface NetworkToMake {
  readonly dso: Party;
  readonly sv: { readonly party: Party; readonly name: string };
  /** As members of the network are called: `PAR::..`. */
  readonly participant: string;
  readonly synchronizerId: string;
  readonly packages: Pick<NetworkPackages, "generation" | "versions">;
}

const seconds = (count: number) => ({ microseconds: String(count * 1_000_000) });
const days = (count: number) => seconds(count * 86_400);
const tick = seconds(600);

export const bootstrapArguments = ({ dso, sv, participant, synchronizerId, packages }: NetworkToMake) => ({
  dso,
  sv1Party: sv.party,
  sv1Name: sv.name,
  sv1RewardWeight: "10000", // as first SVs have it
  sv1ParticipantId: participant,
  sv1SynchronizerNodes: [
    [
      synchronizerId,
      {
        cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] },
        sequencer: null,
        mediator: null,
        scan: null,
        legacySequencerConfig: null,
      },
    ],
  ],
  round0Duration: tick,
  amuletPrice: "0.5",
  initialTrafficState: [],
  isDevNet: true,
  initialRound: "0",
  ansRulesConfig: { renewalDuration: days(30), entryLifetime: days(90), entryFee: "1.0", descriptionPrefix: "ANS entry: " },
  config: governanceConfig(synchronizerId),
  amuletConfig: amuletConfig(synchronizerId, packages),
});

const governanceConfig = (synchronizerId: string) => ({
  numUnclaimedRewardsThreshold: "5",
  numMemberTrafficContractsThreshold: "5",
  actionConfirmationTimeout: seconds(300),
  svOnboardingRequestTimeout: seconds(3_600),
  svOnboardingConfirmedTimeout: seconds(3_600),
  voteRequestTimeout: days(7),
  dsoDelegateInactiveTimeout: seconds(70),
  synchronizerNodeConfigLimits: {
    cometBft: {
      maxNumCometBftNodes: "2",
      maxNumGovernanceKeys: "2",
      maxNumSequencingKeys: "2",
      maxNodeIdLength: "50",
      maxPubKeyLength: "256",
    },
  },
  maxTextLength: "1024",
  decentralizedSynchronizer: {
    synchronizers: [
      [
        synchronizerId,
        {
          state: "DS_Operational",
          cometBftGenesisJson: "{}",
          acsCommitmentReconciliationInterval: "1800",
        },
      ],
    ],
    lastSynchronizerId: synchronizerId,
    activeSynchronizerId: synchronizerId,
  },
  nextScheduledSynchronizerUpgrade: null,
  voteCooldownTime: seconds(0), // one SV may vote again at once
});

const amuletConfig = (synchronizerId: string, { generation, versions }: NetworkToMake["packages"]) => ({
  transferConfig: {
    ...fees[generation],
    holdingFee: { rate: "0.00002" },
    extraFeaturedAppRewardAmount: "1.0",
    maxNumInputs: "100",
    maxNumOutputs: "100",
    maxNumLockHolders: "10",
  },
  issuanceCurve: {
    initialValue: {
      amuletToIssuePerYear: "40000000000.0",
      validatorRewardPercentage: "0.05",
      appRewardPercentage: "0.15",
      validatorRewardCap: "0.2",
      featuredAppRewardCap: "100.0",
      unfeaturedAppRewardCap: "0.6",
      optValidatorFaucetCap: null,
    },
    futureValues: [],
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: { map: [[synchronizerId, {}]] },
    activeSynchronizer: synchronizerId,
    fees: {
      baseRateTrafficLimits: { burstAmount: "200000", burstWindow: seconds(600) },
      extraTrafficPrice: "1.0",
      readVsWriteScalingFactor: "4",
      minTopupAmount: "200000",
    },
  },
  tickDuration: tick,
  packageConfig: {
    amulet: versions.amulet,
    amuletNameService: versions.nameService,
    dsoGovernance: versions.governance,
    validatorLifecycle: versions.validatorLifecycle,
    wallet: versions.wallet,
    walletPayments: versions.walletPayments,
  },
  transferPreapprovalFee: "0.00274",
  featuredAppActivityMarkerAmount: "1.0", // that of featured apps, as the newer rules demand
});

/** Of transfers: the older rules want some, the newer ones none. */
export const fees = {
  rounds: {
    createFee: { fee: "0.03" },
    transferFee: {
      initialRate: "0.01",
      steps: [
        { _1: "100.0", _2: "0.001" },
        { _1: "1000.0", _2: "0.0001" },
        { _1: "1000000.0", _2: "0.00001" },
      ],
    },
    lockHolderFee: { fee: "0.005" },
  },
  configStates: { createFee: { fee: "0.0" }, transferFee: { initialRate: "0.0", steps: [] }, lockHolderFee: { fee: "0.0" } },
} as const;
