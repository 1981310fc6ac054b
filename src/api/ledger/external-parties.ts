import { fail, isFailure, ok } from "../../base/result.js";
import { authenticated, impliedIdentityProvider } from "../../auth/index.js";
import { type OnboardingRequest, whileLogging } from "../../ledger/index.js";
import { base64, toBytes } from "../base64.js";
import { jsonBody } from "../body.js";
import { json, operation } from "../operation.js";
import type { Trace } from "../trace.js";
import { requesterOf } from "./administration-calls.js";
import { toOptionalInt32 } from "./decoding.js";
import { publicKeyOf, signaturesOf } from "./signatures.js";
import type {
  AllocateExternalPartyRequest,
  AllocateExternalPartyResponse,
  GenerateExternalPartyTopologyRequest,
  GenerateExternalPartyTopologyResponse,
} from "./types/external-parties.js";

export const externalPartyOperations = {
  generateExternalPartyTopology: operation({
    route: "POST /v2/parties/external/generate-topology",
    summary: "The topology transactions that an external party has to sign.",
    claims: () => authenticated,
    body: jsonBody(
      typia.createValidate<GenerateExternalPartyTopologyRequest>(),
      typia.createAssert<GenerateExternalPartyTopologyRequest>(),
    ),
    reply: json<GenerateExternalPartyTopologyResponse>(),
    handle: ({ ledger }, { body }) => {
      const generated = ledger.external.generateTopology({
        synchronizer: body.synchronizer ?? "",
        partyHint: body.partyHint ?? "",
        publicKey: body.publicKey == null ? undefined : publicKeyOf(body.publicKey),
        localParticipantObservationOnly: body.localParticipantObservationOnly ?? false,
        otherConfirmingParticipants: body.otherConfirmingParticipantUids ?? [],
        observingParticipants: body.observingParticipantUids ?? [],
        confirmationThreshold: toOptionalInt32(body.confirmationThreshold) ?? 0,
        keysApart: false,
      });
      if (isFailure(generated)) return fail(whileLogging(generated.error));
      const { party, fingerprint, transactions, combinedHash } = generated.ok;
      return ok({
        partyId: party,
        publicKeyFingerprint: fingerprint,
        topologyTransactions: transactions.map(base64),
        multiHash: base64(combinedHash),
      });
    },
  }),

  allocateExternalParty: operation({
    route: "POST /v2/parties/external/allocate",
    summary: "Creates a party whose keys are held elsewhere.",
    claims: ({ body }) => [{ kind: "partyAllocation", userId: body.userId ?? "", identityProviderId: body.identityProviderId ?? "" }],
    body: jsonBody(typia.createValidate<AllocateExternalPartyRequest>(), typia.createAssert<AllocateExternalPartyRequest>()),
    reply: json<AllocateExternalPartyResponse>(),
    handle: async ({ ledger, administration }, { body, caller, trace }) => {
      const identityProviderId = impliedIdentityProvider(caller, body.identityProviderId ?? "");
      const onboard = ledger.external.readOnboarding(onboardingOf(body, identityProviderId, trace));
      if (isFailure(onboard)) return fail(whileLogging(onboard.error)); // told before whether there is such a provider, or such a user
      const party = await administration.allocateExternalParty(
        { identityProviderId, userId: body.userId ?? "", allocate: onboard.ok },
        requesterOf(caller),
      );
      return isFailure(party) ? party : ok({ partyId: party.ok });
    },
  }),
};

function onboardingOf(body: AllocateExternalPartyRequest, identityProviderId: string, trace: Trace): OnboardingRequest {
  return {
    synchronizer: body.synchronizer ?? "",
    transactions: (body.onboardingTransactions ?? []).map(({ transaction = "", signatures = [] }) => ({
      transaction: toBytes(transaction),
      signatures: signaturesOf(signatures, "onboarding_transaction.signatures"),
    })),
    combinedSignatures: signaturesOf(body.multiHashSignatures ?? [], "multi_hash_signatures.signatures"),
    identityProviderId,
    trace: trace.context,
  };
}
