/**
 * What a new network is made with: the argument of governance's newest bootstrap template, in the ledger's JSON.
 *
 * Values are those with which a node of Splice 0.7.4 founds a network, and its LocalNet does: what `SV1Initializer` hands to the template
 * of the defaults of `SvAppConfig` (`FoundDso`, `SynchronizerFeesConfig`), `SpliceUtil` (`defaultAmuletConfig`, `defaultAnsConfig`) and
 * `SvUtil` (`defaultDsoRulesConfig`). LocalNet's `conf/splice/sv/app.conf` changes none of them: what it reads from the environment is not
 * set there, but for `isDevNet`. Ours differ where a network of one SV is to be of use at once, or has nothing to tell:
 * - it is always a development network, as LocalNet is;
 * - votes may be asked for again at once, not after a minute;
 * - there is no node of CometBFT, no sequencer and no mediator; its Scan is told later (`publish-scan`);
 * - rules of the older generation have the fees that they want.
 */
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
  amuletPrice: "0.005",
  initialTrafficState: [],
  isDevNet: true,
  initialRound: "0",
  ansRulesConfig: { renewalDuration: days(30), entryLifetime: days(90), entryFee: "1.0", descriptionPrefix: "ANS entry: " },
  config: governanceConfig(synchronizerId),
  amuletConfig: amuletConfig(synchronizerId, packages),
});

const governanceConfig = (synchronizerId: string) => ({
  numUnclaimedRewardsThreshold: "10",
  numMemberTrafficContractsThreshold: "5",
  actionConfirmationTimeout: seconds(3_600),
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
    holdingFee: { rate: "0.0000190259" }, // a dollar a year, by rounds of a tick
    extraFeaturedAppRewardAmount: "1.0",
    maxNumInputs: "100",
    maxNumOutputs: "100",
    maxNumLockHolders: "50",
  },
  issuanceCurve: {
    initialValue: issuance("40000000000.0", "0.05", "0.15"),
    futureValues: [
      { _1: days(182.5), _2: issuance("20000000000.0", "0.12", "0.4") },
      { _1: days(547.5), _2: issuance("10000000000.0", "0.18", "0.62") },
      { _1: days(1_825), _2: issuance("5000000000.0", "0.21", "0.69") },
      { _1: days(3_650), _2: issuance("2500000000.0", "0.2", "0.75") },
    ],
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: { map: [[synchronizerId, {}]] },
    activeSynchronizer: synchronizerId,
    fees: {
      baseRateTrafficLimits: { burstAmount: "400000", burstWindow: seconds(1_200) },
      extraTrafficPrice: "16.67",
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
  transferPreapprovalFee: null, // by the packages' own default a dollar a year
  featuredAppActivityMarkerAmount: "1.0", // that of featured apps, as the newer rules demand
});

const issuance = (amuletToIssuePerYear: string, validatorRewardPercentage: string, appRewardPercentage: string) => ({
  amuletToIssuePerYear,
  validatorRewardPercentage,
  appRewardPercentage,
  validatorRewardCap: "0.2",
  featuredAppRewardCap: "100.0",
  unfeaturedAppRewardCap: "0.6",
  optValidatorFaucetCap: "2.85",
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
