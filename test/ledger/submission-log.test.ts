/** What errors of submissions tell of the reference's log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { longestPeriodOf, whileRunning } from "../../src/ledger/intake/index.js";
import { contractNotFound, invalidField, whileRouting } from "../../src/ledger/model/index.js";

const submission = {
  actAs: ["bob::1220", "alice::1220", "bob::1220"],
  readAs: ["alice::1220", "carol::1220"],
  commandId: "c1",
  userId: "me",
  workflowId: "",
  deduplication: { kind: "none" },
} as const;
const submitted = { submissionId: "s1", submittedAt: 1_700_000_000_000_000n, longest: longestPeriodOf() };
const missing = contractNotFound("00ab");

test("submission log: an error of a submission that runs tells of all of it", () => {
  assert.deepEqual(whileRunning(missing, submission, submitted).requestLog, {
    commands:
      "{readAs: ['carol::1220'], deduplicationPeriod: {duration: 'PT168H'}, submittedAt: '2023-11-14T22:13:20Z', submissionId: 's1', "
      + "actAs: ['bob::1220', 'alice::1220'], commandId: 'c1', userId: 'me', workflowId: }",
  });
});

test("submission log: a period is told as it was asked for", () => {
  const logged = (deduplication: Parameters<typeof whileRunning>[1]["deduplication"]) =>
    whileRunning(missing, { ...submission, deduplication }, submitted).requestLog!["commands"]!;
  assert.match(logged({ kind: "duration", seconds: 90, nanos: 5_000_000 }), /deduplicationPeriod: \{duration: 'PT1M30.005S'\}/);
  assert.match(logged({ kind: "offset", offset: 3 }), /deduplicationPeriod: \{offset: 3\}/);
  assert.match(logged({ kind: "offset", offset: 0 }), /deduplicationPeriod: \{offset: \}/);
});

test("submission log: what is wrong about a field is found before it is logged, and who looks where it can go has no log", () => {
  assert.deepEqual(whileRunning(invalidField("contract_id", "no id"), submission, submitted).requestLog, {});
  assert.equal(whileRunning(whileRouting(missing), submission, submitted).requestLog, undefined);
});
