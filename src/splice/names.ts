/** What the contracts of a Splice network are called. Packages go by name, so any version that was uploaded is meant, several at once. */

/** A template or an interface: `package-name`, `Module:Entity`. */
export interface Name {
  readonly packageName: string;
  readonly entity: string;
}

const inPackage =
  (packageName: string) =>
  (entity: string): Name => ({ packageName, entity });

/** Packages that a network is made of. */
export const packageNames = {
  amulet: "splice-amulet",
  governance: "splice-dso-governance",
  wallet: "splice-wallet",
  validatorLifecycle: "splice-validator-lifecycle",
  nameService: "splice-amulet-name-service",
  walletPayments: "splice-wallet-payments",
} as const;

const amulet = inPackage(packageNames.amulet),
  governance = inPackage(packageNames.governance),
  ans = inPackage(packageNames.nameService);
const wallet = inPackage(packageNames.wallet),
  payments = inPackage(packageNames.walletPayments);

export const templates = {
  amulet: amulet("Splice.Amulet:Amulet"),
  lockedAmulet: amulet("Splice.Amulet:LockedAmulet"),
  validatorRight: amulet("Splice.Amulet:ValidatorRight"),
  featuredAppRight: amulet("Splice.Amulet:FeaturedAppRight"),
  featuredAppActivityMarker: amulet("Splice.Amulet:FeaturedAppActivityMarker"),
  amuletRules: amulet("Splice.AmuletRules:AmuletRules"),
  externalPartySetupProposal: amulet("Splice.AmuletRules:ExternalPartySetupProposal"),
  transferPreapproval: amulet("Splice.AmuletRules:TransferPreapproval"),
  externalPartyAmuletRules: amulet("Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules"),
  transferCommand: amulet("Splice.ExternalPartyAmuletRules:TransferCommand"),
  transferCommandCounter: amulet("Splice.ExternalPartyAmuletRules:TransferCommandCounter"),
  externalPartyConfigState: amulet("Splice.ExternalPartyConfigState:ExternalPartyConfigState"),
  openMiningRound: amulet("Splice.Round:OpenMiningRound"),
  summarizingMiningRound: amulet("Splice.Round:SummarizingMiningRound"),
  issuingMiningRound: amulet("Splice.Round:IssuingMiningRound"),
  closedMiningRound: amulet("Splice.Round:ClosedMiningRound"),
  amuletAllocation: amulet("Splice.AmuletAllocation:AmuletAllocation"),
  amuletAllocationV2: amulet("Splice.AmuletAllocationV2:AmuletAllocationV2"),
  amuletTransferInstruction: amulet("Splice.AmuletTransferInstruction:AmuletTransferInstruction"),
  memberTraffic: amulet("Splice.DecentralizedSynchronizer:MemberTraffic"),
  rewardCouponV2: amulet("Splice.Amulet:RewardCouponV2"),
  unclaimedActivityRecord: amulet("Splice.Amulet:UnclaimedActivityRecord"),
  unclaimedReward: amulet("Splice.Amulet:UnclaimedReward"),
  developmentFundCoupon: amulet("Splice.Amulet:DevelopmentFundCoupon"),
  unclaimedDevelopmentFundCoupon: amulet("Splice.Amulet:UnclaimedDevelopmentFundCoupon"),
  dsoBootstrap: governance("Splice.DsoBootstrap:DsoBootstrap"),
  confirmation: governance("Splice.DsoRules:Confirmation"),
  dsoRules: governance("Splice.DsoRules:DsoRules"),
  voteRequest: governance("Splice.DsoRules:VoteRequest"),
  unallocatedActivityRecord: governance("Splice.DsoRules:UnallocatedUnclaimedActivityRecord"),
  svRewardState: governance("Splice.DSO.SvState:SvRewardState"),
  svNodeState: governance("Splice.DSO.SvState:SvNodeState"),
  amuletPriceVote: governance("Splice.DSO.AmuletPrice:AmuletPriceVote"),
  appRewardCoupon: amulet("Splice.Amulet:AppRewardCoupon"),
  validatorRewardCoupon: amulet("Splice.Amulet:ValidatorRewardCoupon"),
  svRewardCoupon: amulet("Splice.Amulet:SvRewardCoupon"),
  validatorFaucetCoupon: amulet("Splice.ValidatorLicense:ValidatorFaucetCoupon"),
  validatorLivenessActivityRecord: amulet("Splice.ValidatorLicense:ValidatorLivenessActivityRecord"),
  validatorLicense: amulet("Splice.ValidatorLicense:ValidatorLicense"),
  walletAppInstall: wallet("Splice.Wallet.Install:WalletAppInstall"),
  transferOffer: wallet("Splice.Wallet.TransferOffer:TransferOffer"),
  acceptedTransferOffer: wallet("Splice.Wallet.TransferOffer:AcceptedTransferOffer"),
  buyTrafficRequest: wallet("Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest"),
  mintingDelegationProposal: wallet("Splice.Wallet.MintingDelegation:MintingDelegationProposal"),
  mintingDelegation: wallet("Splice.Wallet.MintingDelegation:MintingDelegation"),
  transferPreapprovalProposal: wallet("Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal"),
  appPaymentRequest: payments("Splice.Wallet.Payment:AppPaymentRequest"),
  acceptedAppPayment: payments("Splice.Wallet.Payment:AcceptedAppPayment"),
  subscriptionRequest: payments("Splice.Wallet.Subscriptions:SubscriptionRequest"),
  subscriptionInitialPayment: payments("Splice.Wallet.Subscriptions:SubscriptionInitialPayment"),
  subscription: payments("Splice.Wallet.Subscriptions:Subscription"),
  subscriptionIdleState: payments("Splice.Wallet.Subscriptions:SubscriptionIdleState"),
  subscriptionPayment: payments("Splice.Wallet.Subscriptions:SubscriptionPayment"),
  terminatedSubscription: payments("Splice.Wallet.Subscriptions:TerminatedSubscription"),
  ansRules: ans("Splice.Ans:AnsRules"),
  ansEntry: ans("Splice.Ans:AnsEntry"),
  ansEntryContext: ans("Splice.Ans:AnsEntryContext"),
} as const;

