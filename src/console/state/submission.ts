/** Commands as the console sends them: one at a time, answered with the transaction. */
import type {
  Command,
  DisclosedContract,
  JsSubmitAndWaitForTransactionRequest,
  JsSubmitAndWaitForTransactionResponse,
} from "../../api/ledger/types/commands.js";
import { client, eventFormat, node } from "./session.js";

export const submitPath = "/v2/commands/submit-and-wait-for-transaction";
export const newCommandId = (): string => `console-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

export interface Submitting {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[];
  readonly commandId: string;
  readonly disclosed?: readonly DisclosedContract[];
  /** Whose package of its name the command means; otherwise the node takes the best version. */
  readonly packageId?: string | undefined;
}

export function submission(
  command: Command,
  { actAs, readAs = [], commandId, disclosed = [], packageId }: Submitting,
): JsSubmitAndWaitForTransactionRequest {
  return {
    commands: {
      commands: [command],
      commandId,
      actAs,
      ...(readAs.length > 0 && { readAs }),
      ...(disclosed.length > 0 && { disclosedContracts: disclosed }),
      ...(packageId !== undefined && { packageIdSelectionPreference: [packageId] }),
      userId: node.value.scope.userId,
    },
    transactionFormat: {
      eventFormat: eventFormat(node.value.scope.isAnyParty ? undefined : actAs[0]),
      transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    },
  };
}

export const submit = (request: JsSubmitAndWaitForTransactionRequest): Promise<JsSubmitAndWaitForTransactionResponse> =>
  client.post<JsSubmitAndWaitForTransactionRequest, JsSubmitAndWaitForTransactionResponse>(submitPath, request);

/** Nobody is told of more than he may act as. */
export function mayActAs(party: string): boolean {
  const { actAs } = node.value.scope;
  return actAs === undefined || actAs.includes(party);
}
