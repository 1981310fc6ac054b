/** Parties: their numbers, their allocation, what administration and readers ask of them. */
export { administeredParties } from "./administered-parties.js";
export { NumberedParties } from "./numbered-parties.js";
export {
  adoptParties,
  isOn,
  allocateParty,
  belongsElsewhere,
  findParties,
  type Host,
  listParties,
  ofAnotherProvider,
  type PartiesContext,
  type PartyAllocationChecks,
  partyExists,
  type PartyHosting,
  type PartyKeeper,
  writeLocal,
  writeParty,
} from "./parties.js";
export { PartyRegistry } from "./party-registry.js";
