import { base64 } from "../base64.js";
import { jsonBody } from "../body.js";
import { withNumberTexts } from "../number-text.js";
import type { DecimalInput, Int64Input } from "../ledger/types/scalars.js";
import { json } from "../operation.js";
import { asOperator, hex, signedOf, type ExternalPartySubmission } from "./external-parties.js";
import { claims, declare } from "./services.js";

interface PrepareTransferPreapprovalSendRequest {
  readonly sender_party_id: string;
  readonly receiver_party_id: string;
  readonly amount: DecimalInput;
  readonly expires_at: string;
  readonly nonce: Int64Input;
  readonly verbose_hashing?: boolean | null;
  readonly description?: string | null;
}
interface PrepareTransferPreapprovalSendResponse {
  readonly transaction: string;
  readonly tx_hash: string;
  readonly transfer_command_contract_id_prefix: string;
  readonly hashing_details?: string;
}
interface SubmitTransferPreapprovalSendRequest {
  readonly submission: ExternalPartySubmission;
}
interface SubmitTransferPreapprovalSendResponse {
  readonly update_id: string;
}

/** A double has fewer digits than Amulet, and than an int64. */
const preparation = withNumberTexts(
  jsonBody(typia.createValidate<PrepareTransferPreapprovalSendRequest>(), typia.createAssert<PrepareTransferPreapprovalSendRequest>()),
  ["amount", "nonce"],
);

/** Transfers that such parties sign for their validator to send. */
export const externalTransferOperations = {
  prepareTransferPreapprovalSend: declare({
    route: "POST /v0/admin/external-party/transfer-preapproval/prepare-send",
    summary: "A command for a transfer of such a party's, to be signed; automation sends the transfer.",
    deprecated: true,
    claims,
    body: preparation.body,
    reply: json<PrepareTransferPreapprovalSendResponse>(),
    handle: (services, { caller, body }) => {
      const { wallets } = services.splice,
        transfer = {
          sender: body.sender_party_id,
          receiver: body.receiver_party_id,
          amount: preparation.textOf(body, "amount"),
          expiresAt: body.expires_at,
          nonce: preparation.textOf(body, "nonce"),
          description: body.description ?? undefined,
          verboseHashing: body.verbose_hashing === true,
        };
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.prepareTransfer(validator, transfer)),
        ({ transaction, hash, hashingDetails, contractIdPrefix }) => ({
          transaction: base64(transaction),
          tx_hash: hex(hash),
          transfer_command_contract_id_prefix: contractIdPrefix,
          ...(hashingDetails !== undefined && { hashing_details: hashingDetails }),
        }),
      );
    },
  }),
  submitTransferPreapprovalSend: declare({
    route: "POST /v0/admin/external-party/transfer-preapproval/submit-send",
    summary: "The same, signed.",
    deprecated: true,
    claims,
    body: jsonBody(
      typia.createValidate<SubmitTransferPreapprovalSendRequest>(),
      typia.createAssert<SubmitTransferPreapprovalSendRequest>(),
    ),
    reply: json<SubmitTransferPreapprovalSendResponse>(),
    handle: (services, { caller, body }) => {
      const { wallets } = services.splice;
      return asOperator(
        services,
        caller,
        () => wallets.asValidator((validator) => wallets.externalParties.submitTransfer(validator, signedOf(body.submission))),
        (updateId) => ({ update_id: updateId }),
      );
    },
  }),
};
