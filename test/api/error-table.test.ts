/** The table of error codes, held against the code that uses it, the tests and the page on the APIs. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorTable } from "../../src/api/error-table.js";
import { categoryFacts } from "../../src/api/errors.js";
import { errorCodes } from "../../src/ledger/index.js";
import { repositoryRoot } from "../support/paths.js";
import { readPage } from "../support/readme.js";

const textOf = (folder: string, without: string): string =>
  readdirSync(join(repositoryRoot(), folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(without))
    .map((file) => readFileSync(join(repositoryRoot(), folder, file), "utf8"))
    .join("\n");

const codes = Object.keys(errorCodes);
const names =
  (text: string) =>
  (code: string): boolean =>
    new RegExp(`\\b${code}\\b`).test(text);

test("error codes: every category exists", () => {
  assert.deepEqual(
    codes.filter((code) => categoryFacts(errorCodes[code as keyof typeof errorCodes].category) === undefined),
    [],
  );
});

test("error codes: the page on the APIs has them all", () => {
  assert.ok(readPage("src/api/README.md").includes(errorTable()));
});

test("error codes: each is one that the node can answer with", () => {
  const isUsed = names(textOf("src", "error-codes.ts"));
  assert.deepEqual(
    codes.filter((code) => !isUsed(code)),
    [],
  );
});

/** The engine has its own tests of what leads to these, in its own terms; or a request brings them about only by a race or a wait. */
const withoutTest: readonly string[] = [
  "PARTICIPANT_BACKPRESSURE",
  "DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS",
  "UNKNOWN_SUBMITTERS",
  "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND",
  "NOT_SEQUENCED_TIMEOUT",
  "LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND",
  "LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK",
  "MALFORMED_REQUEST",
  "SYNCHRONIZER_WITHOUT_MEDIATOR",
  "DAML_INTERPRETATION_ERROR",
  "DAML_INTERPRETER_INVALID_ARGUMENT",
  "WRONGLY_TYPED_CONTRACT",
  "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
  "CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE",
  "NON_COMPARABLE_VALUES",
  "CONTRACT_ID_IN_CONTRACT_KEY",
  "CONTRACT_ID_COMPARABILITY",
  "MALFORMED_TEXT",
  "CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS",
  "FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS",
  "CONTRACT_HASHING_ERROR",
  "DISCLOSED_CONTRACT_KEY_HASHING_ERROR",
  "INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED",
  "INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED",
  "INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED",
  "INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING",
  "INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY",
  "INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE",
  "INTERPRETATION_DEV_ERROR",
  "INVALID_LEGACY_DAR",
  "DAML_PRIM_NOT_UTILITY_PACKAGE",
  "NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE",
  "USER_DELETED_WHILE_UPDATING",
  "STALE_STREAM_AUTHORIZATION",
];

test("error codes: each other one is named by a test", () => {
  const isTested = names(textOf("test", "error-table.test.ts"));
  assert.deepEqual(
    codes.filter((code) => !isTested(code) && !withoutTest.includes(code)),
    [],
  );
});
