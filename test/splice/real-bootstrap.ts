/** What begins a Splice network with one SV: values of a development network, with fees as the packages want them. */
import type { Json } from "../scenarios/world.js";

const micros = (seconds: number): Json => ({ microseconds: String(seconds * 1_000_000) });
const day = 86_400;

/** Up to amulet 0.1.14 fees must be above zero, from 0.1.17 on they must be zero. */
const fees = {
  some: {
    createFee: { fee: "0.03" },
    lockHolderFee: { fee: "0.005" },
    transferFee: {
      initialRate: "0.01",
      steps: [
        { _1: "100.0", _2: "0.001" },
        { _1: "1000.0", _2: "0.0001" },
        { _1: "1000000.0", _2: "0.00001" },
      ],
    },
  },
  none: { createFee: { fee: "0.0" }, lockHolderFee: { fee: "0.0" }, transferFee: { initialRate: "0.0", steps: [] } },
};

interface Beginning {
  readonly dso: string;
  readonly sv1: string;
  readonly synchronizerId: string;
  readonly packageVersions: Json;
  readonly hasFees: boolean;
}

export const bootstrapArguments = ({ dso, sv1, synchronizerId, packageVersions, hasFees }: Beginning): Json => ({
  dso,
  sv1Party: sv1,
  sv1Name: "sv1",
  sv1RewardWeight: "100000",
  sv1ParticipantId: "PAR::sv1",
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
  round0Duration: micros(day),
  amuletPrice: "0.5",
  initialTrafficState: [],
  isDevNet: true,
  initialRound: "0",
  ansRulesConfig: { renewalDuration: micros(30 * day), entryLifetime: micros(90 * day), entryFee: "1.0", descriptionPrefix: "ANS entry: " },
  config: {
    numUnclaimedRewardsThreshold: "5",
    numMemberTrafficContractsThreshold: "5",
    actionConfirmationTimeout: micros(300),
    svOnboardingRequestTimeout: micros(3_600),
    svOnboardingConfirmedTimeout: micros(3_600),
    voteRequestTimeout: micros(7 * day),
    dsoDelegateInactiveTimeout: micros(70),
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
        [synchronizerId, { state: "DS_Operational", cometBftGenesisJson: "{}", acsCommitmentReconciliationInterval: "1800" }],
      ],
      lastSynchronizerId: synchronizerId,
      activeSynchronizerId: synchronizerId,
    },
    nextScheduledSynchronizerUpgrade: null,
    voteCooldownTime: micros(0),
  },
  amuletConfig: {
    transferConfig: {
      holdingFee: { rate: "0.00002" },
      ...(hasFees ? fees.some : fees.none),
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
        baseRateTrafficLimits: { burstAmount: "200000", burstWindow: micros(600) },
        extraTrafficPrice: "1.0",
        readVsWriteScalingFactor: "4",
        minTopupAmount: "200000",
      },
    },
    tickDuration: micros(600),
    packageConfig: packageVersions,
    transferPreapprovalFee: "0.00274",
    featuredAppActivityMarkerAmount: "1.0",
  },
});
