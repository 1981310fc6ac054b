/** Networks are made here. Apart from the rest of the room, which only few nodes that serve it have to load. */
export { bootstrapNetwork, type BootstrapOptions, type HostedNetwork } from "./bootstrap.js";
export { fees } from "./configuration.js";
export { networkSynchronizer, spliceMembers, type MembersPlan, type UserPlan } from "./members.js";
