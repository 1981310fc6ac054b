/** The participants of a network, as each of them knows the others. */
export { type NetworkMember, Members } from "./members.js";
