/** How what the ledger says of a command is told by servers that submitted it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerError, type LedgerErrorData } from "../../src/ledger/index.js";
import { templates } from "../../src/splice/names.js";
import { ledgerRefusal } from "../../src/splice/refusal.js";
import { exercise } from "../../src/splice/commands.js";
import { asOperation, asPreapprovalPurchase, backOut, cancelTraffic } from "../../src/splice/invalid-transfers.js";

test("refusals: what Daml threw is a conflict, what a model says by an id of its own is not, and keeps what it said beside", () => {
  const failure = (category: number): LedgerErrorData => ({
    ...ledgerError("DAML_FAILURE", "too little", { context: { error_id: "example.org/too-little", missing: "3" } }),
    category,
  });
  const told = (error: LedgerErrorData) => {
    const { kind, failure } = ledgerRefusal(error).error;
    return [kind, failure?.["missing"]];
  };
  assert.deepEqual(
    [told(failure(9)), told(failure(8)), told(failure(11))],
    [
      ["invalid", "3"],
      ["invalid", "3"],
      ["notFound", "3"],
    ],
  );
  const conflicts = [
    "UNHANDLED_EXCEPTION",
    "INTERPRETATION_USER_ERROR",
    "DAML_INTERPRETATION_ERROR",
    "TEMPLATE_PRECONDITION_VIOLATED",
    "UNKNOWN_CONTRACT_SYNCHRONIZERS",
  ] as const;
  for (const code of conflicts) assert.deepEqual(told(ledgerError(code, "no")), ["conflict", undefined], code);
});

test("refusals: the code is told with the cause, as in the status of a completion", () => {
  const { message } = ledgerRefusal(ledgerError("CONTRACT_NOT_FOUND", "it is not there")).error;
  assert.equal(message, "CONTRACT_NOT_FOUND(11,0): it is not there");
});

test("refusals: why Amulet could not be moved is told in the words of Splice's wallets; what the model gives no reason for stays", () => {
  const failed = (id: string, said: Readonly<Record<string, string>>) =>
    ledgerRefusal(ledgerError("DAML_FAILURE", "no", { context: { ...said, error_id: `splice.lfdecentralizedtrust.org/${id}` } }));
  const told = (refused: ReturnType<typeof failed>) => [
    asOperation(refused).error?.message,
    cancelReason(refused.error),
    asPreapprovalPurchase(refused).error?.message,
  ];
  const cancelReason = (refusal: Parameters<typeof cancelTraffic>[1]): string => {
    const command = cancelTraffic("00", refusal) as { ExerciseCommand: { choiceArgument: { reason: string } } };
    return command.ExerciseCommand.choiceArgument.reason;
  };
  const operation = (reason: string): string => `the amulet operation failed with a Daml exception: COO_Error(${reason}).`;
  const text = "DAML_FAILURE(9,0): no";
  assert.deepEqual(
    [
      told(failed("insufficient-funds", { requiredAmount: "7.5" })),
      told(failed("insufficient-topup-amount", { requestedTopupAmount: "5", minTopupAmount: "9" })),
      told(failed("maximum-inputs-exceeded", {})),
      told(failed("something-else", {})),
    ],
    [
      [
        operation("ITR_InsufficientFunds(7.5)"),
        "out of funds (missing 7.5 CC)",
        "Insufficient funds for the transfer pre-approval purchase (missing 7.5 CC)",
      ],
      [operation("ITR_InsufficientTopupAmount(5, 9)"), "not enough traffic requested (trafficAmount 5 < minTopupAmount 9)", text],
      [operation(`ITR_Other(${text})`), text, text],
      [text, text, text],
    ],
  );
});

test("refusals: who has not the means to pay what he offered backs out of it; for any other reason it stays", () => {
  const command = (id: string) =>
    backOut(
      "00ab",
      ledgerRefusal(
        ledgerError("DAML_FAILURE", "no", { context: { requiredAmount: "7.5", error_id: `splice.lfdecentralizedtrust.org/${id}` } }),
      ).error,
    );
  assert.deepEqual(
    [command("insufficient-funds"), command("maximum-inputs-exceeded")],
    [
      exercise(templates.acceptedTransferOffer, "00ab", "AcceptedTransferOffer_Abort", { reason: "out of funds (missing 7.5 CC)" }),
      undefined,
    ],
  );
});
