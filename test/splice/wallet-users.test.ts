import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, ok } from "../../src/base/result.js";
import { ledgerError } from "../../src/ledger/index.js";
import { WalletUsers } from "../../src/splice/wallet-users.js";

/** What came of it that the validator's user should act as a party, and what the log was told. */
async function lettingActAs(refusal: Parameters<typeof ledgerError>[0]) {
  const warnings: string[] = [],
    administration = { getUser: () => ok({}), grantRights: () => Promise.resolve(fail(ledgerError(refusal, "no"))) };
  const users = new WalletUsers({ administration } as unknown as ConstructorParameters<typeof WalletUsers>[0], (message) =>
    warnings.push(message),
  );
  return { result: await users.letValidatorActAs("alice::1220"), warnings };
}

test("wallet users: that the validator's user has too many rights keeps nobody out, and is told in the log", async () => {
  const { result, warnings } = await lettingActAs("TOO_MANY_USER_RIGHTS");
  assert.equal(result.error, undefined);
  assert.deepEqual(warnings, [
    "user ledger-api-user may not act as alice::1220, which was onboarded: it has as many rights as a user may have",
  ]);
});

test("wallet users: what else is refused of the validator's user is refused to who onboards", async () => {
  const { result, warnings } = await lettingActAs("SERVICE_NOT_RUNNING");
  assert.deepEqual([result.error?.code, warnings], ["SERVICE_NOT_RUNNING", []]);
});
