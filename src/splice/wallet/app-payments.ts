/** Payments that apps ask for: the owner accepts one, which locks what it asks, or declines it. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { isOfNetwork } from "../dso-of.js";
import { templates } from "../names.js";
import { type Answer, contractIdNotFound, notFound } from "../refusal.js";
import { asOperation } from "../invalid-transfers.js";
import { payBy } from "./pay.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface PaymentRequest {
  readonly sender: Party;
}
interface AcceptedPayment {
  readonly sender: Party;
  readonly reference: string;
}

export async function paymentRequest(context: WalletContext, owner: Owner, contractId: string): Answer<ContractWithState> {
  const request = await ownRequest(context, owner, contractId);
  if (!request) return contractIdNotFound(templates.appPaymentRequest, contractId);
  const [described] = await describeContracts(context.types, [request]);
  return ok(withState(described!, context.ledger));
}

/** The contract id of what is accepted now; again it is the same, until the app has collected it. */
export async function acceptPaymentRequest(
  context: WalletContext,
  owner: Owner,
  contractId: string,
  validator: Owner | undefined,
): Answer<string> {
  const acceptedBefore = async (): Promise<Contract<AcceptedPayment> | undefined> =>
    (await context.contracts.all<AcceptedPayment>(templates.acceptedAppPayment, owner.party)).find(
      ({ payload }) => payload.sender === owner.party && payload.reference === contractId,
    );
  if (!(await ownRequest(context, owner, contractId))) {
    const before = await acceptedBefore();
    return before
      ? ok(before.contractId)
      : notFound(`AppPaymentRequest ${contractId} not found, and no matching AcceptedAppPayment could be located.`);
  }
  const paid = asOperation(
    await payBy(context, owner, validator, {
      template: templates.appPaymentRequest,
      contractId,
      choice: "AppPaymentRequest_Accept",
    }),
  );
  if (!isFailure(paid)) return ok((paid.ok.exerciseResult as { readonly acceptedPayment: string }).acceptedPayment);
  const meanwhile = await acceptedBefore();
  return meanwhile ? ok(meanwhile.contractId) : paid;
}

export async function rejectPaymentRequest(context: WalletContext, owner: Owner, contractId: string): Answer<undefined> {
  if (!(await ownRequest(context, owner, contractId))) return notFound(`AppPaymentRequest ${contractId} not found.`);
  const rejected = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.appPaymentRequest, contractId, "AppPaymentRequest_Reject", {})],
  });
  return isFailure(rejected) ? rejected : ok(undefined);
}

async function ownRequest(
  { contracts, network }: WalletContext,
  { party }: Owner,
  contractId: string,
): Promise<Contract<PaymentRequest> | undefined> {
  const request = await contracts.findOf<PaymentRequest>(templates.appPaymentRequest, contractId),
    { ok: dso } = await network.dso();
  return request?.payload.sender === party && isOfNetwork(request.payload, dso) ? request : undefined;
}
