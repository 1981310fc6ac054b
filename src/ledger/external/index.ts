/** Parties that sign with keys of their own: their onboarding, transactions that are prepared here and signed elsewhere. */
export { type Execution, Executions } from "./execute.js";
export { adoptExternalParties, decodeExternalParty, ExternalParties } from "./external-parties.js";
export { type GeneratedTopology, generateTopology, type TopologyRequest } from "./generate-topology.js";
export { allocateExternalParty, type Onboard, type Onboarded, type OnboardingRequest, readOnboarding } from "./onboarding.js";
export { type Preparation, prepare, type PreparedForSigning } from "./prepare.js";
export { type PartySignatures, submittersOf } from "./signed-transaction.js";
export {
  type KeySpec,
  readRawSigningKey,
  readSigningKey,
  type Signature,
  type SignatureFormat,
  type SigningAlgorithm,
  type SigningKey,
} from "./signing-keys.js";
export { namespaceOf } from "./topology.js";
export { topologyHash } from "./topology-hash.js";
export { decodePartyToParticipant } from "./topology-reader.js";