const standard =
  (part: string, module: string) =>
  (entity: string): Name => ({ packageName: `splice-api-token-${part}`, entity: `Splice.Api.Token.${module}:${entity}` });

/** The token standard's, by generation. */
export const interfaces = {
  v1: {
    transferFactory: standard("transfer-instruction-v1", "TransferInstructionV1")("TransferFactory"),
    transferInstruction: standard("transfer-instruction-v1", "TransferInstructionV1")("TransferInstruction"),
    allocation: standard("allocation-v1", "AllocationV1")("Allocation"),
    allocationFactory: standard("allocation-instruction-v1", "AllocationInstructionV1")("AllocationFactory"),
    allocationRequest: standard("allocation-request-v1", "AllocationRequestV1")("AllocationRequest"),
  },
  v2: {
    transferFactory: standard("transfer-instruction-v2", "TransferInstructionV2")("TransferFactory"),
    transferInstruction: standard("transfer-instruction-v2", "TransferInstructionV2")("TransferInstruction"),
    allocation: standard("allocation-v2", "AllocationV2")("Allocation"),
    settlementFactory: standard("allocation-v2", "AllocationV2")("SettlementFactory"),
    allocationFactory: standard("allocation-instruction-v2", "AllocationInstructionV2")("AllocationFactory"),
    allocationRequest: standard("allocation-request-v2", "AllocationRequestV2")("AllocationRequest"),
    holding: standard("holding-v2", "HoldingV2")("Holding"),
    eventLog: standard("transfer-events-v2", "TransferEventsV2")("EventLog"),
  },
} as const;

/** By which the model tells why it failed. */
export const failureIds = {
  insufficientFunds: "splice.lfdecentralizedtrust.org/insufficient-funds",
  insufficientTopup: "splice.lfdecentralizedtrust.org/insufficient-topup-amount",
  tooManyInputs: "splice.lfdecentralizedtrust.org/maximum-inputs-exceeded",
  tooManyOutputs: "splice.lfdecentralizedtrust.org/maximum-outputs-exceeded",
} as const;

/** As filters of reads take it. */
export const reference = ({ packageName, entity }: Name): string => `#${packageName}:${entity}`;
/** `packageId:Module:Entity` to `Module:Entity`. */
export const entityOf = (id: string): string => id.slice(id.indexOf(":") + 1);
export const packageIdOf = (id: string): string => id.slice(0, id.indexOf(":"));
