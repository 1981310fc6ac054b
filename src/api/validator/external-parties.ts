import { type Caller } from "../../auth/index.js";
import { fail, type Result } from "../../base/result.js";
import type { Answer, SignedSubmission } from "../../splice/index.js";
import { base64, toBytes } from "../base64.js";
import { jsonBody, noBody } from "../body.js";
import type { RequestFailure } from "../errors.js";
import type { Base64, Int64 } from "../ledger/types/scalars.js";
import { json } from "../operation.js";
import { required, text } from "../query.js";
import { answeredAs } from "../splice/errors.js";
import { operatorProblem } from "./owner.js";
import { claims, declare, type ValidatorServices } from "./services.js";
import type { ListTransferPreapprovalsResponse } from "./wallet-types.js";

interface GenerateExternalPartyTopologyRequest {
  readonly party_hint: string;
  readonly public_key: string;
}
interface GenerateExternalPartyTopologyResponse {
  readonly party_id: string;
  readonly topology_txs: readonly { readonly topology_tx: string; readonly hash: string }[];
}
interface SubmitExternalPartyTopologyRequest {
  readonly public_key: string;
  readonly signed_topology_txs: readonly { readonly topology_tx: Base64; readonly signed_hash: string }[];
}
interface SubmitExternalPartyTopologyResponse {
  readonly party_id: string;
}
interface CreateExternalPartySetupProposalRequest {
  readonly user_party_id: string;
}
interface CreateExternalPartySetupProposalResponse {
  readonly contract_id: string;
}
interface PrepareAcceptExternalPartySetupProposalRequest {
  readonly contract_id: string;
  readonly user_party_id: string;
  readonly verbose_hashing?: boolean | null;
}
interface PrepareAcceptExternalPartySetupProposalResponse {
  readonly transaction: string;
  readonly tx_hash: string;
  readonly hashing_details?: string;
}
export interface ExternalPartySubmission {
  readonly party_id: string;
  readonly transaction: Base64;
  readonly signed_tx_hash: string;
  readonly public_key: string;
}
interface SubmitAcceptExternalPartySetupProposalRequest {
  readonly submission: ExternalPartySubmission;
}
interface SubmitAcceptExternalPartySetupProposalResponse {
  readonly transfer_preapproval_contract_id: string;
  readonly update_id: string;
}
interface ExternalPartyBalanceResponse {
  readonly party_id: string;
  readonly total_unlocked_coin: string;
  readonly total_locked_coin: string;
  readonly total_coin_holdings: string;
  readonly accumulated_holding_fees_unlocked: string;
  readonly accumulated_holding_fees_locked: string;
  readonly accumulated_holding_fees_total: string;
  readonly total_available_coin: string;
  readonly computed_as_of_round: Int64;
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

export const signedOf = (submission: ExternalPartySubmission): SignedSubmission => ({
  party: submission.party_id,
  transaction: toBytes(submission.transaction),
  signature: submission.signed_tx_hash,
  publicKey: submission.public_key,
});

/** For who operates the validator. */
export async function asOperator<T, W>(
  services: ValidatorServices,
  caller: Caller,
  act: () => Answer<T>,
  wire: (value: T) => W,
): Promise<Result<W, RequestFailure>> {
  const problem = operatorProblem(services, caller);
  return problem ? fail(problem) : answeredAs(await act(), wire);
}

/** Parties with keys of their own: the validator hosts them and pays for their preapproval. */
export const externalPartyHostOperations = {
  generateExternalPartyTopology: declare({
    route: "POST /v0/admin/external-party/topology/generate",
    summary: "What a party with a key of its own signs to be hosted here.",
    claims,
    body: jsonBody(
      typia.createValidate<GenerateExternalPartyTopologyRequest>(),
      typia.createAssert<GenerateExternalPartyTopologyRequest>(),
    ),
    reply: json<GenerateExternalPartyTopologyResponse>(),
    handle: (services, { caller, body }) =>
      asOperator(
        services,
        caller,
        async () => services.splice.wallets.externalParties.topology(body.party_hint, body.public_key),
        ({ party, transactions }) => ({
          party_id: party,
          topology_txs: transactions.map(({ transaction, hash }) => ({ topology_tx: base64(transaction), hash: hex(hash) })),
        }),
      ),
  }),
  submitExternalPartyTopology: declare({
    route: "POST /v0/admin/external-party/topology/submit",
    summary: "Hosts the party that signed it.",
    claims,
    body: jsonBody(typia.createValidate<SubmitExternalPartyTopologyRequest>(), typia.createAssert<SubmitExternalPartyTopologyRequest>()),
    reply: json<SubmitExternalPartyTopologyResponse>(),
    handle: (services, { caller, body }) =>
      asOperator(
        services,
        caller,
        () =>
          services.splice.wallets.externalParties.onboard(
            body.public_key,
            body.signed_topology_txs.map(({ topology_tx: transaction, signed_hash: signature }) => ({
              transaction: toBytes(transaction),
              signature,
            })),
          ),
        (party) => ({ party_id: party }),
      ),
  }),
  createExternalPartySetupProposal: declare({
    route: "POST /v0/admin/external-party/setup-proposal",
    summary: "Proposes to such a party that all transfers to it complete at once; the validator pays.",
    claims,
    body: jsonBody(
      typia.createValidate<CreateExternalPartySetupProposalRequest>(),
      typia.createAssert<CreateExternalPartySetupProposalRequest>(),
    ),
    reply: json<CreateExternalPartySetupProposalResponse>(),
    handle: (services, { caller, body }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.propose(validator, body.user_party_id)),
        (contract) => ({ contract_id: contract }),
      );
    },
  }),
  listExternalPartySetupProposals: declare({
    route: "GET /v0/admin/external-party/setup-proposal",
    summary: "Proposals that nobody has accepted yet.",
    claims,
    body: noBody(),
    reply: json<ListTransferPreapprovalsResponse>(),
    handle: (services, { caller }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.proposals(validator)),
        (contracts) => ({ contracts }),
      );
    },
  }),
  prepareAcceptExternalPartySetupProposal: declare({
    route: "POST /v0/admin/external-party/setup-proposal/prepare-accept",
    summary: "The acceptance of a proposal, to be signed.",
    claims,
    body: jsonBody(
      typia.createValidate<PrepareAcceptExternalPartySetupProposalRequest>(),
      typia.createAssert<PrepareAcceptExternalPartySetupProposalRequest>(),
    ),
    reply: json<PrepareAcceptExternalPartySetupProposalResponse>(),
    handle: (services, { caller, body }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () =>
          wallets.asValidator((validator) =>
            wallets.externalParties.prepareAcceptance(validator, body.user_party_id, body.contract_id, {
              verboseHashing: body.verbose_hashing === true,
            }),
          ),
        ({ transaction, hash, hashingDetails }) => ({
          transaction: base64(transaction),
          tx_hash: hex(hash),
          ...(hashingDetails !== undefined && { hashing_details: hashingDetails }),
        }),
      );
    },
  }),
  submitAcceptExternalPartySetupProposal: declare({
    route: "POST /v0/admin/external-party/setup-proposal/submit-accept",
    summary: "The same, signed.",
    claims,
    body: jsonBody(
      typia.createValidate<SubmitAcceptExternalPartySetupProposalRequest>(),
      typia.createAssert<SubmitAcceptExternalPartySetupProposalRequest>(),
    ),
    reply: json<SubmitAcceptExternalPartySetupProposalResponse>(),
    handle: (services, { caller, body: { submission } }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.submitAcceptance(validator, signedOf(submission))),
        ({ preapproval, updateId }) => ({ transfer_preapproval_contract_id: preapproval, update_id: updateId }),
      );
    },
  }),
  externalPartyBalance: declare({
    route: "GET /v0/admin/external-party/balance",
    summary: "What such a party holds.",
    claims,
    query: { party_id: required(text()) },
    body: noBody(),
    reply: json<ExternalPartyBalanceResponse>(),
    handle: (services, { caller, query }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.balance(validator, query.party_id)),
        (balance) => balance,
      );
    },
  }),
};
