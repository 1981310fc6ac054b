/** One participant of a network, put together part by part. */
export { createParticipant, type OpenParticipant, type Participant } from "./create-participant.js";
export type { Member, NetworkParts, ParticipantOptions } from "./member.js";
