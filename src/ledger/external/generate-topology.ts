/** The topology transactions that a new external party has to sign. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import {
  type Identity,
  invalidArgument,
  type Outcome,
  partyHintProblem,
  type Synchronizers,
  uniqueIdentifierProblem,
} from "../model/index.js";
import type { SigningKey } from "./signing-keys.js";
import { encodePartyToKeys, encodePartyToParticipant, encodeRootDelegation, type Hosting } from "./topology.js";
import { combinedHash } from "./topology-hash.js";

export interface TopologyRequest {
  readonly synchronizer: string;
  readonly partyHint: string;
  /** Undefined: not given; a failure says why it cannot be read. */
  readonly publicKey: Result<SigningKey, string> | undefined;
  readonly localParticipantObservationOnly: boolean;
  readonly otherConfirmingParticipants: readonly string[];
  readonly observingParticipants: readonly string[];
  /** 0 = all confirming participants. */
  readonly confirmationThreshold: number;
  /**
   * Whether the key comes in transactions of its own, for the namespace and for the party, as Splice's validators have it: then there are
   * three (`ValidatorUtil.createTopologyMappings`). Else all is in one.
   */
  readonly keysApart: boolean;
}

export interface GeneratedTopology {
  readonly party: string;
  readonly fingerprint: string;
  readonly transactions: readonly Uint8Array[];
  readonly combinedHash: Uint8Array;
}

export function generateTopology(
  request: TopologyRequest,
  { identity, synchronizers }: { readonly identity: Identity; readonly synchronizers: Synchronizers },
): Outcome<GeneratedTopology> {
  const { publicKey } = request;
  if (publicKey === undefined) return fail(invalidArgument("Field `public_key` is not set"));
  if (isFailure(publicKey)) return fail(invalidArgument(`public_key: ${publicKey.error}`));
  const problem =
    checkSynchronizer(request.synchronizer, synchronizers) ?? checkHint(request.partyHint) ?? checkParticipants(request, identity);
  if (problem !== undefined) return fail(invalidArgument(problem));
  const { fingerprint } = publicKey.ok,
    party = `${request.partyHint}::${fingerprint}`,
    signing = { keys: [publicKey.ok], keyThreshold: 1 };
  const hosting = { party, threshold: request.confirmationThreshold || confirmersOf(request), participants: hostings(request, identity) };
  const transactions = request.keysApart
    ? [
        encodeRootDelegation(publicKey.ok),
        encodePartyToParticipant({ ...hosting, keys: [], keyThreshold: 0 }),
        encodePartyToKeys({ party, ...signing }),
      ]
    : [encodePartyToParticipant({ ...hosting, ...signing })];
  return ok({ party, fingerprint, transactions, combinedHash: combinedHash(transactions) });
}

function checkSynchronizer(synchronizer: string, synchronizers: Synchronizers): string | undefined {
  return (
    uniqueIdentifierProblem(synchronizer)
    ?? (synchronizers.find(synchronizer) ? undefined : `this node is not connected to synchronizer ${synchronizer}`)
  );
}

function checkHint(hint: string): string | undefined {
  if (hint === "") return "Party hint is empty";
  const problem = partyHintProblem(hint);
  return problem === undefined ? undefined : `party_hint: ${problem}`;
}

const confirmersOf = ({ localParticipantObservationOnly, otherConfirmingParticipants }: TopologyRequest): number =>
  (localParticipantObservationOnly ? 0 : 1) + otherConfirmingParticipants.length;

function checkParticipants(request: TopologyRequest, { participantId }: Identity): string | undefined {
  const others = [...request.otherConfirmingParticipants, ...request.observingParticipants];
  if (request.confirmationThreshold < 0) return "the confirmation threshold is negative";
  const malformed = others.map(uniqueIdentifierProblem).find((problem) => problem !== undefined);
  if (malformed !== undefined) return malformed;
  if (others.includes(participantId))
    return `this node (${participantId}) hosts the party anyway and must not be named among the other participants`;
  const repeated = firstRepeated(others);
  if (repeated !== undefined) return `participant ${repeated} is named more than once`;
  if (confirmersOf(request) === 0) return "a party needs at least one confirming participant"; // the reference fails here with 500
  return request.confirmationThreshold > confirmersOf(request)
    ? "Confirmation threshold exceeds number of confirming participants"
    : undefined;
}

function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

const hostings = (request: TopologyRequest, { participantId }: Identity): readonly Hosting[] => [
  { participant: participantId, permission: request.localParticipantObservationOnly ? "observation" : "confirmation" },
  ...request.otherConfirmingParticipants.map((participant): Hosting => ({ participant, permission: "confirmation" })),
  ...request.observingParticipants.map((participant): Hosting => ({ participant, permission: "observation" })),
];
